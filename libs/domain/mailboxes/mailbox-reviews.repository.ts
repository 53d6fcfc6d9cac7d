import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type Types } from 'mongoose';
import { MailboxRecord } from './schemas/mailbox.record';

const REVIEWED = { email: 1, status: 1, connection: 1, sendingEnabled: 1, dailySendLimit: 1, setup: 1, 'warmup.status': 1 } as const; // prettier-ignore

/** What of a mailbox tells how it stands. */
export type ReviewedMailbox = Pick<
  MailboxRecord,
  '_id' | 'email' | 'status' | 'connection' | 'sendingEnabled' | 'dailySendLimit' | 'setup'
> & { readonly warmup: Pick<MailboxRecord['warmup'], 'status'> };

/** All mailboxes of a workspace one after the other, however many there are, for whoever sums up how they stand. */
@Injectable()
export class MailboxReviewsRepository {
  constructor(@InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>) {}

  /**
   * So many at once, in no order.
   * @param only those of these; null: all of the workspace
   */
  async *batches(
    workspaceId: string,
    only: readonly Types.ObjectId[] | null,
    size: number,
  ): AsyncGenerator<ReviewedMailbox[]> {
    const found = this.mailboxes
      .find({ workspaceId, ...(only && { _id: { $in: [...only] } }) }, REVIEWED)
      .lean<ReviewedMailbox[]>()
      .cursor({ batchSize: size });
    let batch: ReviewedMailbox[] = [];
    for await (const mailbox of found as AsyncIterable<ReviewedMailbox>) {
      batch.push(mailbox);
      if (batch.length < size) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }
}
