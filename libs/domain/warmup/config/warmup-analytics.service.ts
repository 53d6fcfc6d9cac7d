import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { daysBetween } from '@platform/time';
import { requestedDays } from '@platform/validation';
import { type Model } from 'mongoose';
import { toWarmupDay, getTotals, type WarmupAnalyticsResponse } from '../dto/warmup-analytics.dto';
import { type WarmupAnalyticsQuery } from '../dto/warmup-requests.dto';
import { WarmupDayRecord } from '../schemas/warmup-day.record';
import { WarmupRepository } from './warmup.repository';

/** What came of warmups, day by day. */
@Injectable()
export class WarmupAnalyticsService {
  constructor(
    @InjectModel(WarmupDayRecord.name) private readonly days: Model<WarmupDayRecord>,
    private readonly warmups: WarmupRepository,
    private readonly clock: ClockPort,
  ) {}

  /** @throws NOT_FOUND, VALIDATION_ERROR for a range that ends before it starts or is longer than 366 days */
  async getAnalytics(
    workspace: WorkspaceScope,
    mailboxId: string,
    query: WarmupAnalyticsQuery,
  ): Promise<WarmupAnalyticsResponse> {
    const { mailbox, state } = await this.warmups.find(workspace, mailboxId);
    const timezone = state.config.timezone ?? mailbox.timezone;
    const { from, to } = requestedDays(query, timezone, this.clock.now());
    const { _id, workspaceId } = mailbox;
    const found = await this.days
      .find({ workspaceId, mailboxId: _id, day: { $gte: from, $lte: to } })
      .lean<WarmupDayRecord[]>();
    const byDay = new Map(found.map((record) => [record.day, record]));
    const days = daysBetween(from, to).map((day) => toWarmupDay(day, byDay.get(day)));
    return { mailboxId: _id.toHexString(), timezone, from, to, totals: getTotals(days), days };
  }
}
