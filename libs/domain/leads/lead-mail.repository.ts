import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type Types } from 'mongoose';
import { LeadRecord } from './schemas/lead.record';

type Named = Pick<LeadRecord, '_id' | 'workspaceId'>;

/** First times that are kept on a lead. */
export type FirstTime = 'openedAt' | 'clickedAt' | 'repliedAt' | 'unsubscribedAt';

/** Leads of one company that are looked at: an answer from a colleague is about one of the latest. */
const MOST_OF_COMPANY = 100;
/** Soft bounces that are kept: one more than it takes. */
const MOST_SOFT = 5;

/** Leads as the mail that comes back is about them. */
@Injectable()
export class LeadMailRepository {
  constructor(@InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>) {}

  /** null when it is gone. */
  async find(workspaceId: Types.ObjectId | string, leadId: Types.ObjectId): Promise<LeadRecord | null> {
    return this.leads.findOne({ _id: leadId, workspaceId }).lean<LeadRecord>();
  }

  /** The leads with this address that were written to, the one written to last first. */
  async written(workspaceId: Types.ObjectId | string, email: string): Promise<LeadRecord[]> {
    const found = await this.leads.find({ workspaceId, email, sentCount: { $gt: 0 } }).lean<LeadRecord[]>();
    return found.toSorted(lastFirst);
  }

  /** Leads at a domain that this mailbox wrote to, the one written to last first. */
  async writtenAt(
    workspaceId: Types.ObjectId | string,
    domain: string,
    mailboxId: Types.ObjectId,
  ): Promise<LeadRecord[]> {
    const found = await this.leads
      .find({ workspaceId, domains: domain, mailboxId, sentCount: { $gt: 0 } })
      .limit(MOST_OF_COMPANY)
      .lean<LeadRecord[]>();
    return found.toSorted(lastFirst);
  }

  /** Keeps when something happened for the first time; joins a running transaction. False when it had happened before. */
  async first({ _id, workspaceId }: Named, what: FirstTime, at: Date): Promise<boolean> {
    const { matchedCount } = await this.leads.updateOne(
      { _id, workspaceId, [what]: null },
      { $set: { [what]: at } },
      { timestamps: false },
    );
    return matchedCount === 1;
  }

  /** Keeps a soft bounce; joins a running transaction. @returns those in a row, oldest first, this one included */
  async softBounced({ _id, workspaceId }: Named, at: Date): Promise<Date[]> {
    const lead = await this.leads
      .findOneAndUpdate(
        { _id, workspaceId },
        { $push: { softBouncedAt: { $each: [at], $slice: -MOST_SOFT } } },
        { returnDocument: 'after', timestamps: false, projection: { softBouncedAt: 1 } },
      )
      .lean<Pick<LeadRecord, 'softBouncedAt'>>();
    return lead?.softBouncedAt ?? [];
  }

  /** It takes mail: earlier soft bounces count no more. Joins a running transaction. */
  async tookMail({ _id, workspaceId, softBouncedAt = [] }: Named & Pick<LeadRecord, 'softBouncedAt'>): Promise<void> {
    // One that comes in since it was read is later than what shows that it takes mail.
    if (softBouncedAt.length === 0) return;
    await this.leads.updateOne(
      { _id, workspaceId, 'softBouncedAt.0': { $exists: true } },
      { $set: { softBouncedAt: [] } },
      { timestamps: false },
    );
  }
}

function lastFirst(one: LeadRecord, other: LeadRecord): number {
  return (other.lastSentAt?.getTime() ?? 0) - (one.lastSentAt?.getTime() ?? 0);
}
