/** What becomes of a lead by what was found out about its address. */
export const VERIFICATION_ACTIONS = ['send', 'hold', 'remove'] as const;
export type VerificationAction = (typeof VERIFICATION_ACTIONS)[number];

/** Whether the addresses of new leads are verified before anything is sent to them, and what follows from it. */
export interface LeadVerificationPolicy {
  mode: 'off' | 'on';
  invalid: VerificationAction;
  risky: VerificationAction;
  /** The server accepts every address, so the existence of this one is unknown. */
  catchAll: VerificationAction;
  /** Never `remove`: that we could not find out says nothing about the lead. */
  unknown: Exclude<VerificationAction, 'remove'>;
  /** While the workspace has no credits for it. */
  noCredits: Exclude<VerificationAction, 'remove'>;
}

/** The default policy. It loses no lead: a held lead can be checked and resumed. */
export const DEFAULT_VERIFICATION: LeadVerificationPolicy = {
  mode: 'off',
  invalid: 'hold',
  risky: 'hold',
  catchAll: 'send',
  unknown: 'send',
  noCredits: 'hold',
};

/** Returns the policy of a campaign; older campaigns have none and use the default. */
export function getVerification({ verification }: { verification?: LeadVerificationPolicy }): LeadVerificationPolicy {
  return { ...DEFAULT_VERIFICATION, ...verification };
}
