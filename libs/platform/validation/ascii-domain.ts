import { domainToASCII, domainToUnicode } from 'node:url';

const ASCII = /^[\x21-\x7e]*$/;
/** Characters of the input; those beyond ASCII are checked after the conversion. `%` is refused, because it would be decoded. */
const DOMAIN = /^(?:[A-Za-z0-9.-]|[^\p{ASCII}])+$/u;
const A_LABEL = /(?:^|\.)xn--/;
/** In decoded labels: a leading or trailing hyphen (`-ü` is `xn----eha`), or an invalid A-label. */
const UNREADABLE = /(?:^|\.)(?:-|xn--)|-(?:\.|$)/;

/**
 * Returns a domain in lower case and A-labels (RFC 5890, by UTS #46); null when it has no such form. The length of labels is not
 * checked. `domainToASCII` is slow and is skipped for plain ASCII domains.
 */
export function asciiDomain(domain: string): string | null {
  if (!DOMAIN.test(domain)) return null;
  const lower = domain.toLowerCase();
  const ascii = ASCII.test(lower);
  if (ascii && !A_LABEL.test(lower)) return lower;
  const converted = domainToASCII(lower);
  // It corrects invalid A-labels; a domain that is given in A-labels has to be valid as it is.
  if (converted === '' || (ascii && converted !== lower)) return null;
  const readable = domainToUnicode(converted);
  return domainToASCII(readable) === converted && !UNREADABLE.test(readable) ? converted : null;
}
