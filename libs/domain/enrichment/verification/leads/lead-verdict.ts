import { type LeadVerificationPolicy } from '@domain/campaigns';
import { decideAction, type UnverifiedLead, type VerifiedLead } from '@domain/leads';
import { type Verification } from '../verdict';

/** Maximum number of attempts; after the last one the result is `unknown`. */
export const MAX_ATTEMPTS = 6;
export const NO_CREDITS = 'no_credits';
/** The verification failed with an error of this installation. */
const FAILED = 'verification_failed';

export type LeadOutcome =
  | { readonly kind: 'verified'; readonly verified: VerifiedLead; readonly isDecisive: boolean }
  | { readonly kind: 'later'; readonly lead: UnverifiedLead; readonly at: Date; readonly reasons: readonly string[] };

type Found = Pick<Verification, 'result' | 'reasons' | 'checkedAt' | 'retryAt'>;

/** Decides the outcome for a lead by the result of its verification. Pure. */
export function decideLeadOutcome(lead: UnverifiedLead, found: Found, policy: LeadVerificationPolicy): LeadOutcome {
  const { result, reasons, checkedAt, retryAt } = found;
  const isLast = lead.verification.attempts + 1 >= MAX_ATTEMPTS;
  if (retryAt !== null && !isLast) return { kind: 'later', lead, at: retryAt, reasons };
  const verified = { lead, result, reasons, checkedAt, action: decideAction(policy, result) };
  return { kind: 'verified', verified, isDecisive: result !== 'unknown' };
}

/**
 * Decides the outcome for a lead whose verification failed with an error: a retry, and `unknown` after the last
 * attempt. Pure.
 */
export function decideFailureOutcome(
  lead: UnverifiedLead,
  { now, again }: { readonly now: Date; readonly again: Date },
  policy: LeadVerificationPolicy,
): LeadOutcome {
  const found = { result: 'unknown', reasons: [], checkedAt: now, retryAt: again } as const;
  const outcome = decideLeadOutcome(lead, found, policy);
  const reasons = [FAILED];
  return outcome.kind === 'later'
    ? { ...outcome, reasons }
    : { ...outcome, verified: { ...outcome.verified, reasons } };
}

/** The settlement of a lead that is not verified because the workspace has no credits. Pure. */
export function toUnpaidLead(lead: UnverifiedLead, policy: LeadVerificationPolicy): VerifiedLead {
  return { lead, result: null, reasons: [NO_CREDITS], checkedAt: null, action: decideAction(policy, null) };
}
