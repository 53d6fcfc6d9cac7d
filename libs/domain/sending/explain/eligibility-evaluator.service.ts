import { type CampaignRecord, type CampaignShare } from '@domain/campaigns';
import { type LeadRecord } from '@domain/leads';
import { type MailboxRecord, MailboxRepository } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { campaignGate } from '../decide/campaign-gate';
import { decideSend } from '../decide/decide';
import { type CampaignFacts, type Decision, type LeadFacts, type MailboxFacts, type Opening } from '../decide/facts';
import { type SenderMailbox } from '../pipeline/sender-run';
import { PlannerDataSourceService } from '../pipeline/planner-data-source.service';
import { campaignFacts } from '../pipeline/stored-facts';
import { SendBudgetRepository } from '../quota/send-budget.repository';
import { SendQuotaRepository } from '../quota/send-quota.repository';
import { type MissingValue, missingValues } from './missing-values';
import { planWithoutLease, storedMailboxFacts } from './stored-mailbox-facts';

/** The decision about a lead, and the mailbox that it applies to. */
export interface LeadVerdict {
  readonly decision: Decision;
  readonly mailbox: MailboxRecord;
  /** The missing values of its next email from this mailbox. */
  readonly missing: readonly MissingValue[];
}

/** A mailbox of a campaign with the facts of a run. */
export interface MailboxEligibility {
  readonly mailbox: MailboxRecord;
  readonly facts: MailboxFacts;
  readonly campaign: CampaignFacts;
  /** Whether it can send for the campaign now. */
  readonly opening: Opening;
}

/** A lead to evaluate. */
export interface LeadToEvaluate {
  readonly lead: LeadRecord;
  readonly inFlight: LeadFacts['inFlight'];
  readonly now: Date;
}

/** Evaluates leads as runs of their mailboxes would, without acquiring a lease. */
@Injectable()
export class EligibilityEvaluatorService {
  constructor(
    private readonly sources: PlannerDataSourceService,
    private readonly mailboxes: MailboxRepository,
    private readonly budgets: SendBudgetRepository,
    private readonly quotas: SendQuotaRepository,
  ) {}

  /** Returns the existing mailboxes of these shares. */
  async at(campaign: CampaignRecord, shares: readonly CampaignShare[], now: Date): Promise<MailboxEligibility[]> {
    const found = await this.#found(campaign, shares);
    // The limits are the same for all mailboxes.
    const limits = { day: this.quotas.dayOf(campaign, now), used: await this.quotas.usedToday(campaign, now) };
    return found.map(({ senderMailbox: { record, facts }, share }) => {
      const campaignState = campaignFacts(campaign, share, limits);
      return { mailbox: record, facts, campaign: campaignState, opening: campaignGate(now, campaignState, facts) };
    });
  }

  /** Returns the decision of each mailbox about a lead. */
  async of(
    campaign: CampaignRecord,
    shares: readonly CampaignShare[],
    { lead, inFlight, now }: LeadToEvaluate,
  ): Promise<LeadVerdict[]> {
    const found = await this.#found(campaign, shares);
    const verdicts = await Promise.all(
      found.map(async ({ senderMailbox, share }) => {
        const source = this.sources.open(senderMailbox, now);
        const campaignState = await source.campaign(campaign, share);
        const leads = await source.refresh(campaignState, [lead]);
        const { _id, email, displayName } = senderMailbox.record;
        const sender = { mailboxId: _id.toHexString(), email, displayName };
        return leads.map(({ facts, record, email: next }) => ({
          decision: decideSend({
            now,
            mailbox: senderMailbox.facts,
            campaign: campaignState.facts,
            lead: { ...facts, inFlight },
          }),
          mailbox: senderMailbox.record,
          missing: missingValues(record, next, sender),
        }));
      }),
    );
    return verdicts.flat();
  }

  async #found({ workspaceId }: CampaignRecord, shares: readonly CampaignShare[]) {
    const records = await this.mailboxes.findAll(
      workspaceId,
      shares.flatMap(({ mailboxId }) => mailboxId ?? []),
    );
    const found = shares.flatMap((share) => {
      const record = records.get(share.mailboxId?.toHexString() ?? '');
      return record ? [{ record, share }] : [];
    });
    const states = await this.budgets.statesOf(found.map(({ record }) => record));
    return found.map(({ record, share }): { senderMailbox: SenderMailbox; share: CampaignShare } => {
      const state = states.get(record._id.toHexString());
      const senderMailbox = {
        lease: planWithoutLease(record, state),
        record,
        facts: storedMailboxFacts(record, state),
      };
      return { share, senderMailbox };
    });
  }
}
