/** RFC 5892, section 2: letters, digits and marks after the mapping of UTS #46, and the exceptions of 2.6. */
const LABEL_CHARACTERS = /^[a-z\d\-\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}\u3007\u06fd\u06fe\u0f0b\u200c\u200d]+$/u;
const DISALLOWED = /\u{302e}|\u{302f}|[\u0640\u07fa\u3031-\u3035\u303b]/u;
/** RFC 5892, appendix A.3 to A.9: characters that are valid only beside certain letters. */
const IN_CONTEXT: readonly (readonly [RegExp, RegExp])[] = [
  [/\u00b7/gu, /(?<=l)\u00b7(?=l)/gu],
  [/\u0375/gu, /\u0375(?=\p{Script=Greek})/gu],
  [/[\u05f3\u05f4]/gu, /(?<=\p{Script=Hebrew})[\u05f3\u05f4]/gu],
];
const KATAKANA_DOT = /\u30fb/gu;
const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;
const ARABIC_DIGITS = /[\u0660-\u0669]/u;
const EASTERN_ARABIC_DIGITS = /[\u06f0-\u06f9]/u;

/**
 * Whether all labels are U-labels or ASCII (RFC 5890, section 2.3.2.1). Symbols and emoji are invalid, although UTS #46
 * gives them A-labels. The conversion has already checked joiners and text direction.
 * @param domain as `domainToUnicode` returns it
 */
export function areUnicodeLabels(domain: string): boolean {
  return domain.split('.').every(isUnicodeLabel);
}

function isUnicodeLabel(label: string): boolean {
  if (ARABIC_DIGITS.test(label) && EASTERN_ARABIC_DIGITS.test(label)) return false;
  let plain = label;
  for (const [every, allowed] of IN_CONTEXT) {
    if ((label.match(every)?.length ?? 0) !== (label.match(allowed)?.length ?? 0)) return false;
    plain = plain.replace(every, '');
  }
  if (JAPANESE.test(plain.replace(KATAKANA_DOT, ''))) plain = plain.replace(KATAKANA_DOT, '');
  return LABEL_CHARACTERS.test(plain) && !DISALLOWED.test(plain);
}
