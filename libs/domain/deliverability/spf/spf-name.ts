import { domainToASCII } from 'node:url';

/** Without the final dot (RFC 7208, section 7.3). */
export const MAX_NAME_LENGTH = 253;
const MAX_LABEL_LENGTH = 63;

/**
 * A domain that check_host() can begin with: a name of two labels or more, each of 1 to 63 characters, 253 in all (RFC 7208,
 * section 4.3). U-labels become A-labels (RFC 8616, section 4). Upper and lower case stay as they are.
 * @returns without the final dot; null for what is none (address literals among it), which makes the result "none"
 */
export function checkableDomain(text: string): string | null {
  const name = toUsableName(text);
  return name !== null && name.includes('.') && !name.startsWith('[') ? name : null;
}

/**
 * What a macro string came to, as a name to ask for. Whole labels are dropped from the left until 253 characters are left (RFC 7208,
 * section 7.3).
 * @returns null for what no DNS message can carry: an empty label or one of more than 63 characters. RFC 7208, section 4.8, leaves open
 *   what is to come of it; here such a mechanism does not match, and a redirect to it is a permerror (section 6.1).
 */
export function getTargetName(expanded: string): string | null {
  let name = withoutFinalDot(expanded);
  if (name.length > MAX_NAME_LENGTH) {
    const dot = name.indexOf('.', name.length - MAX_NAME_LENGTH - 1);
    name = dot === -1 ? '' : name.slice(dot + 1);
  }
  return toUsableName(name);
}

/** Whether a name is another, or lies below it; case does not count. */
export function isAtOrBelow(name: string, domain: string): boolean {
  const [lower, above] = [withoutFinalDot(name).toLowerCase(), withoutFinalDot(domain).toLowerCase()];
  return lower === above || lower.endsWith(`.${above}`);
}

function toUsableName(text: string): string | null {
  const bare = withoutFinalDot(text);
  const name = /[^\0-\x7f]/.test(bare) ? domainToASCII(bare) : bare;
  // Spaces may come out of macros ("%_"); a server is asked for them, though none knows such a name.
  if (name.length > MAX_NAME_LENGTH || /[^\x20-\x7e]/.test(name)) return null;
  return name.split('.').every((label) => label !== '' && label.length <= MAX_LABEL_LENGTH) ? name : null;
}

function withoutFinalDot(text: string): string {
  return text.endsWith('.') ? text.slice(0, -1) : text;
}
