/** Actions for a lead after the verification of its address. */
export const VERIFICATION_ACTIONS = ['send', 'hold', 'remove'] as const;
export type VerificationAction = (typeof VERIFICATION_ACTIONS)[number];

/** Whether addresses of new leads are verified before the first send, and the action for each result. */
export interface LeadVerificationPolicy {
  mode: 'off' | 'on';
  invalid: VerificationAction;
  risky: VerificationAction;
  /** The server accepts every address, so the existence of this one is unknown. */
  catchAll: VerificationAction;
  /** Never `remove`: an unknown result says nothing about the lead. */
  unknown: Exclude<VerificationAction, 'remove'>;
  /** For a workspace without enough credits for verification. */
  noCredits: Exclude<VerificationAction, 'remove'>;
}

/** The default policy. It loses no lead: an unverified lead can be checked and resumed. */
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
