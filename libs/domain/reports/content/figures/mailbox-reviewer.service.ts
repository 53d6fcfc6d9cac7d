import { type NamedDays, PeriodFiguresService } from '@domain/analytics';
import { BlacklistStandingsRepository } from '@domain/deliverability';
import { MailboxRepository, type ReviewedMailbox } from '@domain/mailboxes';
import { MailboxLeaseService } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { type MailboxSummary, type MailboxTroubles } from './mailbox-summary';
import { MailboxSummaryBuilder } from './mailbox-summary-builder';

/** Mailboxes that are looked at together. */
const BATCH = 500;

/** Which mailboxes, and what of them counts. */
export interface MailboxScope {
  readonly workspaceId: string;
  readonly days: NamedDays;
  /** null: all of the workspace. */
  readonly mailboxIds: readonly Types.ObjectId[] | null;
  readonly campaignIds: readonly string[];
}

/** Looks at mailboxes, some hundred at a time, however many there are. */
@Injectable()
export class MailboxReviewerService {
  constructor(
    private readonly mailboxes: MailboxRepository,
    private readonly leases: MailboxLeaseService,
    private readonly blacklists: BlacklistStandingsRepository,
    private readonly figures: PeriodFiguresService,
  ) {}

  async reviewMailboxes(asked: MailboxScope): Promise<{ summary: MailboxSummary; troubles: MailboxTroubles }> {
    const tally = new MailboxSummaryBuilder();
    for await (const batch of this.mailboxes.batches(asked.workspaceId, asked.mailboxIds, BATCH)) {
      await this.#add(tally, batch, asked);
    }
    return { summary: tally.summary(), troubles: tally.troubles() };
  }

  async #add(
    tally: MailboxSummaryBuilder,
    batch: readonly ReviewedMailbox[],
    { workspaceId, days, campaignIds }: MailboxScope,
  ): Promise<void> {
    const ids = batch.map(({ _id }) => _id);
    const names = ids.map((id) => id.toHexString());
    const [turns, standings, figures] = await Promise.all([
      this.leases.statesOf(workspaceId, names),
      this.blacklists.of(new Types.ObjectId(workspaceId), ids),
      this.figures.figuresOfMailboxes(workspaceId, days, names, campaignIds),
    ]);
    for (const mailbox of batch) {
      const id = mailbox._id.toHexString();
      tally.add(mailbox, {
        isStopped: (turns.get(id)?.stopped ?? null) !== null,
        isListed: (standings.get(id)?.listings.length ?? 0) > 0,
        figures: figures.get(id),
      });
    }
  }
}
