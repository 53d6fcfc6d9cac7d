import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { SendRecord, type SendState } from './schemas/send.record';
import { isFinal } from './send-states';

/** What a campaign has sent in a time. */
export interface CountedSends {
  all: number;
  /** To leads that nothing had been sent to before. */
  new: number;
  /** By domain of the recipient. */
  readonly domains: Map<string, number>;
  /** Those of them that are counted without a place of theirs, and may not be sent after all. */
  readonly unplaced: Types.ObjectId[];
}

/** Leads of a campaign that a mailbox was the first to take. */
export interface TakenLeads {
  readonly mailboxId: Types.ObjectId;
  readonly count: number;
}

/** A claim that came to nothing is taken back; the lead is anybody's again. */
const TAKEN = { $or: [{ attempt: { $gt: 1 } }, { attempt: 1, state: { $ne: 'planned' } }] };

/**
 * It was given to a server, or is about to be; what is tried again counts when it comes to that. What was held back is about
 * to be given back, and counts until it is.
 */
const COUNTED = [
  'claimed',
  'withheld',
  'wire',
  'sent',
  'failed',
  'ambiguous',
  'sent_unconfirmed',
] as const satisfies SendState[];

/** What was held back or refused for now is claimed again within so many days, or long after any limit asks. */
const CLAIMED_WITHIN_MS = 7 * 86_400_000;

/** Counts what was sent where nobody kept count. */
@Injectable()
export class SendReadRepository {
  constructor(@InjectModel(SendRecord.name) private readonly sends: Model<SendRecord>) {}

  /** Reads the sends of a week: for the moment at which something begins to be counted. Joins the running transaction. */
  async since(workspaceId: Types.ObjectId, campaignId: Types.ObjectId, since: Date): Promise<CountedSends> {
    const counted: CountedSends = { all: 0, new: 0, domains: new Map(), unplaced: [] };
    const found = await this.sends
      .find(
        {
          workspaceId,
          campaignId,
          createdAt: { $gte: new Date(since.getTime() - CLAIMED_WITHIN_MS) },
          claimedAt: { $gte: since },
          state: { $in: COUNTED },
        },
        { email: 1, wasNew: 1, places: 1, state: 1 },
      )
      .lean<Pick<SendRecord, '_id' | 'email' | 'wasNew' | 'places' | 'state'>[]>();
    for (const { _id, email, wasNew, places, state } of found) {
      if (!places && !isFinal(state)) counted.unplaced.push(_id);
      const domain = email.slice(email.lastIndexOf('@') + 1);
      counted.all += 1;
      if (wasNew) counted.new += 1;
      counted.domains.set(domain, (counted.domains.get(domain) ?? 0) + 1);
    }
    return counted;
  }

  /**
   * Which mailbox's email was the first to each lead, also of those that another mailbox went on with and of those that are
   * gone. Reads every send of a campaign: for the operator, not for requests. Joins a running transaction.
   */
  async firstsOf(workspaceId: string, campaignId: Types.ObjectId): Promise<TakenLeads[]> {
    const rows = await this.sends.aggregate<{ _id: Types.ObjectId; count: number }>([
      { $match: { workspaceId: new Types.ObjectId(workspaceId), campaignId, ...TAKEN } },
      { $sort: { createdAt: 1, _id: 1 } },
      { $group: { _id: '$leadId', mailboxId: { $first: '$mailboxId' } } },
      { $group: { _id: '$mailboxId', count: { $sum: 1 } } },
    ]);
    return rows.map(({ _id, count }) => ({ mailboxId: _id, count }));
  }
}
