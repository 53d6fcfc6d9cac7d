import { type WorkspaceScope } from '@domain/access';
import { MailboxRepository } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Page, PageService } from '@platform/database';
import { daysBetween } from '@platform/time';
import { requestedDays } from '@platform/validation';
import { type Model } from 'mongoose';
import { toWarmupActivity, type WarmupActivityResponse } from '../dto/warmup-activity.dto';
import { toWarmupDay, getWarmupTotals, type WarmupAnalyticsResponse } from '../dto/warmup-analytics.dto';
import { type WarmupAnalyticsQuery, type WarmupActivityQuery } from '../dto/warmup-requests.dto';
import { WarmupDayRecord } from '../schemas/warmup-day.record';
import { WarmupMailRecord } from '../schemas/warmup-mail.record';
import { WarmupRepository } from './warmup.repository';

/** Matches every mail with a time: the index holds no other. */
const EVER = { $gt: new Date(0) };

/** Daily figures and activity of warmups. */
@Injectable()
export class WarmupAnalyticsService {
  constructor(
    @InjectModel(WarmupDayRecord.name) private readonly days: Model<WarmupDayRecord>,
    @InjectModel(WarmupMailRecord.name) private readonly mails: Model<WarmupMailRecord>,
    private readonly warmups: WarmupRepository,
    private readonly clock: ClockPort,
    private readonly mailboxes: MailboxRepository,
    private readonly addresses: MailboxRepository,
    private readonly pages: PageService,
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
    return { mailboxId: _id.toHexString(), timezone, from, to, totals: getWarmupTotals(days), days };
  }

  /** Newest first, one entry per mail. Addresses of other workspaces are not shown. @throws NOT_FOUND */
  async listActivity(
    workspace: WorkspaceScope,
    mailboxId: string,
    { direction, limit, cursor }: WarmupActivityQuery,
  ): Promise<Page<WarmupActivityResponse>> {
    const { _id } = await this.mailboxes.require(workspace, mailboxId);
    const { workspaceId } = workspace;
    const filter = { workspaceId, mailboxId: _id, at: EVER, ...(direction && { direction }) };
    const page = await this.pages.read(
      this.mails,
      { scope: workspaceId, filter, by: 'at', page: { limit, cursor } },
      (record) => record,
    );
    const ours = page.items.filter(({ counterpart }) => counterpart.workspaceId.toHexString() === workspaceId);
    const addresses = await this.addresses.addresses(ours.map(({ counterpart }) => counterpart.mailboxId));
    const items = page.items.map((record) => {
      const { workspaceId: theirs, mailboxId: other } = record.counterpart;
      const address = theirs.toHexString() === workspaceId ? addresses.get(other.toHexString()) : undefined;
      return toWarmupActivity(record, address ?? null);
    });
    return { items, pagination: page.pagination };
  }
}
