import { type WorkspaceScope } from '@domain/access';
import { type LeadVerificationPolicy } from '@domain/campaigns';
import {
  type VerificationCampaign,
  type UnverifiedLead,
  UnverifiedLeadService,
  type VerifiedLead,
} from '@domain/leads';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { LogService } from '@platform/observability';
import { EmailVerificationService } from '../email-verification.service';
import { type LeadCredits, LeadVerificationCreditsService } from './lead-verification-credits.service';
import { type LeadOutcome, NO_CREDITS, outcomeFor, outcomeOfFailure, unpaid } from './lead-verdict';

/** Leads that are verified at once, and written in one transaction. */
const CHUNK = 100;
/** Milliseconds for one address: most of it is waiting for a turn at its provider. */
const PATIENCE_MS = 45_000;
/** How soon is looked again whether there are credits. */
const NO_CREDITS_MS = 15 * 60_000;
/** How soon an address is tried again whose verification went wrong. */
const FAILED_MS = 10 * 60_000;

/** Verifies the addresses of some leads of a campaign, and does with the leads what its policy says. */
@Injectable()
export class LeadVerificationService {
  constructor(
    private readonly held: UnverifiedLeadService,
    private readonly verifier: EmailVerificationService,
    private readonly credits: LeadVerificationCreditsService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /**
   * The next leads that are due. What was found out, what becomes of the leads and what it costs are written together: a worker
   * that dies has changed nothing and charged nothing, and its reservation ends by itself.
   * @returns whether there may be more
   */
  async run(
    workspace: WorkspaceScope,
    campaign: VerificationCampaign,
    policy: LeadVerificationPolicy,
    signal: AbortSignal,
  ): Promise<boolean> {
    const due = await this.held.due(campaign, CHUNK);
    if (due.length === 0) return false;
    const paid = await this.credits.reserve(workspace, due.length);
    if (paid === null) return this.#unpaid(workspace, campaign, due, policy);
    try {
      const outcomes = await this.#outcomes(due.slice(0, paid.leads), policy, signal);
      await this.#settle(workspace, campaign, outcomes, paid);
    } catch (error) {
      await this.credits.release(workspace, paid);
      throw error;
    }
    return !signal.aborted;
  }

  async #unpaid(
    workspace: WorkspaceScope,
    campaign: VerificationCampaign,
    due: readonly UnverifiedLead[],
    policy: LeadVerificationPolicy,
  ): Promise<boolean> {
    if (policy.noCredits === 'hold') {
      await this.held.postponeAll(campaign, this.clock.in(NO_CREDITS_MS), NO_CREDITS);
      return false;
    }
    await this.#write(
      workspace,
      campaign,
      due.map((lead) => unpaid(lead, policy)),
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
    const deadline = this.clock.in(PATIENCE_MS);
    const looked = await Promise.all(
      leads.map(async (lead): Promise<LeadOutcome[]> => {
        const { attempts } = lead.verification;
        try {
          const found = await this.verifier.verify(lead.email, { signal, deadline, attempts });
          return [outcomeFor(lead, found, policy)];
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
    return outcomeOfFailure(lead, { now: this.clock.now(), again: this.clock.in(FAILED_MS) }, policy);
  }

  async #settle(
    workspace: WorkspaceScope,
    campaign: VerificationCampaign,
    outcomes: readonly LeadOutcome[],
    paid: LeadCredits,
  ): Promise<void> {
    const judged = outcomes.flatMap((outcome) => (outcome.kind === 'judged' ? [outcome.judged] : []));
    const decisive = new Set(
      outcomes.flatMap((outcome) => (outcome.kind === 'judged' && outcome.isDecisive ? [outcome.judged] : [])),
    );
    await this.#write(workspace, campaign, judged, (written) =>
      // Leads that were removed or stopped meanwhile cost nothing, though they were looked at.
      this.credits.settle(workspace, paid, written.filter((each) => decisive.has(each)).length),
    );
    await this.held.postpone(
      campaign,
      outcomes.flatMap((outcome) => (outcome.kind === 'later' ? [outcome] : [])),
    );
  }

  async #write(
    workspace: WorkspaceScope,
    campaign: VerificationCampaign,
    judged: readonly VerifiedLead[],
    charge: (written: readonly VerifiedLead[]) => Promise<void>,
  ): Promise<void> {
    const settled = await this.transactions.run(async () => {
      const settled = await this.held.settle(workspace, campaign.campaignId, judged);
      await charge(settled.verified);
      return settled;
    });
    await this.held.scheduleSending(workspace, settled);
  }
}
