import { type EventRecord, type EventSubscriber, EVENT_SUBSCRIBERS } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { rerunOnWriteConflict } from '@platform/database';
import { Listens } from '@platform/hooks';
import { type Model, Types } from 'mongoose';
import { CHAT_EVENTS } from '../chat-events';
import { ChatConnectionRecord } from '../schemas/chat-connection.record';
import { ChatMessageRecord } from '../schemas/chat-message.record';
import { ChatWorkPartitionService } from './chat-work-partition.service';
import { type ChatSubscription, isChatEvent, isChatSubscribed } from './chat-subscription';
import { type DigestSchedule, getDigestDueAt } from './digest-schedule';

type SubscribedConnection = ChatSubscription & DigestSchedule & Pick<ChatConnectionRecord, '_id' | 'workspaceId'>;
type NewMessage = Omit<ChatMessageRecord, 'dueAt'> & { dueAt: Date };

const SUBSCRIBER_FIELDS = {
  workspaceId: 1,
  enabled: 1,
  events: 1,
  campaignIds: 1,
  createdAt: 1,
  mode: 1,
  everyMinutes: 1,
  timeOfDay: 1,
  timezone: 1,
} as const;
const WORKER = 'the worker relays the events of all workspaces';

/** Creates a message of each event to which the chat of its workspace is subscribed. */
@Injectable()
@Listens(EVENT_SUBSCRIBERS)
export class ChatEventListener implements EventSubscriber {
  readonly name = 'chat';
  readonly types = new Set(CHAT_EVENTS);

  constructor(
    @InjectModel(ChatConnectionRecord.name) private readonly connections: Model<ChatConnectionRecord>,
    @InjectModel(ChatMessageRecord.name) private readonly messages: Model<ChatMessageRecord>,
    private readonly partitions: ChatWorkPartitionService,
    private readonly clock: ClockPort,
  ) {}

  /** Messages are posted in the order in which their events happened. */
  async handle(events: readonly EventRecord[]): Promise<void> {
    const listeners = await this.connections
      .find({ workspaceId: { $in: listWorkspaceIds(events) }, enabled: true }, SUBSCRIBER_FIELDS)
      .setOptions({ allWorkspaces: WORKER })
      .lean<SubscribedConnection[]>();
    const byWorkspace = new Map(listeners.map((listener) => [listener.workspaceId.toHexString(), listener]));
    const now = this.clock.now();
    const made = events
      .toSorted((one, other) => one.at.getTime() - other.at.getTime())
      .flatMap((event) => toNewMessages(event, byWorkspace.get(event.workspaceId.toHexString()), now));
    const fresh = await this.#filterNew(made);
    if (fresh.length === 0) return;
    await rerunOnWriteConflict(() => this.messages.insertMany(fresh, { lean: true, timestamps: false }));
    await this.partitions.schedule([...groupByEarliest(fresh).values()]);
  }

  async afterCommit(events: readonly EventRecord[]): Promise<void> {
    await this.partitions.enqueue(listWorkspaceIds(events));
  }

  /** A transaction that is retried for a duplicate finds the message here. */
  async #filterNew(made: readonly NewMessage[]): Promise<NewMessage[]> {
    if (made.length === 0) return [];
    const known = await this.messages
      .find(
        { workspaceId: { $in: made.map((one) => one.workspaceId) }, eventId: { $in: made.map((one) => one.eventId) } },
        { eventId: 1 },
      )
      .setOptions({ allWorkspaces: WORKER })
      .lean<Pick<ChatMessageRecord, 'eventId'>[]>();
    const ids = new Set(known.map(({ eventId }) => eventId.toHexString()));
    return made.filter(({ eventId }) => !ids.has(eventId.toHexString()));
  }
}

function toNewMessages(event: EventRecord, listener: SubscribedConnection | undefined, now: Date): NewMessage[] {
  const { _id: eventId, workspaceId, type } = event;
  if (!listener || !isChatEvent(type) || !isChatSubscribed(listener, event)) return [];
  return [
    {
      _id: new Types.ObjectId(),
      workspaceId,
      connectionId: listener._id,
      eventId,
      event: type,
      state: 'waiting',
      dueAt: getDigestDueAt(listener, now),
      postId: null,
      attempts: 0,
      reason: null,
      postedAt: null,
      owned: false,
      createdAt: now,
    },
  ];
}

/** The earliest due time of each connection. */
function groupByEarliest(messages: readonly NewMessage[]) {
  const plans = new Map<string, { workspaceId: Types.ObjectId; connectionId: Types.ObjectId; at: Date }>();
  for (const { workspaceId, connectionId, dueAt: at } of messages) {
    const known = plans.get(connectionId.toHexString());
    if (!known || at < known.at) plans.set(connectionId.toHexString(), { workspaceId, connectionId, at });
  }
  return plans;
}

function listWorkspaceIds(events: readonly EventRecord[]): Types.ObjectId[] {
  return [...new Map(events.map(({ workspaceId }) => [workspaceId.toHexString(), workspaceId])).values()];
}
