import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Clock } from '@platform/clock';
import { invalidField } from '@platform/errors';
import { addDays, dayOf, daysBetween } from '@platform/time';
import { type Model } from 'mongoose';
import {
  type MailboxAnalyticsQuery,
  type MailboxAnalyticsResponse,
  toMailboxDay,
  totalsOf,
} from './dto/mailbox-analytics.dto';
import { findMailbox } from './mailbox.lookup';
import { MailboxFigures } from './mailboxes.figures.service';
import { MailboxRecord } from './schemas/mailbox.record';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

/** What a mailbox did, day by day. */
@Injectable()
export class MailboxAnalyticsService {
  constructor(
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    private readonly figures: MailboxFigures,
    private readonly clock: Clock,
  ) {}

  /** @throws NOT_FOUND, VALIDATION_ERROR for a range that ends before it starts or is longer than 366 days */
  async read(
    workspace: WorkspaceScope,
    mailboxId: string,
    query: MailboxAnalyticsQuery,
  ): Promise<MailboxAnalyticsResponse> {
    const { _id, timezone } = await findMailbox(this.mailboxes, workspace, mailboxId);
    const to = query.to ?? dayOf(this.clock.now(), timezone);
    const from = query.from ?? addDays(to, 1 - DEFAULT_DAYS);
    if (from > to) throw invalidField('to', `to must not be earlier than from (${from} to ${to})`);
    if (addDays(from, MAX_DAYS - 1) < to)
      throw invalidField('to', `from and to must not be more than ${MAX_DAYS} days apart`);
    const found = await this.figures.between(workspace, _id, from, to);
    const days = daysBetween(from, to).map((day) => toMailboxDay(day, found.get(day)));
    return { mailboxId: _id.toHexString(), timezone, from, to, totals: totalsOf(days), days };
  }
}
