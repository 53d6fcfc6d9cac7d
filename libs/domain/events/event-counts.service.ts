import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { type EventType } from './event-types';
import { EventRecord } from './schemas/event.record';

/** How often something happened in a campaign, by mailbox and step. */
export interface EventCount {
  readonly campaignId: Types.ObjectId;
  readonly mailboxId: Types.ObjectId | null;
  readonly type: EventType;
  /** `data.stepId` of the events; null for those that have none. */
  readonly stepId: string | null;
  readonly count: number;
  /** Those of them that were the first of their kind for a lead (`data.firstOfLead`). */
  readonly firsts: number;
}

/** How often something happened in a quarter of an hour. */
export interface QuarterCount {
  readonly mailboxId: Types.ObjectId | null;
  readonly type: EventType;
  /** Its number since 1970 in UTC. */
  readonly quarter: number;
  readonly count: number;
  readonly firsts: number;
}

/** From a moment, until before another. */
export interface Span {
  readonly from: Date;
  readonly until: Date;
}

/** Zones differ by whole quarters of an hour: days of every zone can be made of them. */
export const QUARTER_MS = 900_000;

interface Row {
  readonly _id: { readonly [K in 'campaignId' | 'mailboxId']?: Types.ObjectId | null } & {
    readonly type: EventType;
    readonly stepId?: string | null;
    readonly quarter?: number;
  };
  readonly count: number;
  readonly firsts: number;
}

const COUNTS = {
  count: { $sum: 1 },
  firsts: { $sum: { $cond: [{ $eq: ['$data.firstOfLead', true] }, 1, 0] } },
};

/** What a recount of figures is made from, added up by the database. It reads every event: for the operator, not for requests. */
@Injectable()
export class EventCountsService {
  constructor(@InjectModel(EventRecord.name) private readonly events: Model<EventRecord>) {}

  /** Events of these types that are about a campaign; with `campaignId` about that one. Joins a running transaction. */
  async ofCampaigns(
    workspaceId: string,
    types: readonly EventType[],
    campaignId?: Types.ObjectId,
  ): Promise<EventCount[]> {
    // Of one campaign all are read: an index has them together, and types would make some databases choose another one.
    const about = campaignId ? { campaignId } : { type: { $in: types }, campaignId: { $ne: null } };
    const keys = { campaignId: '$campaignId', mailboxId: '$mailboxId', type: '$type', stepId: '$data.stepId' };
    const rows = await this.events.aggregate<Row>([
      { $match: { workspaceId: new Types.ObjectId(workspaceId), ...about } },
      { $group: { _id: keys, ...COUNTS } },
    ]);
    return rows.flatMap(({ _id: { campaignId: of, mailboxId, type, stepId }, count, firsts }) =>
      of && types.includes(type)
        ? [{ campaignId: of, mailboxId: mailboxId ?? null, type, stepId: stepId ?? null, count, firsts }]
        : [],
    );
  }

  /**
   * Events of these types in a time, by mailbox and quarter of an hour; of one campaign only those that were handed on, which
   * is what its days were made from. Joins a running transaction.
   */
  async byQuarter(
    workspaceId: string,
    types: readonly EventType[],
    { from, until }: Span,
    campaignId?: Types.ObjectId,
  ): Promise<QuarterCount[]> {
    const quarter = { $floor: { $divide: [{ $subtract: ['$at', new Date(0)] }, QUARTER_MS] } };
    const rows = await this.events.aggregate<Row>([
      {
        $match: {
          workspaceId: new Types.ObjectId(workspaceId),
          at: { $gte: from, $lt: until },
          ...(campaignId ? { campaignId, relayAt: null } : { type: { $in: types } }),
        },
      },
      { $group: { _id: { mailboxId: '$mailboxId', type: '$type', quarter }, ...COUNTS } },
    ]);
    return rows.flatMap(({ _id: { mailboxId, type, quarter: number }, count, firsts }) =>
      types.includes(type) ? [{ mailboxId: mailboxId ?? null, type, quarter: Number(number), count, firsts }] : [],
    );
  }

  /** From the first event to after the last one; null without any. With `campaignId` of that campaign. */
  async span(workspaceId: string, campaignId?: Types.ObjectId): Promise<Span | null> {
    const filter = { workspaceId, ...(campaignId && { campaignId }) };
    const edge = (order: 1 | -1) =>
      this.events.findOne(filter, { at: 1 }).sort({ at: order, _id: order }).lean<Pick<EventRecord, 'at'>>();
    const [first, last] = [await edge(1), await edge(-1)];
    return first && last && { from: first.at, until: new Date(last.at.getTime() + 1) };
  }
}
