import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Model, Types } from 'mongoose';
import { SendRecord, type SendReturn, type SendState } from './schemas/send.record';
import { isFinalSendState } from './send-states';

/** The sends of a campaign in a period. */
export interface CountedSends {
  all: number;
  /** To leads that had not been written to before. */
  new: number;
  /** By domain of the recipient. */
  readonly domains: Map<string, number>;
  /** Counted sends without a quota place whose outcome is not final: some of them may not be sent after all. */
  readonly unplaced: Types.ObjectId[];
}

/** How many leads of a campaign received their first email from a mailbox. */
export interface FirstSendCount {
  readonly mailboxId: Types.ObjectId;
  readonly count: number;
}

/** Excludes a first claim that was released: its lead belongs to no mailbox yet. */
const TAKEN = { $or: [{ attempt: { $gt: 1 } }, { attempt: 1, state: { $ne: 'planned' } }] };

/** States that use a limit. A retry counts when it is claimed again; a withheld send counts until it is released. */
const COUNTED = [
  'claimed',
  'withheld',
  'sending',
  'sent',
  'failed',
  'ambiguous',
  'sent_unconfirmed',
] as const satisfies SendState[];

/** A withheld or deferred send is claimed again within this time, or long after any limit counts it. */
const CLAIMED_WITHIN_MS = 7 * 86_400_000;

/** How many of the latest sends are searched for an accepted one. */
const MAX_LATEST_SENDS = 200;

/** Emails of a mailbox that programs opened or clicked. */
export interface MachineEngagementCount {
  readonly mailboxId: Types.ObjectId;
  readonly opened: number;
  readonly clicked: number;
}

const MARKS = { opened: 'machineOpenedAt', clicked: 'machineClickedAt' } as const;

type Id = Types.ObjectId | string;

type Named = Pick<SendRecord, '_id' | 'workspaceId'>;

/** The fields of a send that a request for a pixel or a link needs. */
export type TrackedSend = Pick<SendRecord, '_id' | 'workspaceId' | 'links' | 'hitsFullAt'>;

/** Moments that are stored at most once per send. */
export type SendMark =
  | 'openedAt'
  | 'clickedAt'
  | 'machineOpenedAt'
  | 'machineClickedAt'
  | 'unsubscribedAt'
  | 'hitsFullAt';

/** Reads sends for other domains, and marks what happened to them after the handover. */
@Injectable()
export class SendReadRepository {
  constructor(
    @InjectModel(SendRecord.name) private readonly sends: Model<SendRecord>,
    private readonly clock: ClockPort,
  ) {}

  /** Counts the claims since a moment, to start a limit with correct use. Joins the running transaction. */
  async countSince(workspaceId: Types.ObjectId, campaignId: Types.ObjectId, since: Date): Promise<CountedSends> {
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
      if (!places && !isFinalSendState(state)) counted.unplaced.push(_id);
      const domain = email.slice(email.lastIndexOf('@') + 1);
      counted.all += 1;
      if (wasNew) counted.new += 1;
      counted.domains.set(domain, (counted.domains.get(domain) ?? 0) + 1);
    }
    return counted;
  }

  /**
   * Counts leads by the mailbox that wrote to them first, including deleted leads and leads that another mailbox took over.
   * Reads every send of a campaign: for the operator, not for requests. Joins a running transaction.
   */
  async countFirstByMailbox(workspaceId: string, campaignId: Types.ObjectId): Promise<FirstSendCount[]> {
    const rows = await this.sends.aggregate<{ _id: Types.ObjectId; count: number }>([
      { $match: { workspaceId: new Types.ObjectId(workspaceId), campaignId, ...TAKEN } },
      { $sort: { createdAt: 1, _id: 1 } },
      { $group: { _id: '$leadId', mailboxId: { $first: '$mailboxId' } } },
      { $group: { _id: '$mailboxId', count: { $sum: 1 } } },
    ]);
    return rows.map(({ _id, count }) => ({ mailboxId: _id, count }));
  }

  /** When a server last accepted an email of the campaign; null when it accepted none of the latest 200. */
  async lastAcceptedAt(workspaceId: Types.ObjectId, campaignId: Types.ObjectId): Promise<Date | null> {
    const latest = await this.sends
      .find({ workspaceId, campaignId }, { state: 1, sentAt: 1 })
      .sort({ createdAt: -1, _id: -1 })
      .limit(MAX_LATEST_SENDS)
      .lean<Pick<SendRecord, 'state' | 'sentAt'>[]>();
    const times = latest.flatMap(({ state, sentAt }) => (state === 'sent' && sentAt ? [sentAt.getTime()] : []));
    return times.length > 0 ? new Date(Math.max(...times)) : null;
  }

  /** Counts a campaign's emails that programs opened or clicked, by mailbox; joins a running transaction. */
  async countMachineEngagement(workspaceId: string, campaignId: Types.ObjectId): Promise<MachineEngagementCount[]> {
    const of = { workspaceId: new Types.ObjectId(workspaceId), campaignId };
    const counts = new Map<string, { mailboxId: Types.ObjectId; opened: number; clicked: number }>();
    for (const what of ['opened', 'clicked'] as const) {
      const rows = await this.sends.aggregate<{ _id: Types.ObjectId; count: number }>([
        { $match: { ...of, [MARKS[what]]: { $gt: new Date(0) } } },
        { $group: { _id: '$mailboxId', count: { $sum: 1 } } },
      ]);
      for (const { _id, count } of rows) {
        const one = counts.get(_id.toHexString()) ?? { mailboxId: _id, opened: 0, clicked: 0 };
        counts.set(_id.toHexString(), { ...one, [what]: count });
      }
    }
    return [...counts.values()];
  }

  /** Counts a campaign's opens or clicks by programs in intervals of `everyMs`, aligned to 1970. */
  async countMachineEngagementByTime(
    workspaceId: string,
    campaignId: Types.ObjectId,
    what: keyof typeof MARKS,
    { from, until, everyMs }: { from: Date; until: Date; everyMs: number },
  ): Promise<{ at: Date; count: number }[]> {
    const mark = MARKS[what];
    const number = { $floor: { $divide: [{ $subtract: [`$${mark}`, new Date(0)] }, everyMs] } };
    const rows = await this.sends.aggregate<{ _id: number; count: number }>([
      { $match: { workspaceId: new Types.ObjectId(workspaceId), campaignId, [mark]: { $gte: from, $lt: until } } },
      { $group: { _id: number, count: { $sum: 1 } } },
    ]);
    return rows.map(({ _id, count }) => ({ at: new Date(_id * everyMs), count }));
  }

  /** Returns null when the workspace has no such send. */
  async find(workspaceId: Id, sendId: string): Promise<SendRecord | null> {
    return this.sends.findOne({ _id: sendId, workspaceId }).lean<SendRecord>();
  }

  /** Returns the sends with these Message-IDs (with angle brackets). */
  async findByMessageIds(workspaceId: Id, messageIds: readonly string[]): Promise<SendRecord[]> {
    if (messageIds.length === 0) return [];
    return this.sends.find({ workspaceId, messageId: { $in: messageIds } }).lean<SendRecord[]>();
  }

  /** Returns the mailbox's latest send in a thread of its provider, or null. */
  async findByThread(workspaceId: Id, mailboxId: Types.ObjectId, threadId: string): Promise<SendRecord | null> {
    return this.sends
      .findOne({ workspaceId, mailboxId, providerThreadId: threadId })
      .sort({ createdAt: -1 })
      .lean<SendRecord>();
  }

  /** Lists the sends to leads that were handed over, the latest first. */
  async listHandedOver(workspaceId: Id, leadIds: readonly Types.ObjectId[]): Promise<SendRecord[]> {
    const found = await this.sends
      .find({ workspaceId, leadId: { $in: leadIds }, handoverAt: { $ne: null } })
      .lean<SendRecord[]>();
    return found.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  }

  /**
   * Records that an answer, a bounce or an open proves the send, so that its resolution is due at once. Without effect on
   * a final send. Joins a running transaction.
   */
  async markProven({ _id, workspaceId, state }: Named & Pick<SendRecord, 'state'>): Promise<void> {
    // A final state never changes: the one that was read is still valid.
    if (isFinalSendState(state)) return;
    const now = this.clock.now();
    await this.sends.updateOne(
      // A send in `sending` may belong to a worker that crashed; the next run of the mailbox makes it ambiguous.
      { _id, workspaceId, state: { $in: ['sending', 'ambiguous'] }, provenAt: null },
      { $set: { provenAt: now, resolveAt: now } },
    );
  }

  /** Stores the bounce or complaint; joins a running transaction. */
  async recordReturn({ _id, workspaceId }: Named, returned: SendReturn): Promise<void> {
    await this.sends.updateOne({ _id, workspaceId }, { $set: { returned } });
  }

  /** Returns the existing ones of these sends by id, with one query by primary key. */
  async findTracked(ids: readonly string[]): Promise<ReadonlyMap<string, TrackedSend>> {
    const found = await this.sends
      .find({ _id: { $in: ids.map((id) => new Types.ObjectId(id)) } }, { workspaceId: 1, links: 1, hitsFullAt: 1 })
      .setOptions({ allWorkspaces: 'a signed token names the send; its workspace is read from it' })
      .lean<TrackedSend[]>();
    return new Map(found.map((send) => [send._id.toHexString(), send]));
  }

  /** Finds a send by its id alone, since a signed token names no workspace; null when there is none. */
  async findById(id: string): Promise<SendRecord | null> {
    return this.sends
      .findOne({ _id: new Types.ObjectId(id) })
      .setOptions({ allWorkspaces: 'a signed token names the send; its workspace is read from it' })
      .lean<SendRecord>();
  }

  /** Stores the moment unless one is stored; joins the running transaction. @returns whether it was the first */
  async mark(
    { _id, workspaceId }: Pick<SendRecord, '_id' | 'workspaceId'>,
    field: SendMark,
    at: Date,
  ): Promise<boolean> {
    const { matchedCount } = await this.sends.updateOne(
      { _id, workspaceId, [field]: null },
      { $set: { [field]: at } },
      { timestamps: false },
    );
    return matchedCount === 1;
  }
}
