import { systemScope } from '@domain/access';
import { type CampaignCount, CampaignCountersService } from '@domain/campaigns';
import { EventsService, type NewEvent } from '@domain/events';
import { type AdvancedLead, DueLeadRepository, type LeadProgress } from '@domain/leads';
import { MailboxFiguresService, type MailboxRecord } from '@domain/mailboxes';
import { SendBatchRepository, type SendOutcome, type SendRecord } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { mayBeCommitted, TransactionService } from '@platform/database';
import { LogService } from '@platform/observability';
import { type Types } from 'mongoose';
import { WorkspaceBatcher, BATCH_WINDOW_MS } from './workspace-batcher';

/** All that the outcome of one accepted email writes. */
export interface SentWrites {
  readonly send: SendRecord;
  readonly outcome: Extract<SendOutcome, { state: 'sent' }>;
  readonly progress: LeadProgress;
  readonly mailbox: Pick<MailboxRecord, '_id' | 'timezone'>;
  /** What is counted and told, when it is known how the lead went on. */
  readonly count: (advanced: AdvancedLead) => CampaignCount;
  readonly events: (advanced: AdvancedLead) => readonly NewEvent[];
}

/** One of them did not go through: none of them did. */
class GroupUndone extends Error {}

/** Outcomes of several mailboxes in one transaction, like `SendBatchService`; for the usual one, that the server took the email. */
@Injectable()
export class SentGroupsService {
  readonly #groups = new WorkspaceBatcher<SentWrites, boolean>(
    (workspaceId, sent) => this.#settle(workspaceId, sent),
    BATCH_WINDOW_MS,
  );

  constructor(
    private readonly sends: SendBatchRepository,
    private readonly leads: DueLeadRepository,
    private readonly counters: CampaignCountersService,
    private readonly figures: MailboxFiguresService,
    private readonly events: EventsService,
    private readonly transactions: TransactionService,
    private readonly log: LogService,
  ) {}

  /**
   * @returns false when it has to be written alone
   * @throws when nobody knows whether it was written: then the next turn finds out
   */
  async settle(sent: SentWrites): Promise<boolean> {
    return this.#groups.run(sent.send.workspaceId, sent);
  }

  async #settle(workspaceId: Types.ObjectId, sent: readonly SentWrites[]): Promise<boolean[]> {
    try {
      await this.transactions.run(() => this.#write(workspaceId, sent));
      return sent.map(() => true);
    } catch (error) {
      const told = { outcomes: sent.length, reason: error instanceof Error ? error.message : String(error) };
      if (mayBeCommitted(error)) {
        this.log.warn('It is not known whether a group of outcomes was written: it is looked for', told);
        const found = await this.sends.findAll(
          workspaceId,
          sent.map(({ send }) => send._id),
        );
        return sent.map(({ send }) => found.get(send._id.toHexString())?.state === 'sent');
      }
      this.log.debug('A group of outcomes is written one by one', told);
      return sent.map(() => false);
    }
  }

  async #write(workspaceId: Types.ObjectId, sent: readonly SentWrites[]): Promise<void> {
    if (!(await this.sends.sentAll(sent))) throw new GroupUndone('a send was changed');
    const advanced = await this.leads.advanceAll(
      sent.map(({ send, progress }) => ({
        lead: { _id: send.leadId, workspaceId },
        sendId: send._id,
        progress,
      })),
    );
    if (!advanced) throw new GroupUndone('a lead was changed');
    const each = sent.flatMap((one, at) => {
      const lead = advanced[at];
      return lead ? [{ ...one, lead }] : [];
    });
    const counts = each.map(({ send: { campaignId, mailboxId }, count, lead }) => ({
      campaignId,
      mailboxId,
      count: count(lead),
    }));
    if (!(await this.counters.countAll(workspaceId, counts))) throw new GroupUndone('a share is missing');
    const figures = each.map(({ mailbox, outcome }) => ({ mailbox, at: outcome.at }));
    if (!(await this.figures.sentAll(workspaceId, figures))) throw new GroupUndone('a mailbox is gone');
    const events = each.flatMap((one) => one.events(one.lead));
    await this.events.recordAll(systemScope(workspaceId.toHexString()), events);
  }
}
