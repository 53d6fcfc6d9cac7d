import { ChatError, ChatPort, type ChatTarget } from '@adapters/chat';
import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { type RunWorkPartition, type WorkPartitionLease } from '@platform/work-partitions';
import { Types } from 'mongoose';
import { type ChatConnectionRecord } from '../schemas/chat-connection.record';
import { ChatConnectionRepository } from '../settings/chat-connection.repository';
import { ChatMessagesService } from './chat-messages.service';
import { ChatWorkPartitionService } from './chat-work-partition.service';
import { ChatMessageRepository } from './chat-message.repository';
import { getNextPost } from './next-post';
import { decidePostOutcome } from './post-outcome';

/** How soon a deleted workspace is checked again: it may be restored. */
const DELETED_WORKSPACE_RETRY_MS = 600_000;

/**
 * Posts the due messages of a channel: one worker at a time, one post per run, the next after the cooldown. A started
 * post is awaited even at shutdown, so that its outcome becomes known.
 */
@Injectable()
export class ChatDeliveryService {
  constructor(
    private readonly partitions: ChatWorkPartitionService,
    private readonly posts: ChatMessageRepository,
    private readonly connections: ChatConnectionRepository,
    private readonly formatter: ChatMessagesService,
    private readonly chat: ChatPort,
    private readonly workspaces: WorkspaceRepository,
    private readonly clock: ClockPort,
  ) {}

  /** No effect while another worker holds the lease. */
  async run({ partitionId }: RunWorkPartition, stopping: AbortSignal): Promise<void> {
    await this.partitions.run(partitionId, stopping, (lease, signal) => this.#runOnce(lease, signal));
  }

  /** @returns when the next message is due; null when none is */
  async #runOnce(lease: WorkPartitionLease, signal: AbortSignal): Promise<Date | null> {
    const { workspaceId, partitionId: connectionId } = lease;
    // It may be restored; waiting work then continues.
    if (!(await this.workspaces.filterAlive([workspaceId])).has(workspaceId))
      return this.clock.in(DELETED_WORKSPACE_RETRY_MS);
    const connection = await this.connections.find(workspaceId);
    if (!connection?._id.equals(connectionId)) return this.#removeOrphans(lease);
    await this.posts.markInterrupted(connection);
    await this.posts.dropExpired(connection);
    const target = this.connections.target(connection);
    if (target === null || !connection.enabled || connection.status !== 'connected') {
      return this.posts.expiresAt(connection);
    }
    if (!isResting(connection, this.clock.now()) && !signal.aborted) await this.#post(lease, connection, target);
    return this.#nextAt(workspaceId);
  }

  /** Removes what an event relayed during the removal of the connection left behind. */
  async #removeOrphans({ workspaceId, partitionId }: WorkPartitionLease): Promise<null> {
    const connection = { workspaceId: new Types.ObjectId(workspaceId), _id: new Types.ObjectId(partitionId) };
    await this.posts.removeAll(connection);
    await this.partitions.remove(connection.workspaceId, connection._id);
    return null;
  }

  async #post(lease: WorkPartitionLease, connection: ChatConnectionRecord, target: ChatTarget): Promise<void> {
    const due = await this.posts.due(connection);
    if (due.length === 0) return;
    const next = getNextPost(connection, due);
    const message = await this.formatter.compose(connection, next, await this.posts.countUnconfirmed(connection));
    if (message === null) {
      await this.posts.drop(connection, next.messages);
      return;
    }
    // No other worker may hold the lease between the claim and the end of the post.
    if (!(await this.partitions.renew(lease))) return;
    const postId = await this.posts.claim(connection, next.messages);
    if (postId === null) return;
    const error = await this.#postAndCatch(this.chat.post(target, message));
    const outcome = decidePostOutcome(error, connection.failures, Math.random());
    await this.connections.recordPost(connection, outcome, error, () =>
      this.posts.record(
        connection,
        { postId, messages: next.messages },
        { state: outcome.state, reason: error?.vendorCode ?? null },
      ),
    );
  }

  async #postAndCatch(posting: Promise<void>): Promise<ChatError | null> {
    try {
      await posting;
      return null;
    } catch (error) {
      // Any other error is a bug here: the next run marks the post as interrupted.
      if (error instanceof ChatError) return error;
      throw error;
    }
  }

  /** Reads the connection again: the post may have disconnected it, and a person may have changed it. */
  async #nextAt(workspaceId: string): Promise<Date | null> {
    const connection = await this.connections.find(workspaceId);
    if (!connection) return null;
    if (connection.status !== 'connected' || !connection.enabled) return this.posts.expiresAt(connection);
    const next = await this.posts.nextAt(connection);
    const { cooldownUntil } = connection;
    return next && cooldownUntil && cooldownUntil > next ? cooldownUntil : next;
  }
}

function isResting({ cooldownUntil }: Pick<ChatConnectionRecord, 'cooldownUntil'>, now: Date): boolean {
  return cooldownUntil !== null && cooldownUntil > now;
}
