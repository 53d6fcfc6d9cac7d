import { ChatPort, ChatError, type ChatMessage } from '@adapters/chat';
import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { TransactionService } from '@platform/database';
import { notFound } from '@platform/errors';
import { chatNotConnected } from '../chat.errors';
import { ChatWorkPartitionService } from '../delivery/chat-work-partition.service';
import { type SlackTestResponse } from '../dto/chat-message.dto';
import { ChatConnectionRepository } from './chat-connection.repository';
import { ChatConnectionWriteService } from './chat-connection-write.service';

const GREETING: ChatMessage = {
  summary: 'A test: messages arrive here',
  parts: [
    { kind: 'heading', text: 'A test' },
    { kind: 'paragraph', runs: ['Messages about campaigns, replies and mailboxes arrive in this channel.'] },
  ],
};

/** Posts a message that says nothing, to show that messages arrive. */
@Injectable()
export class ChatTestService {
  constructor(
    private readonly chat: ChatPort,
    private readonly connections: ChatConnectionRepository,
    private readonly keeping: ChatConnectionWriteService,
    private readonly lanes: ChatWorkPartitionService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Also the way to say that something was mended at Slack: a chat that takes the message is connected again.
   * @throws NOT_FOUND when nothing is connected, CHAT_NOT_CONNECTED without a channel, ChatError when it is not taken
   */
  async run(workspace: WorkspaceScope): Promise<SlackTestResponse> {
    const connection = await this.connections.find(workspace.workspaceId);
    if (!connection) throw notFound('Integration');
    const target = this.connections.target(connection);
    if (target === null) throw chatNotConnected('No channel is chosen: set channelId at PUT /v1/integrations/slack');
    try {
      await this.chat.post(target, GREETING);
    } catch (error) {
      if (error instanceof ChatError && error.failure === 'needs-human')
        await this.connections.failed(connection, error);
      throw error;
    }
    if (connection.status === 'disconnected') {
      await this.transactions.run(() => this.keeping.save(workspace, connection, { isReached: true }));
      await this.lanes.enqueue([workspace.workspaceId]);
    }
    return { posted: true };
  }
}
