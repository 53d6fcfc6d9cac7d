import { type LeadVerificationPolicy } from '@domain/campaigns';
import { deedFor, type HeldLead, type JudgedLead } from '@domain/leads';
import { type Verification } from '../verifier.service';

/** Times that an address is looked at before nobody being able to tell is the answer. */
export const MAX_ATTEMPTS = 6;
export const NO_CREDITS = 'no_credits';

export type LeadOutcome =
  | { readonly kind: 'judged'; readonly judged: JudgedLead; readonly isDecisive: boolean }
  | { readonly kind: 'later'; readonly lead: HeldLead; readonly at: Date; readonly reasons: readonly string[] };

/** What becomes of a held lead by what was found out about its address. Pure. */
export function outcomeFor(lead: HeldLead, found: Verification, policy: LeadVerificationPolicy): LeadOutcome {
  const { result, reasons, checkedAt, retryAt } = found;
  const isLast = lead.verification.attempts + 1 >= MAX_ATTEMPTS;
  if (retryAt !== null && !isLast) return { kind: 'later', lead, at: retryAt, reasons };
  const judged = { lead, result, reasons, checkedAt, deed: deedFor(policy, result) };
  return { kind: 'judged', judged, isDecisive: result !== 'unknown' };
}

/** A lead that goes on unverified, because the workspace has no credits and the campaign says so. Pure. */
export function unpaid(lead: HeldLead, policy: LeadVerificationPolicy): JudgedLead {
  return { lead, result: null, reasons: [NO_CREDITS], checkedAt: null, deed: deedFor(policy, null) };
}
