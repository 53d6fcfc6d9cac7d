import { systemScope } from '@domain/access';
import { ActiveCampaignsRepository, type CampaignCount, CampaignCountersService } from '@domain/campaigns';
import { EventsService, type NewEvent } from '@domain/events';
import { type AdvancedLead, DueLeadRepository, type LeadProgress } from '@domain/leads';
import { MailboxFiguresService, type MailboxRecord } from '@domain/mailboxes';
import {
  type HandoverFields,
  type MailboxLease,
  type NewSend,
  SendBatchRepository,
  type SendOutcome,
  type SendRecord,
} from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { mayBeCommitted, TransactionService } from '@platform/database';
import { LogService } from '@platform/observability';
import { type Types } from 'mongoose';
import { type MailboxTokens } from '../../decide/facts';
import { type EngineCampaign, type EngineLead } from '../mailbox-sender-cache';
import { BATCH_WINDOW_MS, WorkspaceBatcher } from './workspace-batcher';

/** The writes of one claim. */
export interface ClaimWrites {
  readonly send: NewSend;
  readonly lead: EngineLead['record'];
  readonly lease: MailboxLease;
  readonly tokens: MailboxTokens;
  readonly share: EngineCampaign['share'];
  readonly nextAt: Date | null;
  readonly isNew: boolean;
}

/** One write of the batch did not match: the whole transaction is aborted. */
class BatchRejectedError extends Error {}

/** The writes of the outcome of one accepted email. */
export interface SentWrites {
  readonly send: SendRecord;
  readonly outcome: Extract<SendOutcome, { state: 'sent' }>;
  readonly progress: LeadProgress;
  readonly mailbox: Pick<MailboxRecord, '_id' | 'timezone'>;
  /** The counters and events that follow from the progress of the lead. */
  readonly count: (advanced: AdvancedLead) => CampaignCount;
  readonly events: (advanced: AdvancedLead) => readonly NewEvent[];
}

interface MarkInput {
  readonly send: SendRecord;
  readonly fields: HandoverFields;
}

/**
 * Writes the claims of several mailboxes in one transaction (group commit): as durable as single writes, and many times
 * cheaper. Optimistic: if one claim meets a race, all are undone and each is retried alone, which finds its own result.
 */
@Injectable()
export class SendBatchService {
  readonly #claims = new WorkspaceBatcher<ClaimWrites, SendRecord | null>(
    (workspaceId, claims) => this.#claim(workspaceId, claims),
    BATCH_WINDOW_MS,
  );
  readonly #outcomes = new WorkspaceBatcher<SentWrites, boolean>(
    (workspaceId, sent) => this.#settle(workspaceId, sent),
    BATCH_WINDOW_MS,
  );
  readonly #marks = new WorkspaceBatcher<MarkInput, boolean>(
    (_workspaceId, requests) => this.sends.markSendingAll(requests),
    0,
  );

  constructor(
    private readonly sends: SendBatchRepository,
    private readonly leads: DueLeadRepository,
    private readonly campaigns: ActiveCampaignsRepository,
    private readonly transactions: TransactionService,
    private readonly log: LogService,
    private readonly counters: CampaignCountersService,
    private readonly figures: MailboxFiguresService,
    private readonly events: EventsService,
  ) {}

  /**
   * Claims an email that has no send yet and uses no daily limit.
   * @returns null when the claim must be written alone
   * @throws when it is unknown whether the claim was committed: the next run recovers it
   */
  async claim(writes: ClaimWrites): Promise<SendRecord | null> {
    return this.#claims.run(writes.lead.workspaceId, writes);
  }

  /**
   * @returns false if the outcome must be written alone
   * @throws if it is unknown whether the outcome was committed: the next run resolves it
   */
  async settle(sent: SentWrites): Promise<boolean> {
    return this.#outcomes.run(sent.send.workspaceId, sent);
  }

  /** Marks the send right before its handover. False when it was withheld or the lease was lost: no handover may follow. */
  async markSending(send: SendRecord, fields: HandoverFields): Promise<boolean> {
    return this.#marks.run(send.workspaceId, { send, fields });
  }

  async #claim(workspaceId: Types.ObjectId, claims: readonly ClaimWrites[]): Promise<(SendRecord | null)[]> {
    try {
      return await this.transactions.run(() => this.#writeClaims(workspaceId, claims));
    } catch (error) {
      const details = { claims: claims.length, reason: error instanceof Error ? error.message : String(error) };
      if (mayBeCommitted(error)) {
        this.log.warn('It is unknown whether a batch of claims was committed; the sends are read', details);
        const found = await this.sends.findAll(
          workspaceId,
          claims.map(({ send }) => send._id),
        );
        // All or none exist, since the ids were created for this batch.
        return claims.map(({ send }) => found.get(send._id.toHexString()) ?? null);
      }
      this.log.debug('The claims of a batch are written one by one', details);
      return claims.map(() => null);
    }
  }

  async #writeClaims(workspaceId: Types.ObjectId, claims: readonly ClaimWrites[]): Promise<SendRecord[]> {
    const taken = await this.leads.reserveAll(
      claims.map(({ lead, send }) => ({ lead, sendId: send._id, sender: send.mailboxId })),
    );
    if (!taken) throw new BatchRejectedError('a lead was changed');
    const sends = await this.sends.claimAll(claims.map(({ send }) => send));
    const budgets = claims.map(({ lease, tokens }) => ({ lease, budget: tokens }));
    if (!(await this.sends.writeBudgets(budgets))) throw new BatchRejectedError('a lease was lost');
    const served = claims.map(({ share, send, nextAt, isNew }) => ({ share, at: send.claimedAt, nextAt, isNew }));
    if (!(await this.campaigns.recordServedAll(workspaceId, served)))
      throw new BatchRejectedError('a mailbox left a campaign');
    return sends;
  }

  async #settle(workspaceId: Types.ObjectId, sent: readonly SentWrites[]): Promise<boolean[]> {
    try {
      await this.transactions.run(() => this.#writeSent(workspaceId, sent));
      return sent.map(() => true);
    } catch (error) {
      const details = { outcomes: sent.length, reason: error instanceof Error ? error.message : String(error) };
      if (mayBeCommitted(error)) {
        this.log.warn('It is unknown whether a batch of outcomes was committed; the sends are read', details);
        const found = await this.sends.findAll(
          workspaceId,
          sent.map(({ send }) => send._id),
        );
        return sent.map(({ send }) => found.get(send._id.toHexString())?.state === 'sent');
      }
      this.log.debug('The outcomes of a batch are written one by one', details);
      return sent.map(() => false);
    }
  }

  async #writeSent(workspaceId: Types.ObjectId, sent: readonly SentWrites[]): Promise<void> {
    if (!(await this.sends.settleAllSent(sent))) throw new BatchRejectedError('a send was changed');
    const advanced = await this.leads.advanceAll(
      sent.map(({ send, progress }) => ({
        lead: { _id: send.leadId, workspaceId },
        sendId: send._id,
        progress,
      })),
    );
    if (!advanced) throw new BatchRejectedError('a lead was changed');
    const each = sent.flatMap((one, at) => {
      const lead = advanced[at];
      return lead ? [{ ...one, lead }] : [];
    });
    const counts = each.map(({ send: { campaignId, mailboxId }, count, lead }) => ({
      campaignId,
      mailboxId,
      count: count(lead),
    }));
    if (!(await this.counters.countAll(workspaceId, counts))) throw new BatchRejectedError('a share is missing');
    const figures = each.map(({ mailbox, outcome }) => ({ mailbox, at: outcome.at }));
    if (!(await this.figures.sentAll(workspaceId, figures))) throw new BatchRejectedError('a mailbox was deleted');
    const events = each.flatMap((one) => one.events(one.lead));
    await this.events.recordAll(systemScope(workspaceId.toHexString()), events);
  }
}
