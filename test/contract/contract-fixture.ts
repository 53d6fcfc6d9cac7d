import { HubSpotServer } from '../../libs/adapters/crm/testing';
import { DnsServer } from '../../libs/adapters/dns/testing';
import { systemScope } from '@domain/access';
import { CreditsService } from '@domain/credits';
import { getModelToken } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { type Test } from 'supertest';
import { type Platform, type SeededWorkspace } from '../harness';
import { Inboxes } from '../inbox/inboxes';
import { hubspotEnv } from '../integrations/crm';
import { type Endpoint } from './contract';

/** The request of an endpoint. */
export interface Subject {
  /** By the names of the path parameters. */
  ids?: Readonly<Record<string, string>>;
  body?: object;
}

export interface RequestPlan extends Subject {
  key?: string | null;
  /** Default: the same key where the endpoint requires one; null: none. */
  bearer?: string | null;
  query?: string;
}

/** Enough for agents, jobs and other paid work. */
const CREDITS = 10_000;

/** A workspace, and the external servers that influence its records. */
export class ContractFixture {
  private constructor(
    readonly inboxes: Inboxes,
    readonly dns: DnsServer,
    private readonly hubspot: HubSpotServer,
  ) {}

  static async start(): Promise<ContractFixture> {
    const [dns, hubspot] = await Promise.all([DnsServer.start(), new HubSpotServer().listen()]);
    const env = { ...hubspotEnv(hubspot), DNS_SERVERS: `${dns.host}:${dns.port}` };
    const fixture = new ContractFixture(await Inboxes.start({ env }), dns, hubspot);
    const grant = { amount: CREDITS, reason: 'Seed', operation: 'seed:contract' };
    const credits = fixture.platform.app.get(CreditsService, { strict: false });
    await credits.grant(systemScope(fixture.workspace.workspaceId), grant);
    return fixture;
  }

  async close(): Promise<void> {
    await this.inboxes.close();
    await Promise.all([this.dns.close(), this.hubspot.close()]);
  }

  get platform(): Platform {
    return this.inboxes.platform;
  }

  get workspace(): SeededWorkspace {
    return this.inboxes.workspace;
  }

  /** Sends a request as the contract defines it: with its headers, and the body in JSON. */
  ask({ endpoint, bearer }: Endpoint, { ids = {}, body, query, ...headers }: RequestPlan): Test {
    const [method = '', template = ''] = endpoint.split(' ');
    const path = template.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
      const id = ids[name];
      if (id === undefined) throw new Error(`${endpoint} is asked without ${name}`);
      return id;
    });
    const key = headers.key === undefined ? this.workspace.key : headers.key;
    const both = headers.bearer === undefined ? key : headers.bearer;
    const api = this.platform.api.with({
      ...(key !== null && { 'X-Api-Key': key }),
      ...(bearer && both !== null && { Authorization: `Bearer ${both}` }),
    });
    const test = api[method.toLowerCase() as 'get' | 'post' | 'delete'](query ? `${path}?${query}` : path);
    return body === undefined ? test : test.send(body);
  }

  model(name: string): Model<Record<string, unknown>> {
    return this.platform.app.get<Model<Record<string, unknown>>>(getModelToken(name), { strict: false });
  }

  /** Puts a record into a state whose transition is tested elsewhere. */
  async put(name: string, of: Record<string, unknown>, state: Record<string, unknown>): Promise<void> {
    const { workspaceId } = this.workspace;
    const { matchedCount } = await this.model(name).updateOne({ ...of, workspaceId }, { $set: state });
    if (matchedCount !== 1) throw new Error(`There is no such ${name}`);
  }
}
