import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Model, Types } from 'mongoose';
import { type ChatEvent } from '../chat-events';
import { type ChatConnectionRecord } from '../schemas/chat-connection.record';
import { ChatMessageRecord } from '../schemas/chat-message.record';
import { type DueMessage } from './next-post';
import { isRetryExpired, type PostOutcome } from './post-outcome';

/** Maximum number of messages in one post. */
const MAX_MESSAGES_PER_POST = 1_000;
/** How long messages wait for a chat that is disconnected or switched off. */
export const MAX_WAIT_MS = 7 * 86_400_000;

/** The earliest time in the index of due messages. */
const FIRST = new Date(1);
const DUE = { eventId: 1, event: 1, createdAt: 1, attempts: 1, firstTriedAt: 1 } as const;

/** Takes the message out of the due ones. */
const UNSCHEDULE = { $unset: { dueAt: 1 } } as const;

type Connection = Pick<ChatConnectionRecord, '_id' | 'workspaceId'>;

/** Messages of a channel. Only the holder of the connection's lease changes their state. */
@Injectable()
export class ChatMessageRepository {
  constructor(
    @InjectModel(ChatMessageRecord.name) private readonly messages: Model<ChatMessageRecord>,
    private readonly clock: ClockPort,
  ) {}

  /** Marks posts that a crashed worker left: their outcome is unknown, and they are not posted again. */
  async markInterrupted(connection: Connection): Promise<void> {
    await this.messages.updateMany(
      { ...getConnectionFilter(connection), state: 'posting' },
      { $set: { state: 'unknown', reason: 'interrupted' }, ...UNSCHEDULE },
    );
  }

  /** Fails messages that waited too long. */
  async dropExpired(connection: Connection): Promise<void> {
    await this.messages.updateMany(
      { ...getConnectionFilter(connection), state: 'waiting', createdAt: { $lte: this.clock.in(-MAX_WAIT_MS) } },
      { $set: { state: 'failed', reason: 'held_too_long' }, ...UNSCHEDULE },
    );
  }

  /** Due messages in posting order. */
  async due(connection: Connection): Promise<DueMessage[]> {
    return this.messages
      .find(
        { ...getConnectionFilter(connection), state: 'waiting', dueAt: { $gte: FIRST, $lte: this.clock.now() } },
        DUE,
      )
      .sort({ dueAt: 1, _id: 1 })
      .limit(MAX_MESSAGES_PER_POST)
      .lean<DueMessage[]>();
  }

  /** When the next message is due, possibly in the past; null without one. */
  async nextAt(connection: Connection): Promise<Date | null> {
    const next = await this.messages
      .findOne({ ...getConnectionFilter(connection), state: 'waiting', dueAt: { $gte: FIRST } }, { dueAt: 1 })
      .sort({ dueAt: 1, _id: 1 })
      .lean<Pick<ChatMessageRecord, 'dueAt'>>();
    return next?.dueAt ?? null;
  }

  /** When the oldest waiting message expires; null without one. */
  async expiresAt(connection: Connection): Promise<Date | null> {
    const oldest = await this.messages
      .findOne({ ...getConnectionFilter(connection), state: 'waiting' }, { createdAt: 1 })
      .sort({ createdAt: 1, _id: 1 })
      .lean<Pick<ChatMessageRecord, 'createdAt'>>();
    return oldest && new Date(oldest.createdAt.getTime() + MAX_WAIT_MS);
  }

  /** Counts the messages of unknown outcome that no later post has mentioned, by event. */
  async countUnconfirmed(connection: Connection): Promise<Map<ChatEvent, number>> {
    const found = await this.messages.aggregate<{ _id: ChatEvent; count: number }>([
      { $match: { ...getConnectionFilter(connection), state: 'unknown', owned: false } },
      { $group: { _id: '$event', count: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ]);
    return new Map(found.map(({ _id, count }) => [_id, count]));
  }

  /** Claims messages for a post and returns its id; null when some of them were removed meanwhile. */
  async claim(connection: Connection, messages: readonly DueMessage[]): Promise<Types.ObjectId | null> {
    const postId = new Types.ObjectId();
    const ids = messages.map(({ _id }) => _id);
    const { modifiedCount } = await this.messages.updateMany(
      { ...getConnectionFilter(connection), _id: { $in: ids }, state: 'waiting' },
      { $set: { state: 'posting', postId } },
    );
    if (modifiedCount === ids.length) return postId;
    await this.messages.updateMany(
      { ...getConnectionFilter(connection), postId, state: 'posting' },
      { $set: { state: 'waiting', postId: null } },
    );
    return null;
  }

  /** Fails messages whose events were erased. */
  async drop(connection: Connection, messages: readonly DueMessage[]): Promise<void> {
    await this.messages.updateMany(
      { ...getConnectionFilter(connection), _id: { $in: messages.map(({ _id }) => _id) }, state: 'waiting' },
      { $set: { state: 'failed', reason: 'event_gone' }, ...UNSCHEDULE },
    );
  }

  /** Records the outcome of a post. Joins a running transaction. */
  async record(
    connection: Connection,
    post: { readonly postId: Types.ObjectId; readonly messages: readonly DueMessage[] },
    { state, reason }: { readonly state: PostOutcome['state']; readonly reason: string | null },
  ): Promise<void> {
    const { postId, messages } = post;
    const now = this.clock.now();
    const where = { ...getConnectionFilter(connection), postId, state: 'posting' as const };
    const tried = { $inc: { attempts: 1 }, $min: { firstTriedAt: now } };
    if (state !== 'waiting') {
      const postedAt = state === 'posted' ? now : null;
      await this.messages.updateMany(where, { $set: { state, reason, postedAt }, ...UNSCHEDULE, ...tried });
      if (state === 'posted') await this.#markAcknowledged(connection, now);
      return;
    }
    const over = messages.filter((message) => isRetryExpired(message, now)).map(({ _id }) => _id);
    if (over.length > 0) {
      const failure = { $set: { state: 'failed' as const, reason }, ...UNSCHEDULE, ...tried };
      await this.messages.updateMany({ ...where, _id: { $in: over } }, failure);
    }
    // `dueAt` stays, and so does the position in the queue.
    const again = { state: 'waiting' as const, postId: null, reason };
    await this.messages.updateMany(where, { $set: again, ...tried });
  }

  /** A successful post has mentioned the messages of unknown outcome. */
  async #markAcknowledged(connection: Connection, until: Date): Promise<void> {
    await this.messages.updateMany(
      { ...getConnectionFilter(connection), state: 'unknown', owned: false, createdAt: { $lte: until } },
      { $set: { owned: true } },
    );
  }

  /** Reschedules the waiting messages. Joins a running transaction. */
  async reschedule(connection: Connection, at: Date): Promise<void> {
    await this.messages.updateMany({ ...getConnectionFilter(connection), state: 'waiting' }, { $set: { dueAt: at } });
  }

  /** Removes all messages of a deleted connection. */
  async removeAll(connection: Connection): Promise<void> {
    await this.messages.deleteMany(getConnectionFilter(connection));
  }
}

function getConnectionFilter({ _id, workspaceId }: Connection) {
  return { workspaceId, connectionId: _id };
}
