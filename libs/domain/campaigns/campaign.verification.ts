/** What becomes of a lead by what was found out about its address. */
export const VERIFICATION_DEEDS = ['send', 'hold', 'remove'] as const;
export type VerificationDeed = (typeof VERIFICATION_DEEDS)[number];

/** Whether the addresses of new leads are verified before anything is sent to them, and what follows from it. */
export interface LeadVerificationPolicy {
  mode: 'off' | 'on';
  invalid: VerificationDeed;
  risky: VerificationDeed;
  /** The server takes every name: nobody can tell whether this one exists. */
  catchAll: VerificationDeed;
  /** Never `remove`: that we could not find out says nothing about the lead. */
  unknown: Exclude<VerificationDeed, 'remove'>;
  /** While the workspace has no credits for it. */
  noCredits: Exclude<VerificationDeed, 'remove'>;
}

/** Of a campaign that says nothing about it. Nothing is lost by default: what is held can be looked at and resumed. */
export const DEFAULT_VERIFICATION: LeadVerificationPolicy = {
  mode: 'off',
  invalid: 'hold',
  risky: 'hold',
  catchAll: 'send',
  unknown: 'send',
  noCredits: 'hold',
};

/** That of a campaign; older ones have none of their own. */
export function verificationOf({ verification }: { verification?: LeadVerificationPolicy }): LeadVerificationPolicy {
  return { ...DEFAULT_VERIFICATION, ...verification };
}
