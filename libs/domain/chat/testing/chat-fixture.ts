import { MailModule } from '@adapters/mail';
import { systemScope } from '@domain/access';
import { EventRecord, EventRelayService, EventsService } from '@domain/events';
import { WorkspaceLimitsService, WorkspaceRepository } from '@domain/identity';
import { getModelToken } from '@nestjs/mongoose';
import { OutboundModule } from '@platform/outbound';
import { QueuesService, QueuesModule } from '@platform/queues';
import { type Model, Types } from 'mongoose';
import { type FakeClock, openTestDatabase, type TestDatabase } from '../../../testing';
import { SlackServer } from '../../../adapters/chat/testing';
import { happening } from '../../events/testing';
import { type ChatEvent } from '../chat-events';
import { ChatDomainModule } from '../chat-domain.module';
import { type SetSlackRequest } from '../dto/chat-requests.dto';
import { ChatConnectionRecord } from '../schemas/chat-connection.record';
import { ChatWorkPartitionRecord } from '../schemas/chat-work-partition.record';
import { ChatMessageRecord } from '../schemas/chat-message.record';
import { ChatInUse } from './chat-in-use';

/** Chats on a separate database with a Slack server. Tests record events, relay them and run deliveries explicitly. */
export class ChatFixture {
  readonly clock: FakeClock;
  readonly messages: Model<ChatMessageRecord>;
  readonly connections: Model<ChatConnectionRecord>;
  readonly partitionRecords: Model<ChatWorkPartitionRecord>;
  /** Deleted workspaces; all others exist. */
  readonly deleted = new Set<string>();
  #serial = 0;

  private constructor(
    readonly database: TestDatabase,
    readonly slack: SlackServer,
  ) {
    this.clock = database.clock;
    this.messages = this.model(ChatMessageRecord);
    this.connections = this.model(ChatConnectionRecord);
    this.partitionRecords = this.model(ChatWorkPartitionRecord);
  }

  static async open(): Promise<ChatFixture> {
    const slack = await SlackServer.start();
    const imports = [QueuesModule, OutboundModule, MailModule, ChatDomainModule];
    const fixture = new ChatFixture(await openTestDatabase({ imports }, slack.env), slack);
    jest
      .spyOn(fixture.get(WorkspaceRepository), 'filterAlive')
      .mockImplementation((workspaces) =>
        Promise.resolve(new Set(workspaces.filter((one) => !fixture.deleted.has(one)))),
      );
    jest.spyOn(fixture.get(WorkspaceLimitsService), 'claim').mockResolvedValue(undefined as never);
    return fixture;
  }

  get<T>(service: abstract new (...args: never[]) => T): T {
    return this.database.module.get<T>(service, { strict: false });
  }

  model<T>(record: { name: string }): Model<T> {
    return this.database.module.get<Model<T>>(getModelToken(record.name), { strict: false });
  }

  async close(): Promise<void> {
    await this.get(QueuesService).obliterate();
    await this.database.close();
    await this.slack.close();
  }

  /** A workspace with a Slack webhook and the messages that it receives. */
  async chat(input: Partial<SetSlackRequest> = {}): Promise<ChatInUse> {
    const workspaceId = new Types.ObjectId();
    const webhookUrl = this.slack.webhook();
    const chat = new ChatInUse(this, workspaceId, webhookUrl);
    await chat.set({ webhookUrl, events: ['email.replied', 'campaign.completed'], ...input });
    return chat;
  }

  /** Records the given number of events in the workspace. */
  async happen(workspaceId: Types.ObjectId, count = 1, type: ChatEvent = 'email.replied'): Promise<void> {
    const events = Array.from({ length: count }, () => {
      this.#serial += 1;
      const data = type === 'email.replied' ? { email: `p${this.#serial}@leads.example` } : {};
      return happening(type, `${type}:${this.#serial}`, { data, at: this.clock.in(this.#serial) });
    });
    await this.get(EventsService).recordAll(systemScope(workspaceId.toHexString()), events);
  }

  /** Relays the recorded events. */
  async relay(): Promise<void> {
    await this.get(EventRelayService).relay();
  }

  async eventsOf(workspaceId: Types.ObjectId, type: string): Promise<EventRecord[]> {
    return this.model(EventRecord).find({ workspaceId, type }).lean<EventRecord[]>();
  }
}
