/** Why a message was not delivered, or what else came back. `docs`: domain rules, Bounces and suppressions. */
export type BounceVerdict = 'hard' | 'soft' | 'policy';

/**
 * Whose fault a refusal is. `recipient`: there is nobody at that address; `sender`: policy, reputation, authentication, rate:
 * any other email of the mailbox would meet the same; `content`: this message; `unclear`: nobody's, or nothing says whose.
 */
export type RefusalFault = 'recipient' | 'sender' | 'content' | 'unclear';

/** What a verdict says of the fault where a rule does not say more. */
export const FAULT_OF: Readonly<Record<BounceVerdict, RefusalFault>> = {
  hard: 'recipient',
  policy: 'sender',
  soft: 'unclear',
};

/**
 * One sentence that servers say. Patterns see lower-case text in which accents of Latin letters, line breaks and repeated
 * blanks are gone; `words` has `@` in the place of addresses and `%` in the place of host names and links. They are written
 * so that time grows with the text only: no repetition inside a repetition, and every gap has a limit.
 */
export interface TextRule {
  readonly name: string;
  readonly verdict: BounceVerdict;
  readonly pattern: RegExp;
  /** Takes the sentence back. */
  readonly unless?: RegExp;
  /** Looks at the text with its host names and links. */
  readonly full?: true;
  /** Counts only with an enhanced code that does not speak against it. */
  readonly coded?: true;
  /** Where it is not that of the verdict; `by-code`: the sender's only with a code that says so. */
  readonly fault?: RefusalFault | 'by-code';
}

export function ruleFor(rules: readonly TextRule[], text: { readonly words: string; readonly full: string }) {
  return rules.find(({ pattern, unless, full }) => {
    const subject = full ? text.full : text.words;
    return pattern.test(subject) && !unless?.test(subject);
  });
}
