import { systemScope } from '@domain/access';
import {
  ActiveCampaignsRepository,
  CampaignCountersService,
  nextStep,
  SequenceVersionService,
} from '@domain/campaigns';
import { EventsService } from '@domain/events';
import { DueLeadRepository, type LeadRecord } from '@domain/leads';
import { isFinal, mayBecome, type SendRecord, SendRepository, toMessageId, wasTried } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { afterDelay } from '@platform/time';
import { Types } from 'mongoose';
import { takeToken } from '../decide/tokens';
import { QuotaFullError } from '../quota/quota-full.errors';
import { type CountedEmail, SendQuotaRepository } from '../quota/send-quota.repository';
import { type ClaimWrites, SendBatchService } from './batching/send-batch.service';
import { getNextAt } from './mailbox-send-interval';
import { type EngineCampaign, type EngineLead } from './mailbox-sender-cache';
import { type MailClaim, type SupersededPart } from './outbound-mail-source';

/** The postponement of a lead whose send is not final yet. */
const ON_ITS_WAY_MS = 900_000;

/** A claimed email, which no other worker sends. */
export interface Claim {
  readonly send: SendRecord;
  readonly campaign: EngineCampaign;
  readonly lead: EngineLead;
  readonly email: NonNullable<EngineLead['email']>;
  readonly at: Date;
  /** Whether nothing was sent to the lead before. */
  readonly wasNew: boolean;
}

/**
 * Claims an email: writes the send, the lead, the mailbox's budget and the campaign's limits in one transaction.
 * Advances leads past a step that they have already received, because the sequence was reordered, or because the step
 * failed and the lead continues.
 */
@Injectable()
export class SendClaimService {
  constructor(
    private readonly sends: SendRepository,
    private readonly leads: DueLeadRepository,
    private readonly campaigns: ActiveCampaignsRepository,
    private readonly quotas: SendQuotaRepository,
    private readonly transactions: TransactionService,
    private readonly batches: SendBatchService,
    private readonly sequences: SequenceVersionService,
    private readonly counters: CampaignCountersService,
    private readonly events: EventsService,
    private readonly clock: ClockPort,
  ) {}

  /** @returns what has changed since the plan, if the email can no longer be claimed */
  async claim(
    campaign: EngineCampaign,
    lead: EngineLead,
    { mailbox: { lease, record: mailbox, facts }, at, withBudget }: MailClaim,
  ): Promise<Claim | SupersededPart> {
    const { email } = lead;
    if (!email) return 'mail';
    const wasNew = lead.facts.isNew;
    const counted = { domain: lead.record.domain, isNew: wasNew, at };
    const sendId = new Types.ObjectId();
    const writes: ClaimWrites = {
      send: {
        _id: sendId,
        workspaceId: mailbox.workspaceId,
        campaignId: campaign.record._id,
        leadId: lead.record._id,
        stepId: email.step._id,
        stepOrder: email.step.order,
        variantId: email.variant._id,
        sequenceVersion: campaign.record.sequenceVersion,
        mailboxId: mailbox._id,
        email: lead.record.email,
        fence: lease.fence,
        messageId: toMessageId(sendId.toHexString(), mailbox.email),
        claimedAt: at,
        places: this.quotas.placesOf(campaign.record, counted),
        wasNew,
      },
      lead: lead.record,
      lease,
      tokens: takeToken(facts, at),
      share: campaign.share,
      nextAt: getNextAt(campaign, lead, at),
      // A lead that continues after a failed first step has its sender and is already counted.
      isNew: wasNew && lead.record.mailboxId === null,
    };
    const send =
      (await this.#claimTogether(writes)) ?? (await withBudget(() => this.#writeClaim(writes, campaign, counted)));
    return typeof send === 'string' ? send : { send, campaign, lead, email, at, wasNew };
  }

  /** A lead without a sender has no send yet. Without a shared limit, its claim can be written in a batch. */
  async #claimTogether(writes: ClaimWrites): Promise<SendRecord | null> {
    const { lead, send } = writes;
    return lead.mailboxId === null && lead.sentCount === 0 && !send.places ? this.batches.claim(writes) : null;
  }

  async #writeClaim(
    { send, lead, share, nextAt, isNew }: ClaimWrites,
    campaign: EngineCampaign,
    counted: CountedEmail,
  ): Promise<SendRecord | SupersededPart> {
    const claimed = await this.sends.claim(send);
    const isTaken = claimed && (await this.leads.reserve(lead, { sendId: claimed._id, sender: send.mailboxId }));
    if (!isTaken) return 'mail';
    const served = { at: send.claimedAt, nextAt, isNew: isNew && claimed.attempt === 1 };
    if (!(await this.campaigns.recordServed(send.workspaceId, share, served))) return 'mailbox';
    try {
      await this.quotas.reserve(campaign.record, counted);
    } catch (error) {
      if (error instanceof QuotaFullError) return 'mail';
      throw error;
    }
    return claimed;
  }

  /** Records a late handover: the campaign's interval counts from now. */
  async recordLateHandover({ send, campaign, lead }: Claim, now: Date): Promise<void> {
    const nextAt = getNextAt(campaign, lead, now);
    if (nextAt) await this.campaigns.recordServed(send.workspaceId, campaign.share, { at: now, nextAt, isNew: false });
  }

  /** Undoes a claim that was not handed over. Joins the transaction. @param dueAt when the lead is due again */
  async release({ send, lead, wasNew }: Claim, dueAt: Date): Promise<void> {
    await this.#undo(send, { lead: lead.record, wasNew, dueAt });
  }

  /** Releases an abandoned claim with its lead; joins the running transaction. False if it is already released. */
  async releaseLead(send: SendRecord, reason: string): Promise<boolean> {
    if (!(await this.sends.release(send, reason))) return false;
    const { workspaceId, leadId } = send;
    const lead = await this.leads.find(workspaceId, leadId);
    // An erased lead received no email: the use of its claim is released all the same.
    const wasNew = lead === null || lead.sentCount === 0;
    await this.#undo(send, { lead: { _id: leadId, workspaceId }, wasNew, dueAt: send.claimedAt });
    return true;
  }

  /**
   * Releases a claim that was attempted: the same mailbox retries it, and the day's limits do not count it again. Joins
   * the running transaction. False if the lead was deleted.
   */
  async putBack(send: SendRecord, dueAt: Date): Promise<boolean> {
    const { _id, workspaceId, leadId } = send;
    await this.quotas.release(send);
    return this.leads.release({ _id: leadId, workspaceId }, _id, dueAt, { retainsSender: true });
  }

  /**
   * Moves the lead past a step whose send is final. Postpones a due lead whose send is not final, so that it does not
   * block others. False if neither prevented the claim.
   */
  async skipSentSteps({ record: campaign }: EngineCampaign, { record: lead, email }: EngineLead): Promise<boolean> {
    const all = await this.sends.listOfLead(lead.workspaceId, lead._id);
    const had = all.find(({ stepId }) => email && stepId.equals(email.step._id));
    if (!email || !had) return false;
    const now = this.clock.now();
    if (!isFinal(had.state)) {
      if (mayBecome(had.state, 'claimed')) return false;
      await this.leads.postpone(lead, new Date(now.getTime() + ON_ITS_WAY_MS));
      return true;
    }
    const sequence = await this.sequences.findCurrent(campaign);
    const following = sequence && nextStep(sequence.steps, email.step._id);
    const dueAt = following ? afterDelay(now, following.delay, campaign.sendingSchedule) : now;
    return this.transactions.run(async () => {
      const passed = await this.leads.skipStep(lead, following ? { stepId: following._id, dueAt } : null);
      if (!passed) return false;
      if (passed.finished) await this.#recordFinished(lead);
      return true;
    });
  }

  async #undo(
    send: SendRecord,
    { lead, wasNew, dueAt }: { lead: Pick<LeadRecord, '_id' | 'workspaceId'>; wasNew: boolean; dueAt: Date },
  ): Promise<void> {
    const { _id, workspaceId, mailboxId, campaignId } = send;
    // A lead that was counted before this claim stays counted and keeps its sender.
    const wasTaken = wasNew && (await this.#isFirst(send));
    await this.leads.release(lead, _id, dueAt, { retainsSender: !wasTaken });
    await this.campaigns.undoServed({ workspaceId, mailboxId }, campaignId, { wasNew: wasTaken });
    await this.quotas.release(send);
  }

  /** Tells whether this claim is the lead's first attempt. The sends decide, since the lead may be erased. */
  async #isFirst({ _id, workspaceId, leadId, attempt }: SendRecord): Promise<boolean> {
    if (attempt > 1) return false;
    const sends = await this.sends.listOfLead(workspaceId, leadId);
    return !sends.some((other) => !other._id.equals(_id) && wasTried(other));
  }

  async #recordFinished({ _id, workspaceId, campaignId, email }: EngineLead['record']): Promise<void> {
    const workspace = systemScope(workspaceId.toHexString());
    const leadId = _id.toHexString();
    await this.counters.count(workspaceId, campaignId, null, { leads: { active: -1, completed: 1 } });
    await this.events.record(workspace, {
      type: 'lead.completed',
      dedupeKey: `lead.completed:${leadId}`,
      about: { campaignId: campaignId.toHexString(), leadId },
      data: { email, status: 'completed', reason: 'finished' },
    });
  }
}
