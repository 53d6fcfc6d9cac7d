import { systemScope } from '@domain/access';
import { type Model, type Types } from 'mongoose';
import { type SlackServer } from '../../../adapters/chat/testing';
import { type FakeClock } from '../../../testing';
import { type ChatEvent } from '../chat-events';
import { ChatDeliveryService } from '../delivery/chat-delivery.service';
import { ChatWorkPartitionService } from '../delivery/chat-work-partition.service';
import { SetSlackRequest } from '../dto/chat-requests.dto';
import { type ChatConnectionRecord } from '../schemas/chat-connection.record';
import { type ChatMessageRecord } from '../schemas/chat-message.record';
import { type ChatWorkPartitionRecord } from '../schemas/chat-work-partition.record';
import { ChatSettingsService } from '../settings/chat-settings.service';

/** The parts of the fixture that a chat uses. */
interface ChatServices {
  readonly clock: FakeClock;
  readonly slack: SlackServer;
  readonly messages: Model<ChatMessageRecord>;
  readonly connections: Model<ChatConnectionRecord>;
  readonly partitionRecords: Model<ChatWorkPartitionRecord>;
  get<T>(service: abstract new (...args: never[]) => T): T;
  happen(workspaceId: Types.ObjectId, count?: number, type?: ChatEvent): Promise<void>;
  relay(): Promise<void>;
}

/** The chat of one workspace. */
export class ChatInUse {
  constructor(
    private readonly fixture: ChatServices,
    readonly workspaceId: Types.ObjectId,
    readonly webhookUrl: string,
  ) {}

  async set(input: Partial<SetSlackRequest>): Promise<void> {
    const request = Object.assign(new SetSlackRequest(), input);
    await this.fixture.get(ChatSettingsService).set(systemScope(this.workspaceId.toHexString()), request);
  }

  async happens(count = 1, type: ChatEvent = 'email.replied'): Promise<void> {
    await this.fixture.happen(this.workspaceId, count, type);
    await this.fixture.relay();
  }

  /** Runs the due work once, with the abort signal of the worker. */
  async runPartition(signal = new AbortController().signal): Promise<void> {
    const workspaceId = this.workspaceId.toHexString();
    const { _id } = await this.stored();
    await this.fixture.get(ChatDeliveryService).run({ workspaceId, partitionId: _id.toHexString() }, signal);
  }

  /** Runs due work and advances the clock to the next due time, until none is due within `withinMs` from now. */
  async run(withinMs = 0): Promise<void> {
    const until = this.fixture.clock.in(withinMs);
    for (let runs = 0; runs < 200; runs += 1) {
      const at = await this.nextAt();
      if (at === null || at > until) return;
      const now = this.fixture.clock.now();
      if (at > now) this.fixture.clock.advance(at.getTime() - now.getTime());
      await this.runPartition();
    }
    throw new Error('It never comes to an end');
  }

  async stored(): Promise<ChatConnectionRecord> {
    return this.fixture.connections
      .findOne({ workspaceId: this.workspaceId })
      .orFail()
      .lean<ChatConnectionRecord>()
      .orFail();
  }

  /** In the order of events. */
  async log(): Promise<ChatMessageRecord[]> {
    return this.fixture.messages.find({ workspaceId: this.workspaceId }).sort({ _id: 1 }).lean<ChatMessageRecord[]>();
  }

  async states(): Promise<string[]> {
    return (await this.log()).map(({ state }) => state);
  }

  async nextAt(): Promise<Date | null> {
    return (await this.fixture.partitionRecords.findOne({ workspaceId: this.workspaceId }).lean())?.nextAt ?? null;
  }

  /** The summaries that its channel received. */
  said(): string[] {
    const path = new URL(this.webhookUrl).pathname;
    return this.fixture.slack.posts.filter(({ to }) => to === path).map(({ text }) => text);
  }

  /** All text of the latest post. */
  lastPost(): string {
    const path = new URL(this.webhookUrl).pathname;
    return JSON.stringify(this.fixture.slack.posts.findLast(({ to }) => to === path)?.blocks ?? []);
  }

  get partitions(): ChatWorkPartitionService {
    return this.fixture.get(ChatWorkPartitionService);
  }
}
