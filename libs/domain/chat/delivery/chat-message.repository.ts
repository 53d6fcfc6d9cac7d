import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Model, Types } from 'mongoose';
import { type ChatEvent } from '../chat-events';
import { type ChatConnectionRecord } from '../schemas/chat-connection.record';
import { ChatMessageRecord } from '../schemas/chat-message.record';
import { type DueMessage } from './next-post';
import { isRetryExpired, type PostOutcome } from './post-outcome';

/** Messages that go into one post at most. */
const MAX_MESSAGES_PER_POST = 1_000;
/** For so long messages wait for a chat that does not let us in, or is switched off. */
export const MAX_WAIT_MS = 7 * 86_400_000;

/** The first moment that the index of what is due holds. */
const FIRST = new Date(1);
const DUE = { eventId: 1, event: 1, createdAt: 1, attempts: 1, firstTriedAt: 1 } as const;

/** Nothing is due any more. */
const UNSCHEDULE = { $unset: { dueAt: 1 } } as const;

type Connection = Pick<ChatConnectionRecord, '_id' | 'workspaceId'>;

/** Messages on their way into one channel. Only whoever holds the connection's lane changes their state. */
@Injectable()
export class ChatMessageRepository {
  constructor(
    @InjectModel(ChatMessageRecord.name) private readonly messages: Model<ChatMessageRecord>,
    private readonly clock: ClockPort,
  ) {}

  /** What a worker left on its way that died: nobody knows whether it arrived, and it is not posted again. */
  async markInterrupted(connection: Connection): Promise<void> {
    await this.messages.updateMany(
      { ...getConnectionFilter(connection), state: 'posting' },
      { $set: { state: 'unknown', reason: 'interrupted' }, ...UNSCHEDULE },
    );
  }

  /** Gives up what has waited for too long. */
  async dropExpired(connection: Connection): Promise<void> {
    await this.messages.updateMany(
      { ...getConnectionFilter(connection), state: 'waiting', createdAt: { $lte: this.clock.in(-MAX_WAIT_MS) } },
      { $set: { state: 'failed', reason: 'held_too_long' }, ...UNSCHEDULE },
    );
  }

  /** In the order in which they are told. */
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

  /** When the next one is due, in the past if it is by now; null when none is. */
  async nextAt(connection: Connection): Promise<Date | null> {
    const next = await this.messages
      .findOne({ ...getConnectionFilter(connection), state: 'waiting', dueAt: { $gte: FIRST } }, { dueAt: 1 })
      .sort({ dueAt: 1, _id: 1 })
      .lean<Pick<ChatMessageRecord, 'dueAt'>>();
    return next?.dueAt ?? null;
  }

  /** When the one that has waited longest is given up; null when none waits. */
  async expiresAt(connection: Connection): Promise<Date | null> {
    const oldest = await this.messages
      .findOne({ ...getConnectionFilter(connection), state: 'waiting' }, { createdAt: 1 })
      .sort({ createdAt: 1, _id: 1 })
      .lean<Pick<ChatMessageRecord, 'createdAt'>>();
    return oldest && new Date(oldest.createdAt.getTime() + MAX_WAIT_MS);
  }

  /** How many of each event may be missing in the channel, without that a later post has said so. */
  async countUnconfirmed(connection: Connection): Promise<Map<ChatEvent, number>> {
    const found = await this.messages.aggregate<{ _id: ChatEvent; count: number }>([
      { $match: { ...getConnectionFilter(connection), state: 'unknown', owned: false } },
      { $group: { _id: '$event', count: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ]);
    return new Map(found.map(({ _id, count }) => [_id, count]));
  }

  /** Marks messages as on their way; the id of the post, null when somebody has removed some of them. */
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

  /** Nothing is known any more of what these were to tell. */
  async drop(connection: Connection, messages: readonly DueMessage[]): Promise<void> {
    await this.messages.updateMany(
      { ...getConnectionFilter(connection), _id: { $in: messages.map(({ _id }) => _id) }, state: 'waiting' },
      { $set: { state: 'failed', reason: 'event_gone' }, ...UNSCHEDULE },
    );
  }

  /** Writes down what became of a post. Joins a running transaction. */
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
      const given = { $set: { state: 'failed' as const, reason }, ...UNSCHEDULE, ...tried };
      await this.messages.updateMany({ ...where, _id: { $in: over } }, given);
    }
    // When it was due stays as it was: so does its place in the line.
    const again = { state: 'waiting' as const, postId: null, reason };
    await this.messages.updateMany(where, { $set: again, ...tried });
  }

  /** A post that arrived has said what may be missing. */
  async #markAcknowledged(connection: Connection, until: Date): Promise<void> {
    await this.messages.updateMany(
      { ...getConnectionFilter(connection), state: 'unknown', owned: false, createdAt: { $lte: until } },
      { $set: { owned: true } },
    );
  }

  /** What waits is told by another rhythm from now on. Joins a running transaction. */
  async reschedule(connection: Connection, at: Date): Promise<void> {
    await this.messages.updateMany({ ...getConnectionFilter(connection), state: 'waiting' }, { $set: { dueAt: at } });
  }

  /** Forgets all of a connection that is gone. */
  async removeAll(connection: Connection): Promise<void> {
    await this.messages.deleteMany(getConnectionFilter(connection));
  }
}

function getConnectionFilter({ _id, workspaceId }: Connection) {
  return { workspaceId, connectionId: _id };
}
