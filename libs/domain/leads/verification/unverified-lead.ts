import { type LeadVerificationPolicy, type VerificationAction } from '@domain/campaigns';
import { type LeadRecord, type LeadVerification } from '../schemas/lead.record';

/** Nothing is sent to a lead in this state; it ends when its address was judged. */
export const AWAITING_VERIFICATION = { status: 'paused', stopReason: 'verifying' } as const;

/** The state of a new lead whose address is verified first. */
export function waitingSince(now: Date): typeof AWAITING_VERIFICATION & { verification: LeadVerification } {
  return {
    ...AWAITING_VERIFICATION,
    verification: { result: null, reasons: [], checkedAt: null, attempts: 0, nextAt: now },
  };
}

export type UnverifiedLead = Pick<LeadRecord, '_id' | 'email'> & { verification: LeadVerification };

/** What was found out about the address of a held lead. */
export interface VerifiedLead {
  readonly lead: Pick<UnverifiedLead, '_id' | 'email'>;
  /** null when it could not be paid for. */
  readonly result: string | null;
  readonly reasons: readonly string[];
  readonly checkedAt: Date | null;
  readonly action: VerificationAction;
}

const FIELDS: Readonly<Record<string, 'invalid' | 'risky' | 'catchAll'>> = {
  invalid: 'invalid',
  risky: 'risky',
  catch_all: 'catchAll',
};

/**
 * What becomes of a lead by the result of its verification, null being that there were no credits for one. Pure. What is not
 * known for certain never removes a lead, whatever the policy says.
 */
export function actionFor(policy: LeadVerificationPolicy, result: string | null): VerificationAction {
  if (result === null) return policy.noCredits;
  if (result === 'valid') return 'send';
  const field = FIELDS[result];
  return field === undefined ? policy.unknown : policy[field];
}
