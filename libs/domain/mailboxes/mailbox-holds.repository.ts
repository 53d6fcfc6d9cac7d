import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { parseId, TransactionService } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { MailboxRecord } from './schemas/mailbox.record';

/** For higher domains that write down which mailboxes they work with. */
@Injectable()
export class MailboxHoldsRepository {
  constructor(
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Which of these mailboxes there are. Call it in the transaction that writes them down: the records are written to, so
   * that of it and a deletion of one of them one is run again and sees the other.
   * @returns ids of the workspace's own mailboxes; an unknown id, a malformed one and another workspace's is left out
   */
  async lockReferences(
    { workspaceId }: Pick<WorkspaceScope, 'workspaceId'>,
    mailboxIds: readonly string[],
  ): Promise<Map<string, Types.ObjectId>> {
    const ids = mailboxIds.map(parseId).filter((id) => id !== null);
    if (ids.length === 0) return new Map();
    return this.transactions.run(async () => {
      const mailboxes = { workspaceId, _id: { $in: ids } };
      await this.mailboxes.updateMany(mailboxes, { $inc: { holds: 1 } }, { timestamps: false });
      const found = await this.mailboxes.find(mailboxes, { _id: 1 }).lean<Pick<MailboxRecord, '_id'>[]>();
      return new Map(found.map(({ _id }) => [_id.toHexString(), _id]));
    });
  }
}
