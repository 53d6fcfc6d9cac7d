import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { type Model, Types } from 'mongoose';
import { MailboxDayRecord } from './schemas/mailbox-day.record';
import { MailboxRecord } from './schemas/mailbox.record';

const TOTALS = ['totalSent', 'totalReceived', 'totalBounced'] as const;
export type MailboxTotal = (typeof TOTALS)[number];
type Sums = Record<MailboxTotal, number>;

/** A total of a mailbox that is not the sum of its days. */
export interface TotalDifference {
  readonly mailboxId: string;
  readonly total: MailboxTotal;
  readonly is: number;
  readonly shouldBe: number;
}

/** The totals of mailboxes, which are the sums of their days. */
@Injectable()
export class MailboxTotalsService {
  constructor(
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    @InjectModel(MailboxDayRecord.name) private readonly days: Model<MailboxDayRecord>,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Adds up the days of every mailbox of the workspace.
   * @param isCheck nothing is written
   * @returns what differed
   */
  async rebuildTotals(workspaceId: string, { isCheck }: { isCheck: boolean }): Promise<TotalDifference[]> {
    return this.transactions.run(async () => {
      const sums = await this.#sums(workspaceId);
      const mailboxes = await this.mailboxes
        .find({ workspaceId }, { totalSent: 1, totalReceived: 1, totalBounced: 1 })
        .sort({ _id: 1 })
        .lean<(Sums & { _id: Types.ObjectId })[]>();
      const differing = mailboxes.flatMap((mailbox) => listTotalDifferences(mailbox, sums.get(String(mailbox._id))));
      if (!isCheck) for (const one of differing) await this.#correct(workspaceId, one);
      return differing;
    });
  }

  async #sums(workspaceId: string): Promise<ReadonlyMap<string, Sums>> {
    const sums = await this.days.aggregate<Sums & { _id: Types.ObjectId }>([
      { $match: { workspaceId: new Types.ObjectId(workspaceId) } },
      {
        $group: {
          _id: '$mailboxId',
          totalSent: { $sum: '$sent' },
          totalReceived: { $sum: '$received' },
          totalBounced: { $sum: '$bounced' },
        },
      },
    ]);
    return new Map(sums.map((one) => [String(one._id), one]));
  }

  /** By the difference: what is counted meanwhile stays counted. */
  async #correct(workspaceId: string, { mailboxId, total, is, shouldBe }: TotalDifference): Promise<void> {
    const by = { [total]: shouldBe - is };
    await this.mailboxes.updateOne({ workspaceId, _id: mailboxId }, { $inc: by }, { timestamps: false });
  }
}

function listTotalDifferences(mailbox: Sums & { _id: Types.ObjectId }, sums: Sums | undefined): TotalDifference[] {
  return TOTALS.flatMap((total) => {
    const is = mailbox[total];
    const shouldBe = sums?.[total] ?? 0;
    return is === shouldBe ? [] : [{ mailboxId: String(mailbox._id), total, is, shouldBe }];
  });
}
