import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { InboxReplyRecord } from '../schemas/inbox-reply.record';
import { WAITING } from './reply-states';

/** What is told of a reply that nobody sends any more. */
const MAY_BE_SENT =
  'The database was restored from a backup in which this reply was still to be sent: it may have been. Look into the mailbox before writing it again';

/** Replies of which it is not known whether they were sent: those of a database that was restored. */
@Injectable()
export class ReplyDoubtsRepository {
  constructor(@InjectModel(InboxReplyRecord.name) private readonly replies: Model<InboxReplyRecord>) {}

  /**
   * Cancels what waits in the workspace, for a person to look at, and takes what was claimed to have reached its server: it
   * is looked for by its Message-ID. What was written after `until` was written here, and is sent.
   * @returns how many
   */
  async setAside(workspaceId: string, until: Date): Promise<{ cancelled: number; lookedFor: number }> {
    const cancelled = await this.replies.updateMany(
      { workspaceId, state: { $in: WAITING }, createdAt: { $lte: until } },
      { $set: { state: 'cancelled', reason: MAY_BE_SENT } },
    );
    const claimed = await this.replies.updateMany(
      { workspaceId, state: 'claimed' },
      [{ $set: { state: 'wire', wireAt: '$claimedAt' } }],
      { updatePipeline: true },
    );
    return { cancelled: cancelled.modifiedCount, lookedFor: claimed.modifiedCount };
  }
}
