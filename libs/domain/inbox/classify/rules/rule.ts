/** Why a message was not delivered, or what else came back. `docs`: domain rules, Bounces and suppressions. */
export type BounceVerdict = 'hard' | 'soft' | 'policy';

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
}

export function ruleFor(rules: readonly TextRule[], text: { readonly words: string; readonly full: string }) {
  return rules.find(({ pattern, unless, full }) => {
    const subject = full ? text.full : text.words;
    return pattern.test(subject) && !unless?.test(subject);
  });
}
