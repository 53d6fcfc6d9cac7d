import { ChatError, ChatPort, type ChatTarget } from '@adapters/chat';
import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { Types } from 'mongoose';
import { type ChatConnectionRecord } from '../schemas/chat-connection.record';
import { ChatConnectionRepository } from '../settings/chat-connection.repository';
import { ChatMessageFormatterService } from '../formatting/chat-message-formatter.service';
import { type RunChatPartition } from './chat-work.queue';
import { type ChatPartitionLease, ChatWorkPartitionService } from './chat-work-partition.service';
import { ChatMessageRepository } from './chat-message.repository';
import { nextPost } from './next-post';
import { getOutcome } from './post-outcome';

/** How soon is looked again whether a workspace that was deleted is there again. */
const DELETED_MS = 600_000;

/**
 * Tells a channel what is due: one worker at a time, one post in a turn, the next one when the channel takes another. A post that
 * was begun is waited for, at the end of a process as well: whether it arrived is never left open without need.
 */
@Injectable()
export class ChatDeliveryService {
  constructor(
    private readonly lanes: ChatWorkPartitionService,
    private readonly posts: ChatMessageRepository,
    private readonly connections: ChatConnectionRepository,
    private readonly letters: ChatMessageFormatterService,
    private readonly chat: ChatPort,
    private readonly workspaces: WorkspaceRepository,
    private readonly clock: ClockPort,
  ) {}

  /** Without effect while another worker posts for it. */
  async run({ connectionId }: RunChatPartition, signal: AbortSignal): Promise<void> {
    const lane = await this.lanes.acquire(connectionId);
    if (!lane) return;
    await this.lanes.complete(lane, await this.#turn(lane, signal));
  }

  /** @returns when the next one is due; null when nothing is */
  async #turn(lane: ChatPartitionLease, signal: AbortSignal): Promise<Date | null> {
    const { workspaceId, connectionId } = lane;
    // It may be restored; what waits goes on then.
    if (!(await this.workspaces.filterAlive([workspaceId])).has(workspaceId)) return this.clock.in(DELETED_MS);
    const connection = await this.connections.find(workspaceId);
    if (!connection?._id.equals(connectionId)) return this.#forget(lane);
    await this.posts.settle(connection);
    await this.posts.dropHeld(connection);
    const target = this.connections.target(connection);
    if (target === null || !connection.enabled || connection.status !== 'connected') {
      return this.posts.heldUntil(connection);
    }
    if (!isResting(connection, this.clock.now()) && !signal.aborted) await this.#post(lane, connection, target);
    return this.#nextAt(workspaceId);
  }

  /** What an event left behind that was handed on while the connection was removed. */
  async #forget({ workspaceId, connectionId }: ChatPartitionLease): Promise<null> {
    const gone = { workspaceId: new Types.ObjectId(workspaceId), _id: new Types.ObjectId(connectionId) };
    await this.posts.forget(gone);
    await this.lanes.remove(gone.workspaceId, gone._id);
    return null;
  }

  async #post(lane: ChatPartitionLease, connection: ChatConnectionRecord, target: ChatTarget): Promise<void> {
    const due = await this.posts.due(connection);
    if (due.length === 0) return;
    const next = nextPost(connection, due);
    const message = await this.letters.of(connection, next, await this.posts.lost(connection));
    if (message === null) {
      await this.posts.drop(connection, next.messages);
      return;
    }
    // From the claim to the end of the post nobody else may take the lane.
    if (!(await this.lanes.renew(lane))) return;
    const postId = await this.posts.claim(connection, next.messages);
    if (postId === null) return;
    const error = await this.#failure(this.chat.post(target, message));
    const outcome = getOutcome(error, connection.failures, Math.random());
    await this.connections.recordPost(connection, outcome, error, () =>
      this.posts.record(
        connection,
        { postId, messages: next.messages },
        { state: outcome.state, reason: error?.word ?? null },
      ),
    );
  }

  async #failure(posting: Promise<void>): Promise<ChatError | null> {
    try {
      await posting;
      return null;
    } catch (error) {
      // A fault of our own: what is on its way is settled by the next turn.
      if (error instanceof ChatError) return error;
      throw error;
    }
  }

  /** By what is on record now: a post may have ended the connection, and a person may have changed it. */
  async #nextAt(workspaceId: string): Promise<Date | null> {
    const connection = await this.connections.find(workspaceId);
    if (!connection) return null;
    if (connection.status !== 'connected' || !connection.enabled) return this.posts.heldUntil(connection);
    const next = await this.posts.nextAt(connection);
    const { restUntil } = connection;
    return next && restUntil && restUntil > next ? restUntil : next;
  }
}

function isResting({ restUntil }: Pick<ChatConnectionRecord, 'restUntil'>, now: Date): boolean {
  return restUntil !== null && restUntil > now;
}
