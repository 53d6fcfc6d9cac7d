import { type LeadVerificationPolicy, type VerificationAction } from '@domain/campaigns';
import { type LeadRecord, type LeadVerification } from '../schemas/lead.record';

/** Nothing is sent to a lead in this state; it ends with the verification. */
export const AWAITING_VERIFICATION = { status: 'paused', stopReason: 'verifying' } as const;

/** The initial state of a lead whose address is verified first. */
export function createWaitingState(now: Date): typeof AWAITING_VERIFICATION & { verification: LeadVerification } {
  return {
    ...AWAITING_VERIFICATION,
    verification: { result: null, reasons: [], checkedAt: null, attempts: 0, nextAt: now },
  };
}

export type UnverifiedLead = Pick<LeadRecord, '_id' | 'email'> & { verification: LeadVerification };

/** The result of the verification of a lead. */
export interface VerifiedLead {
  readonly lead: Pick<UnverifiedLead, '_id' | 'email'>;
  /** null when the workspace had no credits. */
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
 * Decides the action for a lead by the result of its verification; null means that there were no credits. Pure. An
 * uncertain result never removes a lead, whatever the policy.
 */
export function decideAction(policy: LeadVerificationPolicy, result: string | null): VerificationAction {
  if (result === null) return policy.noCredits;
  if (result === 'valid') return 'send';
  const field = FIELDS[result];
  return field === undefined ? policy.unknown : policy[field];
}
