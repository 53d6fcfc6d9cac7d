import { randomUUID } from 'node:crypto';
import { type WorkspaceScope } from '@domain/access';
import { type LeadVerificationPolicy } from '@domain/campaigns';
import { CreditReservationsService, CreditsService } from '@domain/credits';
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

/** Leads that are verified at once, and written in one transaction. */
const CHUNK = 100;

/** Milliseconds for one address: most of it is waiting for a turn at its provider. */
const ADDRESS_TIMEOUT_MS = 45_000;

/** How soon is looked again whether there are credits. */
const NO_CREDITS_MS = 15 * 60_000;

/** How soon an address is tried again whose verification went wrong. */
const FAILED_MS = 10 * 60_000;

/** Credits for an answer about one address. */
const PRICE = 1;

/** A worker that dies leaves its reservation, which is released after so many milliseconds. */
const RESERVED_MS = 600_000;

/** Times that credits are asked for which somebody else takes first. */
const MAX_TRIES = 5;

/** Credits that are held back for some leads. */
export interface LeadCredits {
  readonly operation: string;
  /** Leads that they are enough for. */
  readonly leads: number;
}

/** Verifies the addresses of some leads of a campaign, and does with the leads what its policy says. */
@Injectable()
export class LeadVerificationService {
  constructor(
    private readonly unverified: UnverifiedLeadService,
    private readonly verification: EmailVerificationService,
    private readonly reservations: CreditReservationsService,
    private readonly credits: CreditsService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /**
   * The next leads that are due. What was found out, what becomes of the leads and what it costs are written together: a worker
   * that dies has changed nothing and charged nothing, and its reservation ends by itself.
   * @returns whether there may be more
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
   * For as many of so many leads as the workspace has credits; null when it has none.
   * @throws INSUFFICIENT_CREDITS while others keep taking them first: it is not known then whether there are any
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

  /** Takes the price of so many answers and gives the rest back; joins the running transaction. */
  async #settleCredits(workspace: WorkspaceScope, { operation }: LeadCredits, answers: number): Promise<void> {
    if (answers === 0) await this.reservations.release(workspace, operation);
    else await this.reservations.settle(workspace, operation, answers * PRICE);
  }

  /** Gives all of it back after a failure, unless what was found out was written and paid for after all. */
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

  /** Those that were looked at before the signal; the others are due still. */
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

  /** Not thrown: the other leads of the campaign would wait for it for ever. */
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
      // Leads that were removed or stopped meanwhile cost nothing, though they were looked at.
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
