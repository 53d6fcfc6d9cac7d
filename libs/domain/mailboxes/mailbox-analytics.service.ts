import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { daysBetween } from '@platform/time';
import { requestedDays } from '@platform/validation';
import { type Model } from 'mongoose';
import {
  type MailboxAnalyticsQuery,
  type MailboxAnalyticsResponse,
  toMailboxDay,
  getTotals,
} from './dto/mailbox-analytics.dto';
import { requireMailbox } from './mailbox-lookup';
import { MailboxFiguresService } from './mailbox-figures.service';
import { MailboxRecord } from './schemas/mailbox.record';

/** What a mailbox did, day by day. */
@Injectable()
export class MailboxAnalyticsService {
  constructor(
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    private readonly figures: MailboxFiguresService,
    private readonly clock: ClockPort,
  ) {}

  /** @throws NOT_FOUND, VALIDATION_ERROR for a range that ends before it starts or is longer than 366 days */
  async read(
    workspace: WorkspaceScope,
    mailboxId: string,
    query: MailboxAnalyticsQuery,
  ): Promise<MailboxAnalyticsResponse> {
    const { _id, timezone } = await requireMailbox(this.mailboxes, workspace, mailboxId);
    const { from, to } = requestedDays(query, timezone, this.clock.now());
    const found = await this.figures.between(workspace, _id, from, to);
    const days = daysBetween(from, to).map((day) => toMailboxDay(day, found.get(day)));
    return { mailboxId: _id.toHexString(), timezone, from, to, totals: getTotals(days), days };
  }
}
