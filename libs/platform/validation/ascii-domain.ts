import { domainToASCII, domainToUnicode } from 'node:url';

const ASCII = /^[\x21-\x7e]*$/;
/** In what is typed; what is beyond ASCII is judged after its conversion. `%` must not get there: it would be decoded. */
const DOMAIN = /^(?:[A-Za-z0-9.-]|[^\p{ASCII}])+$/u;
const A_LABEL = /(?:^|\.)xn--/;
/** In what A-labels stand for: an outer hyphen (`-ü` hides in `xn----eha`), or an A-label that stands for nothing. */
const UNREADABLE = /(?:^|\.)(?:-|xn--)|-(?:\.|$)/;

/**
 * A domain in lower case and A-labels (RFC 5890, by UTS #46); null when it has no such form. How long its labels are is
 * not looked at. `domainToASCII` is slow: the usual domain goes without.
 */
export function asciiDomain(domain: string): string | null {
  if (!DOMAIN.test(domain)) return null;
  const lower = domain.toLowerCase();
  const ascii = ASCII.test(lower);
  if (ascii && !A_LABEL.test(lower)) return lower;
  const converted = domainToASCII(lower);
  // It corrects A-labels that are none; an address that comes in A-labels must be right as it is.
  if (converted === '' || (ascii && converted !== lower)) return null;
  const readable = domainToUnicode(converted);
  return domainToASCII(readable) === converted && !UNREADABLE.test(readable) ? converted : null;
}
