import { randomUUID } from 'node:crypto';
import { type WorkspaceScope } from '@domain/access';
import { type LeadVerificationPolicy } from '@domain/campaigns';
import { CreditsService } from '@domain/credits';
import {
  type UnverifiedLead,
  UnverifiedLeadService,
  type VerificationCampaign,
  type VerifiedLead,
} from '@domain/leads';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { AppError } from '@platform/errors';
import { LogService } from '@platform/observability';
import { EmailVerificationService } from '../email-verification.service';
import { decideFailureOutcome, decideOutcome, type LeadOutcome, NO_CREDITS, toUnpaidLead } from './lead-verdict';

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
export interface LeadCredits {
  readonly operation: string;
  /** Number of leads that the credits cover. */
  readonly leads: number;
}

/** Verifies leads of a campaign, and applies its policy to them. */
@Injectable()
export class LeadVerificationService {
  constructor(
    private readonly unverified: UnverifiedLeadService,
    private readonly verification: EmailVerificationService,
    private readonly reservations: CreditsService,
    private readonly credits: CreditsService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /**
   * Verifies the next due leads. Results, lead changes and charges are written in one transaction: a crashed worker has
   * changed and charged nothing, and its reservation expires.
   * @returns whether more leads may be due
   */
  async verifyDue(
    workspace: WorkspaceScope,
    campaign: VerificationCampaign,
    policy: LeadVerificationPolicy,
    signal: AbortSignal,
  ): Promise<boolean> {
    const due = await this.unverified.due(campaign, CHUNK);
    if (due.length === 0) return false;
    const paid = await this.#reserveCredits(workspace, due.length);
    if (paid === null) return this.#unpaid(workspace, campaign, due, policy);
    try {
      const outcomes = await this.#outcomes(due.slice(0, paid.leads), policy, signal);
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
  async #reserveCredits(workspace: WorkspaceScope, wanted: number): Promise<LeadCredits | null> {
    for (let tries = 1; ; tries += 1) {
      const { balance } = await this.credits.balance(workspace);
      const leads = Math.min(wanted, Math.floor(balance / PRICE));
      if (leads === 0) return null;
      const operation = `lead-verification:${randomUUID()}`;
      const request = { amount: leads * PRICE, reason: 'Verification of leads', operation, ttlMs: RESERVED_MS };
      try {
        await this.reservations.reserve(workspace, request);
        return { operation, leads };
      } catch (error) {
        if (!hasCode(error, 'INSUFFICIENT_CREDITS') || tries === MAX_TRIES) throw error;
      }
    }
  }

  /** Charges the answers and releases the other credits; joins the running transaction. */
  async #settleCredits(workspace: WorkspaceScope, { operation }: LeadCredits, answers: number): Promise<void> {
    if (answers === 0) await this.reservations.release(workspace, operation);
    else await this.reservations.settle(workspace, operation, answers * PRICE);
  }

  /** Releases the credits after a failure, unless the results were committed and charged in spite of it. */
  async #releaseCredits(workspace: WorkspaceScope, { operation }: LeadCredits): Promise<void> {
    try {
      await this.reservations.release(workspace, operation);
    } catch (error) {
      if (!hasCode(error, 'CONFLICT')) throw error;
    }
  }

  async #unpaid(
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
  async #outcomes(
    leads: readonly UnverifiedLead[],
    policy: LeadVerificationPolicy,
    signal: AbortSignal,
  ): Promise<LeadOutcome[]> {
    const deadline = this.clock.in(ADDRESS_TIMEOUT_MS);
    const looked = await Promise.all(
      leads.map(async (lead): Promise<LeadOutcome[]> => {
        const { attempts } = lead.verification;
        try {
          const found = await this.verification.verify(lead.email, { signal, deadline, attempts });
          return [decideOutcome(lead, found, policy)];
        } catch (error) {
          return signal.aborted ? [] : [this.#failed(lead, error, policy)];
        }
      }),
    );
    return looked.flat();
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
