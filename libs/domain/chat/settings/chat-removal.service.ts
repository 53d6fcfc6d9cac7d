import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { type MessageResponse } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { notFound } from '@platform/errors';
import { type Model } from 'mongoose';
import { ChatWorkPartitionService } from '../delivery/chat-work-partition.service';
import { ChatMessageRepository } from '../delivery/chat-message.repository';
import { ChatConnectionRecord } from '../schemas/chat-connection.record';
import { ChatReachService } from './chat-reach.service';

/** Forgets the chat of a workspace. */
@Injectable()
export class ChatRemovalService {
  constructor(
    @InjectModel(ChatConnectionRecord.name) private readonly connections: Model<ChatConnectionRecord>,
    private readonly lanes: ChatWorkPartitionService,
    private readonly posts: ChatMessageRepository,
    private readonly reach: ChatReachService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * With its secret, settings and messages; what is in the channel stays there. The token is given back to Slack. What a process that
   * dies on the way leaves of the messages is found by nobody, and goes with its 30 days.
   * @throws NOT_FOUND when nothing is connected
   */
  async remove(workspace: WorkspaceScope): Promise<MessageResponse> {
    const removed = await this.transactions.run(async () => {
      const { workspaceId } = workspace;
      const before = await this.connections.findOneAndDelete({ workspaceId }).lean<ChatConnectionRecord>();
      if (!before) throw notFound('Integration');
      await this.lanes.remove(before.workspaceId, before._id);
      await this.audit.record(workspace, {
        action: 'integration.removed',
        target: { type: 'integration', id: before._id.toHexString() },
      });
      return before;
    });
    await this.posts.forget(removed);
    await this.reach.revoke(removed);
    return { message: 'Integration removed' };
  }
}
