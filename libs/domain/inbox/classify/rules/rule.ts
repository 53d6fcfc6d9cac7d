/** Why a message was not delivered; docs/users/inbox.md defines the verdicts. */
export type BounceVerdict = 'hard' | 'soft' | 'policy';

/**
 * The cause of a rejection. `recipient`: the address does not exist; `sender`: policy, reputation, authentication or rate, which
 * affect any other email of the mailbox; `content`: this message; `unclear`: none of them, or unknown.
 */
export type RefusalFault = 'recipient' | 'sender' | 'content' | 'unclear';

/** The fault of a verdict when the rule names none. */
export const FAULT_BY_VERDICT: Readonly<Record<BounceVerdict, RefusalFault>> = {
  hard: 'recipient',
  policy: 'sender',
  soft: 'unclear',
};

/**
 * Matches one sentence of server answers. Patterns see lower-case text on one line without accents and repeated blanks;
 * `masked` has `@` for addresses and `%` for host names and links. Patterns must be linear in the text: no nested repetition,
 * and a limit for every gap.
 */
export interface TextRule {
  readonly name: string;
  readonly verdict: BounceVerdict;
  readonly pattern: RegExp;
  /** An exception to the pattern. */
  readonly unless?: RegExp;
  /** Matches the text with host names and links. */
  readonly full?: true;
  /** Requires an enhanced code that does not contradict it. */
  readonly coded?: true;
  /** Overrides the fault of the verdict; `by-code`: the sender's fault only when a code confirms it. */
  readonly fault?: RefusalFault | 'by-code';
}

export function findRule(rules: readonly TextRule[], text: { readonly masked: string; readonly full: string }) {
  return rules.find(({ pattern, unless, full }) => {
    const subject = full ? text.full : text.masked;
    return pattern.test(subject) && !unless?.test(subject);
  });
}
