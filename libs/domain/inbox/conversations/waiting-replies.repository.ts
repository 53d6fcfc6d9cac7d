import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type Types } from 'mongoose';
import { ConversationRecord } from '../schemas/conversation.record';

/** Answers that a person should look at. */
@Injectable()
export class WaitingRepliesRepository {
  constructor(@InjectModel(ConversationRecord.name) private readonly conversations: Model<ConversationRecord>) {}

  /**
   * Conversations with leads whose positive answer nobody has looked at; counted up to `limit`.
   * @param campaignIds those of these; null: all of the workspace
   */
  async positive(workspaceId: string, campaignIds: readonly Types.ObjectId[] | null, limit: number): Promise<number> {
    return this.conversations
      .countDocuments({
        workspaceId,
        tracked: true,
        unread: true,
        label: 'positive',
        ...(campaignIds && { campaignId: { $in: [...campaignIds] } }),
      })
      .limit(limit);
  }
}
