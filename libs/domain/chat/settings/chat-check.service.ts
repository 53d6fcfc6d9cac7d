import { ChatPort, ChatError, type ChatMessage } from '@adapters/chat';
import { type WorkspaceScope } from '@domain/access';
import { checkIdle, IDLE_MS } from '@domain/oauth';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { notFound } from '@platform/errors';
import { LogService } from '@platform/observability';
import { type Model } from 'mongoose';
import { ChatConnectionRecord } from '../schemas/chat-connection.record';
import { chatNotConnected } from '../chat.errors';
import { ChatWorkPartitionService } from '../delivery/chat-work-partition.service';
import { type SlackTestResponse } from '../dto/chat-message.dto';
import { ChatConnectionRepository } from './chat-connection.repository';
import { ChatChannelsService } from './chat-channels.service';

const GREETING: ChatMessage = {
  summary: 'A test: messages arrive here',
  parts: [
    { kind: 'heading', text: 'A test' },
    { kind: 'paragraph', runs: ['Messages about campaigns, replies and mailboxes arrive in this channel.'] },
  ],
};

/** Checks chat connections: idle ones without a post, and on request with a test message. */
@Injectable()
export class ChatCheckService {
  constructor(
    @InjectModel(ChatConnectionRecord.name) private readonly connections: Model<ChatConnectionRecord>,
    private readonly repository: ChatConnectionRepository,
    private readonly channels: ChatChannelsService,
    private readonly chat: ChatPort,
    private readonly clock: ClockPort,
    private readonly log: LogService,
    private readonly partitions: ChatWorkPartitionService,
    private readonly transactions: TransactionService,
  ) {}

  /** Finds revoked access before a message is due. An unavailable vendor is asked again at the next run. */
  async checkIdle(signal: AbortSignal): Promise<void> {
    await checkIdle(this.connections, this.clock.in(-IDLE_MS), signal, async (connection) => {
      await this.#check(connection, signal).catch((error: unknown) => {
        const connectionId = connection._id.toHexString();
        if (!signal.aborted) this.log.error('A chat connection could not be checked', error, { connectionId });
      });
    });
  }

  /**
   * Posts a test message. A disconnected chat that accepts it is connected again.
   * @throws NOT_FOUND when nothing is connected, CHAT_NOT_CONNECTED without a channel, ChatError when it is rejected
   */
  async test(workspace: WorkspaceScope): Promise<SlackTestResponse> {
    const connection = await this.repository.find(workspace.workspaceId);
    if (!connection) throw notFound('Integration');
    const target = this.repository.target(connection);
    if (target === null) throw chatNotConnected('No channel is chosen: set channelId at PUT /v1/integrations/slack');
    try {
      await this.chat.post(target, GREETING);
    } catch (error) {
      if (error instanceof ChatError && error.failure === 'needs-human')
        await this.repository.markFailed(connection, error);
      throw error;
    }
    if (connection.status === 'disconnected') {
      await this.transactions.run(() => this.repository.save(workspace, connection, { isReached: true }));
      await this.partitions.enqueue([workspace.workspaceId]);
    }
    return { posted: true };
  }

  async #check(connection: ChatConnectionRecord, signal: AbortSignal): Promise<void> {
    try {
      await this.#verify(connection, signal);
      await this.repository.markAuthorized(connection);
    } catch (error) {
      if (!(error instanceof ChatError)) throw error;
      if (error.failure === 'needs-human') await this.repository.markFailed(connection, error);
    }
  }

  /** @throws ChatError when a post would fail */
  async #verify(connection: ChatConnectionRecord, signal: AbortSignal): Promise<void> {
    const secret = this.repository.secret(connection);
    const { authMethod, channel } = connection;
    if (authMethod === 'webhook') await this.chat.checkWebhook(secret, signal);
    else if (channel === null) await this.chat.team(secret, signal);
    else await this.channels.requireOpenChannel(secret, channel.id, signal);
  }
}
