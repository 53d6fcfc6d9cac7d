import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Clock } from '@platform/clock';
import { invalidField } from '@platform/errors';
import { addDays, dayOf, daysBetween } from '@platform/time';
import { type Model } from 'mongoose';
import { toWarmupDay, totalsOf, type WarmupAnalyticsResponse } from '../dto/warmup-analytics.dto';
import { type WarmupAnalyticsQuery } from '../dto/warmup.requests';
import { WarmupDayRecord } from '../schemas/warmup-day.record';
import { WarmupWriter } from './warmup.writer.service';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

/** What came of warmups, day by day. */
@Injectable()
export class WarmupAnalytics {
  constructor(
    @InjectModel(WarmupDayRecord.name) private readonly days: Model<WarmupDayRecord>,
    private readonly warmups: WarmupWriter,
    private readonly clock: Clock,
  ) {}

  /** @throws NOT_FOUND, VALIDATION_ERROR for a range that ends before it starts or is longer than 366 days */
  async read(
    workspace: WorkspaceScope,
    mailboxId: string,
    query: WarmupAnalyticsQuery,
  ): Promise<WarmupAnalyticsResponse> {
    const { mailbox, state } = await this.warmups.find(workspace, mailboxId);
    const timezone = state.config.timezone ?? mailbox.timezone;
    const to = query.to ?? dayOf(this.clock.now(), timezone);
    const from = query.from ?? addDays(to, 1 - DEFAULT_DAYS);
    if (from > to) throw invalidField('to', `to must not be earlier than from (${from} to ${to})`);
    if (addDays(from, MAX_DAYS - 1) < to)
      throw invalidField('to', `from and to must not be more than ${MAX_DAYS} days apart`);
    const { _id, workspaceId } = mailbox;
    const found = await this.days
      .find({ workspaceId, mailboxId: _id, day: { $gte: from, $lte: to } })
      .lean<WarmupDayRecord[]>();
    const byDay = new Map(found.map((record) => [record.day, record]));
    const days = daysBetween(from, to).map((day) => toWarmupDay(day, byDay.get(day)));
    return { mailboxId: _id.toHexString(), timezone, from, to, totals: totalsOf(days), days };
  }
}
