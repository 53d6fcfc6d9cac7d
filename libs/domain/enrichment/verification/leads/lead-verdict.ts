import { type LeadVerificationPolicy } from '@domain/campaigns';
import { actionFor, type UnverifiedLead, type VerifiedLead } from '@domain/leads';
import { type Verification } from '../email-verification.service';

/** Times that an address is looked at before nobody being able to tell is the answer. */
export const MAX_ATTEMPTS = 6;
export const NO_CREDITS = 'no_credits';
/** Something went wrong on our side. */
const FAILED = 'verification_failed';

export type LeadOutcome =
  | { readonly kind: 'verified'; readonly verified: VerifiedLead; readonly isDecisive: boolean }
  | { readonly kind: 'later'; readonly lead: UnverifiedLead; readonly at: Date; readonly reasons: readonly string[] };

type Found = Pick<Verification, 'result' | 'reasons' | 'checkedAt' | 'retryAt'>;

/** What becomes of a held lead by what was found out about its address. Pure. */
export function decideOutcome(lead: UnverifiedLead, found: Found, policy: LeadVerificationPolicy): LeadOutcome {
  const { result, reasons, checkedAt, retryAt } = found;
  const isLast = lead.verification.attempts + 1 >= MAX_ATTEMPTS;
  if (retryAt !== null && !isLast) return { kind: 'later', lead, at: retryAt, reasons };
  const verified = { lead, result, reasons, checkedAt, action: actionFor(policy, result) };
  return { kind: 'verified', verified, isDecisive: result !== 'unknown' };
}

/**
 * What becomes of a held lead whose verification went wrong, through no fault that anybody foresaw: it is tried again, and then
 * nobody can tell. Pure.
 */
export function decideFailureOutcome(
  lead: UnverifiedLead,
  { now, again }: { readonly now: Date; readonly again: Date },
  policy: LeadVerificationPolicy,
): LeadOutcome {
  const found = { result: 'unknown', reasons: [], checkedAt: now, retryAt: again } as const;
  const outcome = decideOutcome(lead, found, policy);
  const reasons = [FAILED];
  return outcome.kind === 'later'
    ? { ...outcome, reasons }
    : { ...outcome, verified: { ...outcome.verified, reasons } };
}

/** A lead that goes on unverified, because the workspace has no credits and the campaign says so. Pure. */
export function toUnpaidLead(lead: UnverifiedLead, policy: LeadVerificationPolicy): VerifiedLead {
  return { lead, result: null, reasons: [NO_CREDITS], checkedAt: null, action: actionFor(policy, null) };
}
