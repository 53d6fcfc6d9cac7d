import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { parseId, rerunOnWriteConflict, TransactionService } from '@platform/database';
import { AppError, notFound } from '@platform/errors';
import { daysBetween, getDay } from '@platform/time';
import { requestedDays } from '@platform/validation';
import { type Model, type Types } from 'mongoose';
import {
  getMailboxTotals,
  type MailboxAnalyticsQuery,
  type MailboxAnalyticsResponse,
  toMailboxDay,
} from './dto/mailbox-analytics.dto';
import { requireMailbox } from './mailbox-lookup';
import { type MailboxFigure, MailboxDayRecord } from './schemas/mailbox-day.record';
import { MailboxRecord } from './schemas/mailbox.record';

/** Figures whose totals are stored on the mailbox. */
const TOTALS: Partial<Record<MailboxFigure, 'totalSent' | 'totalReceived' | 'totalBounced'>> = {
  sent: 'totalSent',
  received: 'totalReceived',
  bounced: 'totalBounced',
};

type Zoned = Pick<MailboxRecord, '_id' | 'timezone'>;
type Owned = Pick<MailboxRecord, 'workspaceId'>;
type Figures = Partial<Record<MailboxFigure, number>>;

/** Figures of one mailbox and the time of the event. */
export interface MailboxCount {
  readonly mailboxId: string;
  readonly figures: Figures;
  readonly at: Date;
}

interface DayCount {
  readonly mailbox: Zoned;
  readonly figures: Figures;
  readonly day: string;
}

/** Counts and reads the figures of mailboxes, by day of their own time zones. */
@Injectable()
export class MailboxFiguresService {
  constructor(
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    @InjectModel(MailboxDayRecord.name) private readonly days: Model<MailboxDayRecord>,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Adds to the figures of a day and to the totals of the mailbox, both or neither; joins a running transaction. A negative
   * number corrects what was counted before.
   * @param at time of the event. Default: now
   * @returns the figures of that day, including these
   * @throws NOT_FOUND for a deleted mailbox
   */
  async count(
    workspace: Pick<WorkspaceScope, 'workspaceId'>,
    mailboxId: string,
    figures: Figures,
    at: Date = this.clock.now(),
  ): Promise<MailboxDayRecord> {
    const { workspaceId } = workspace;
    const _id = parseId(mailboxId);
    return this.transactions.run(async () => {
      const timezone = _id && (await this.#addToTotals(workspaceId, _id, figures));
      if (!timezone) throw notFound('Mailbox');
      return rerunOnWriteConflict(() =>
        this.days
          .findOneAndUpdate(
            { workspaceId, mailboxId: _id, day: getDay(at, timezone) },
            { $inc: figures },
            { upsert: true, returnDocument: 'after' },
          )
          .lean<MailboxDayRecord>()
          .orFail(),
      );
    });
  }

  /**
   * Counts a warmup mail in `sentToday` and in no other figure; joins the running transaction.
   */
  async countWarmup({ workspaceId, _id: mailboxId, timezone }: Zoned & Owned, at: Date): Promise<void> {
    const day = getDay(at, timezone);
    await rerunOnWriteConflict(() =>
      this.days.updateOne({ workspaceId, mailboxId, day }, { $inc: { warmup: 1 } }, { upsert: true }),
    );
  }

  /** Counts as `count` does; does nothing for a mailbox that is deleted by now. */
  async countIfExists(
    ...[workspace, mailboxId, figures, at]: Parameters<MailboxFiguresService['count']>
  ): Promise<void> {
    try {
      await this.count(workspace, mailboxId, figures, at);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error;
    }
  }

  /**
   * Adds to the figures and totals of several mailboxes in three commands, as `count` does. Deleted mailboxes are skipped.
   * Joins a running transaction.
   */
  async countAll({ workspaceId }: Pick<WorkspaceScope, 'workspaceId'>, counts: readonly MailboxCount[]): Promise<void> {
    if (counts.length === 0) return;
    await this.transactions.run(async () => {
      const _id = { $in: [...new Set(counts.map(({ mailboxId }) => mailboxId))] };
      const found = await this.mailboxes.find({ workspaceId, _id }, { timezone: 1 }).lean<Zoned[]>();
      const zones = new Map(found.map((mailbox) => [mailbox._id.toHexString(), mailbox]));
      const known = counts.flatMap(({ mailboxId, figures, at }) => {
        const mailbox = zones.get(mailboxId);
        return mailbox ? [{ mailbox, figures, day: getDay(at, mailbox.timezone) }] : [];
      });
      await this.#addAllToTotals(workspaceId, known);
      await this.#addAllToDays(workspaceId, known);
    });
  }

  /**
   * Counts one sent email for each of several mailboxes, in two writes; joins the running transaction.
   * @returns false when one of them is deleted
   */
  async sentAll(workspaceId: Types.ObjectId, sent: readonly { mailbox: Zoned; at: Date }[]): Promise<boolean> {
    const { matchedCount } = await this.mailboxes.bulkWrite(
      sent.map(({ mailbox: { _id } }) => ({
        updateOne: { filter: { _id, workspaceId }, update: { $inc: { totalSent: 1 } }, timestamps: false },
      })),
      { ordered: false },
    );
    if (matchedCount !== sent.length) return false;
    await rerunOnWriteConflict(() =>
      this.days.bulkWrite(
        sent.map(({ mailbox: { _id: mailboxId, timezone }, at }) => ({
          updateOne: {
            filter: { workspaceId, mailboxId, day: getDay(at, timezone) },
            update: { $inc: { sent: 1 } },
            upsert: true,
          },
        })),
        { ordered: false },
      ),
    );
    return true;
  }

  /** Emails, warmup included, that each mailbox has sent on its current day, by id. One query for all. */
  async sentToday(
    { workspaceId }: Pick<WorkspaceScope, 'workspaceId'>,
    mailboxes: readonly Zoned[],
  ): Promise<ReadonlyMap<string, number>> {
    const now = this.clock.now();
    const todays = new Map(mailboxes.map(({ _id, timezone }) => [_id.toHexString(), getDay(now, timezone)]));
    if (todays.size === 0) return new Map();
    // At any moment there are at most three different dates on earth.
    const filter = { mailboxId: { $in: mailboxes.map(({ _id }) => _id) }, day: { $in: [...new Set(todays.values())] } };
    const found = await this.days
      .find({ workspaceId, ...filter }, { mailboxId: 1, day: 1, sent: 1, warmup: 1 })
      .lean<Pick<MailboxDayRecord, 'mailboxId' | 'day' | 'sent' | 'warmup'>[]>();
    const current = found.filter(({ mailboxId, day }) => todays.get(mailboxId.toHexString()) === day);
    return new Map(current.map(({ mailboxId, sent, warmup = 0 }) => [mailboxId.toHexString(), sent + warmup]));
  }

  /** The figures of the days with activity in a range, by day. */
  async between(
    { workspaceId }: Pick<WorkspaceScope, 'workspaceId'>,
    mailboxId: Types.ObjectId,
    from: string,
    to: string,
  ): Promise<ReadonlyMap<string, MailboxDayRecord>> {
    const found = await this.days
      .find({ workspaceId, mailboxId, day: { $gte: from, $lte: to } })
      .lean<MailboxDayRecord[]>();
    return new Map(found.map((record) => [record.day, record]));
  }

  /**
   * Reads the figures of each day for the API.
   * @throws NOT_FOUND, VALIDATION_ERROR for a range that ends before it starts or is longer than 366 days
   */
  async readDays(
    workspace: WorkspaceScope,
    mailboxId: string,
    query: MailboxAnalyticsQuery,
  ): Promise<MailboxAnalyticsResponse> {
    const { _id, timezone } = await requireMailbox(this.mailboxes, workspace, mailboxId);
    const { from, to } = requestedDays(query, timezone, this.clock.now());
    const found = await this.between(workspace, _id, from, to);
    const days = daysBetween(from, to).map((day) => toMailboxDay(day, found.get(day)));
    return { mailboxId: _id.toHexString(), timezone, from, to, totals: getMailboxTotals(days), days };
  }

  async #addAllToTotals(workspaceId: string, counts: readonly DayCount[]): Promise<void> {
    const operations = counts.flatMap(({ mailbox: { _id }, figures }) => {
      const totals = toTotals(figures);
      if (totals.length === 0) return [];
      const update = { $inc: Object.fromEntries(totals) };
      return [{ updateOne: { filter: { workspaceId, _id }, update, timestamps: false } }];
    });
    if (operations.length > 0) await this.mailboxes.bulkWrite(operations as never);
  }

  async #addAllToDays(workspaceId: string, counts: readonly DayCount[]): Promise<void> {
    if (counts.length === 0) return;
    const operations = counts.map(({ mailbox: { _id: mailboxId }, figures, day }) => ({
      updateOne: { filter: { workspaceId, mailboxId, day }, update: { $inc: figures }, upsert: true },
    }));
    await rerunOnWriteConflict(() => this.days.bulkWrite(operations as never));
  }

  /** Returns the zone of the mailbox; null when it is deleted. */
  async #addToTotals(workspaceId: string, _id: Types.ObjectId, figures: Figures): Promise<string | null> {
    const totals = toTotals(figures);
    const select = { timezone: 1 };
    const found =
      totals.length === 0
        ? await this.mailboxes.findOne({ workspaceId, _id }, select).lean<Zoned>()
        : await this.mailboxes
            // Use of a mailbox does not change `updatedAt`.
            .findOneAndUpdate(
              { workspaceId, _id },
              { $inc: Object.fromEntries(totals) },
              { projection: select, timestamps: false },
            )
            .lean<Zoned>();
    return found?.timezone ?? null;
  }
}

function toTotals(figures: Figures): [string, number][] {
  return Object.entries(figures).flatMap(([figure, by]): [string, number][] => {
    const total = TOTALS[figure as MailboxFigure];
    return total ? [[total, by]] : [];
  });
}
