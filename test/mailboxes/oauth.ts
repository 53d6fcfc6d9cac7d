import { type ApiClient } from '@testing';
import { type Response } from 'supertest';
import { type OAuthServer, type VendorAccount } from '../../libs/domain/mailboxes/testing';
import { type Platform, type SeededWorkspace } from '../harness';

export interface Started {
  _id: string;
  provider: string;
  authUrl: string;
  status: string;
  expiresAt: string;
}

export interface Session {
  _id: string;
  provider: string;
  status: string;
  mailboxId: string | null;
  error: { code: string; message: string } | null;
  expiresAt: string;
  createdAt: string;
}

/** A workspace whose users give consent at local vendors. */
export class OAuthConsents {
  readonly api: ApiClient;

  constructor(
    private readonly platform: Platform,
    private readonly server: OAuthServer,
    readonly workspace: SeededWorkspace,
  ) {
    this.api = platform.api.as(workspace.key);
  }

  async start(provider: string, body: object = {}): Promise<Started> {
    const { body: answer } = await this.api.post(`/v1/mailboxes/oauth/${provider}`).send(body).expect(201);
    return (answer as { data: Started }).data;
  }

  async session(id: string): Promise<Session> {
    const { body } = await this.api.get(`/v1/mailboxes/oauth/sessions/${id}`).expect(200);
    return (body as { data: Session }).data;
  }

  /** Returns from the vendor without a key, as a browser does. */
  back(path: string): Promise<Response> {
    return this.platform.api.get(path).then((response) => response);
  }

  /** Runs the whole consent. */
  async connect(
    account: VendorAccount,
    body: object = {},
    consent: Partial<Parameters<OAuthServer['consent']>[1]> = {},
  ): Promise<{ started: Started; path: string; response: Response; session: Session }> {
    const started = await this.start(account.vendor, body);
    const path = await this.server.consent(started.authUrl, { as: account, ...consent });
    const response = await this.back(path);
    return { started, path, response, session: await this.session(started._id) };
  }

  async mailbox(id: string | null): Promise<Record<string, unknown>> {
    const { body } = await this.api.get(`/v1/mailboxes/${id}`).expect(200);
    return (body as { data: Record<string, unknown> }).data;
  }

  async actions(): Promise<string[]> {
    const { body } = await this.api.get('/v1/audit?targetType=mailbox').expect(200);
    return (body as { data: { action: string }[] }).data.map(({ action }) => action);
  }
}
