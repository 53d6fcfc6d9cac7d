import { systemScope } from '@domain/access';
import { EventRelayService, EventsService } from '@domain/events';
import { ChatWorkPartitionService } from '@domain/chat';
import { type ApiClient } from '@testing';
import { type Response } from 'supertest';
import { type SlackServer } from '../../libs/adapters/chat/testing';
import { happening } from '../../libs/domain/events/testing';
import { type Platform, type SeededWorkspace } from '../harness';

export interface Slack {
  authMethod: string;
  status: string;
  teamName: string;
  channel: { id: string; name: string } | null;
  lastError: { code: string; message: string; at: string } | null;
  lastPostedAt: string | null;
  mode: string;
  everyMinutes: number | null;
  events: string[];
}

export interface ChatPost {
  _id: string;
  event: string;
  state: string;
  postId: string | null;
  reason: string | null;
}

/** A workspace and its Slack connection. */
export class SlackUser {
  readonly api: ApiClient;
  #serial = 0;

  constructor(
    private readonly platform: Platform,
    private readonly server: SlackServer,
    readonly workspace: SeededWorkspace,
  ) {
    this.api = platform.api.as(workspace.key);
  }

  async start(body: object = {}): Promise<{ _id: string; authUrl: string }> {
    const { body: answer } = await this.api.post('/v1/integrations/slack/oauth').send(body).expect(201);
    return (answer as { data: { _id: string; authUrl: string } }).data;
  }

  /** Returns from Slack without a key, as a browser does. */
  back(path: string): Promise<Response> {
    return this.platform.api.get(path).then((response) => response);
  }

  async session(id: string): Promise<{ status: string; error: { code: string } | null }> {
    const { body } = await this.api.get(`/v1/integrations/slack/oauth-sessions/${id}`).expect(200);
    return (body as { data: { status: string; error: { code: string } | null } }).data;
  }

  /** Runs the whole consent. */
  async consent(as: Parameters<SlackServer['consent']>[1] = {}, body: object = {}) {
    const started = await this.start(body);
    const path = this.server.consent(started.authUrl, as);
    const response = await this.back(path);
    return { started, path, response, session: await this.session(started._id) };
  }

  async set(body: object, status = 200): Promise<Slack> {
    const { body: answer } = await this.api.put('/v1/integrations/slack').send(body).expect(status);
    return (answer as { data: Slack }).data;
  }

  async read(): Promise<Slack> {
    const { body } = await this.api.get('/v1/integrations/slack').expect(200);
    return (body as { data: Slack }).data;
  }

  async posts(query = ''): Promise<ChatPost[]> {
    const { body } = await this.api.get(`/v1/integrations/slack/messages${query}`).expect(200);
    return (body as { data: ChatPost[] }).data;
  }

  /** Records events, relays them, and sends the posts that are due. */
  async happens(type: 'email.replied' | 'mailbox.disconnected', data: Record<string, unknown> = {}): Promise<void> {
    this.#serial += 1;
    const event = happening(type, `${type}:${this.workspace.workspaceId}:${this.#serial}`, { data: data as never });
    const events = this.platform.app.get(EventsService, { strict: false });
    await events.record(systemScope(this.workspace.workspaceId), event);
    await this.settle();
  }

  /** Relays events and runs what is due in the next two seconds, the shortest interval of the schedules. */
  async settle(): Promise<void> {
    this.platform.clock.advance(2_000);
    await this.platform.app.get(EventRelayService, { strict: false }).relay();
    await this.platform.worker?.get(ChatWorkPartitionService, { strict: false }).sweep();
    await this.platform.drain();
  }
}
