import { randomUUID } from 'node:crypto';
import { type WorkspaceScope, systemScope } from '@domain/access';
import { CampaignRepository, type LeadVerificationPolicy, getVerification } from '@domain/campaigns';
import { CreditsService } from '@domain/credits';
import { WorkspaceRepository } from '@domain/identity';
import {
  type LeadVerifier,
  LEAD_VERIFIER,
  type UnverifiedLead,
  UnverifiedLeadService,
  type VerificationCampaign,
  type VerifiedLead,
} from '@domain/leads';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LeaseService, TransactionService, parseId } from '@platform/database';
import { AppError } from '@platform/errors';
import { Listens } from '@platform/hooks';
import { LogService } from '@platform/observability';
import { type Sweep } from '@platform/queues';
import { type Types } from 'mongoose';
import { EmailVerificationService } from '../email-verification.service';
import { type LeadOutcome, NO_CREDITS, decideFailureOutcome, decideLeadOutcome, toUnpaidLead } from './lead-verdict';
import { LeadVerificationQueue, type VerifyLeads } from './lead-verification.queue';

/** Maximum number of concurrent campaigns of a workspace, so that other workspaces are not blocked. */
const MAX_RUNS_PER_WORKSPACE = 2;

/** Milliseconds after which other campaigns get the worker; the sweep continues this one. */
const RUN_MS = 60_000;

/**
 * Milliseconds before leads of an archived campaign or a deleted workspace are checked again: either may be restored.
 */
const RESTING_MS = 24 * 3_600_000;

/** Maximum number of campaigns per sweep; the next sweep continues after them. */
const MOST_CAMPAIGNS = 500;

/** Number of leads that are verified at once and settled in one transaction. */
const CHUNK = 100;

/** Milliseconds for one address, most of them spent on the rate limit of its provider. */
const ADDRESS_TIMEOUT_MS = 45_000;

/** Milliseconds before credits are checked again. */
const NO_CREDITS_MS = 15 * 60_000;

/** Milliseconds before a failed verification is retried. */
const FAILED_MS = 10 * 60_000;

/** Credits for one answer. */
const PRICE = 1;

/** Milliseconds after which the reservation of a crashed worker expires. */
const RESERVED_MS = 600_000;

/** Maximum number of attempts to reserve credits against concurrent charges. */
const MAX_TRIES = 5;

/** Reserved credits. */
interface LeadCredits {
  readonly operation: string;
  /** Number of leads that the credits cover. */
  readonly leads: number;
}

/**
 * Verifies the leads of a campaign and applies its policy to them, and keeps a job for each campaign with unverified
 * leads.
 */
@Injectable()
@Listens(LEAD_VERIFIER)
export class LeadVerificationJobService implements Sweep, LeadVerifier {
  readonly name = 'lead-verification';

  /** The last campaign of the previous sweep; null after the end of the list. */
  #after: VerificationCampaign | null = null;

  constructor(
    private readonly unverified: UnverifiedLeadService,
    private readonly campaigns: CampaignRepository,
    private readonly workspaces: WorkspaceRepository,
    private readonly leases: LeaseService,
    private readonly queue: LeadVerificationQueue,
    private readonly clock: ClockPort,
    private readonly verification: EmailVerificationService,
    private readonly credits: CreditsService,
    private readonly transactions: TransactionService,
    private readonly log: LogService,
  ) {}

  /**
   * Without effect while another worker holds the campaign, or while the workspace runs its maximum: the sweep retries.
   * Interrupted leads are retried by other workers.
   */
  async run(named: VerifyLeads, signal: AbortSignal): Promise<void> {
    for (let number = 0; number < MAX_RUNS_PER_WORKSPACE; number += 1) {
      const hasRun = await this.leases.runUnderLease(
        `lead-verification/${named.workspaceId}/${number}`,
        signal,
        (inSlot) => this.#runInSlot(named, inSlot),
      );
      if (hasRun) return;
    }
  }

  async onLeadsAdded({ workspaceId }: Pick<WorkspaceScope, 'workspaceId'>, campaignId: Types.ObjectId): Promise<void> {
    await this.queue.plan({ workspaceId, campaignId: campaignId.toHexString() });
  }

  async sweep(): Promise<number> {
    let created = 0;
    for (let examined = 0; examined < MOST_CAMPAIGNS; examined += 1) {
      const found = await this.unverified.campaignAfter(this.#after);
      this.#after = found;
      if (!found) break;
      if (!found.isDue) continue;
      const payload = { workspaceId: found.workspaceId.toHexString(), campaignId: found.campaignId.toHexString() };
      if (await this.queue.planIfMissing(payload)) created += 1;
    }
    return created;
  }

  /** A second worker would verify the same leads. */
  async #runInSlot(named: VerifyLeads, signal: AbortSignal): Promise<true> {
    await this.leases.runUnderLease(`lead-verification/${named.campaignId}`, signal, (inRun) =>
      this.#verifyInRun(named, inRun),
    );
    return true;
  }

  async #verifyInRun(named: VerifyLeads, signal: AbortSignal): Promise<void> {
    const until = performance.now() + RUN_MS;
    while (!signal.aborted && performance.now() < until) {
      if (!(await this.#runChunk(named, signal))) return;
    }
  }

  /** @returns whether more leads may be due */
  async #runChunk({ workspaceId, campaignId }: VerifyLeads, signal: AbortSignal): Promise<boolean> {
    const id = parseId(campaignId);
    const campaign = id && (await this.campaigns.peek(workspaceId, id));
    // The leads are being deleted with their campaign.
    if (!campaign) return false;
    const place = { workspaceId: campaign.workspaceId, campaignId: campaign._id };
    const isAlive = (await this.workspaces.filterAlive([workspaceId])).has(workspaceId);
    if (!isAlive || campaign.status === 'archived') {
      await this.unverified.postponeAll(place, this.clock.in(RESTING_MS), 'campaign_archived');
      return false;
    }
    return this.#verifyDue(systemScope(workspaceId), place, getVerification(campaign), signal);
  }

  /**
   * Verifies the next due leads. Results, lead changes and charges are written in one transaction: a crashed worker has
   * changed and charged nothing, and its reservation expires.
   * @returns whether more leads may be due
   */
  async #verifyDue(
    workspace: WorkspaceScope,
    campaign: VerificationCampaign,
    policy: LeadVerificationPolicy,
    signal: AbortSignal,
  ): Promise<boolean> {
    const due = await this.unverified.due(campaign, CHUNK);
    if (due.length === 0) return false;
    const paid = await this.#reserveCredits(workspace, due.length);
    if (paid === null) return this.#applyUnpaid(workspace, campaign, due, policy);
    try {
      const outcomes = await this.#findOutcomes(due.slice(0, paid.leads), policy, signal);
      await this.#settle(workspace, campaign, outcomes, paid);
    } catch (error) {
      await this.#releaseCredits(workspace, paid);
      throw error;
    }
    return !signal.aborted;
  }

  /**
   * Reserves credits for as many of the leads as the workspace can pay; null without credits.
   * @throws INSUFFICIENT_CREDITS while concurrent charges keep taking the credits
   */
  async #reserveCredits(workspace: WorkspaceScope, requested: number): Promise<LeadCredits | null> {
    for (let tries = 1; ; tries += 1) {
      const { balance } = await this.credits.balance(workspace);
      const leads = Math.min(requested, Math.floor(balance / PRICE));
      if (leads === 0) return null;
      const operation = `lead-verification:${randomUUID()}`;
      const request = { amount: leads * PRICE, reason: 'Verification of leads', operation, ttlMs: RESERVED_MS };
      try {
        await this.credits.reserve(workspace, request);
        return { operation, leads };
      } catch (error) {
        if (!hasCode(error, 'INSUFFICIENT_CREDITS') || tries === MAX_TRIES) throw error;
      }
    }
  }

  /** Charges the answers and releases the other credits; joins the running transaction. */
  async #settleCredits(workspace: WorkspaceScope, { operation }: LeadCredits, answers: number): Promise<void> {
    if (answers === 0) await this.credits.release(workspace, operation);
    else await this.credits.settle(workspace, operation, answers * PRICE);
  }

  /** Releases the credits after a failure, unless the results were committed and charged in spite of it. */
  async #releaseCredits(workspace: WorkspaceScope, { operation }: LeadCredits): Promise<void> {
    try {
      await this.credits.release(workspace, operation);
    } catch (error) {
      if (!hasCode(error, 'CONFLICT')) throw error;
    }
  }

  async #applyUnpaid(
    workspace: WorkspaceScope,
    campaign: VerificationCampaign,
    due: readonly UnverifiedLead[],
    policy: LeadVerificationPolicy,
  ): Promise<boolean> {
    if (policy.noCredits === 'hold') {
      await this.unverified.postponeAll(campaign, this.clock.in(NO_CREDITS_MS), NO_CREDITS);
      return false;
    }
    await this.#write(
      workspace,
      campaign,
      due.map((lead) => toUnpaidLead(lead, policy)),
      async () => undefined,
    );
    return true;
  }

  /** The outcomes before the signal; the other leads stay due. */
  async #findOutcomes(
    leads: readonly UnverifiedLead[],
    policy: LeadVerificationPolicy,
    signal: AbortSignal,
  ): Promise<LeadOutcome[]> {
    const deadline = this.clock.in(ADDRESS_TIMEOUT_MS);
    const verified = await Promise.all(
      leads.map(async (lead): Promise<LeadOutcome[]> => {
        const { attempts } = lead.verification;
        try {
          const found = await this.verification.verify(lead.email, { signal, deadline, attempts });
          return [decideLeadOutcome(lead, found, policy)];
        } catch (error) {
          return signal.aborted ? [] : [this.#failed(lead, error, policy)];
        }
      }),
    );
    return verified.flat();
  }

  /** Not thrown: an error would block the other leads of the campaign for ever. */
  #failed(lead: UnverifiedLead, error: unknown, policy: LeadVerificationPolicy): LeadOutcome {
    this.log.error('The address of a lead could not be verified', error, { leadId: lead._id.toHexString() });
    return decideFailureOutcome(lead, { now: this.clock.now(), again: this.clock.in(FAILED_MS) }, policy);
  }

  async #settle(
    workspace: WorkspaceScope,
    campaign: VerificationCampaign,
    outcomes: readonly LeadOutcome[],
    paid: LeadCredits,
  ): Promise<void> {
    const verified = outcomes.flatMap((outcome) => (outcome.kind === 'verified' ? [outcome.verified] : []));
    const decisive = new Set(
      outcomes.flatMap((outcome) => (outcome.kind === 'verified' && outcome.isDecisive ? [outcome.verified] : [])),
    );
    await this.#write(workspace, campaign, verified, (written) =>
      // Leads that were removed or stopped meanwhile are free of charge.
      this.#settleCredits(workspace, paid, written.filter((each) => decisive.has(each)).length),
    );
    await this.unverified.postpone(
      campaign,
      outcomes.flatMap((outcome) => (outcome.kind === 'later' ? [outcome] : [])),
    );
  }

  async #write(
    workspace: WorkspaceScope,
    campaign: VerificationCampaign,
    verified: readonly VerifiedLead[],
    charge: (written: readonly VerifiedLead[]) => Promise<void>,
  ): Promise<void> {
    const settled = await this.transactions.run(async () => {
      const settled = await this.unverified.settle(workspace, campaign.campaignId, verified);
      await charge(settled.verified);
      return settled;
    });
    await this.unverified.scheduleSending(workspace, settled);
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof AppError && error.code === code;
}
