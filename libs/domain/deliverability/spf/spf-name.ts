import { domainToASCII } from 'node:url';

/** Without the final dot (RFC 7208, section 7.3). */
export const MAX_NAME_LENGTH = 253;
const MAX_LABEL_LENGTH = 63;

/**
 * Returns a domain for check_host(): at least two labels of 1 to 63 characters, 253 in all (RFC 7208, section 4.3). U-labels
 * become A-labels (RFC 8616, section 4). Case is kept.
 * @returns without the final dot; null for others (such as address literals), whose result is "none"
 */
export function checkableDomain(text: string): string | null {
  const name = toUsableName(text);
  return name !== null && name.includes('.') && !name.startsWith('[') ? name : null;
}

/**
 * Returns an expanded macro string as a name. Whole labels are dropped from the left down to 253 characters (RFC 7208, section
 * 7.3).
 * @returns null for an empty label or one of more than 63 characters. RFC 7208, section 4.8, leaves the result open; here the
 * mechanism does not match, and a redirect is a permerror (section 6.1).
 */
export function getTargetName(expanded: string): string | null {
  let name = withoutFinalDot(expanded);
  if (name.length > MAX_NAME_LENGTH) {
    const dot = name.indexOf('.', name.length - MAX_NAME_LENGTH - 1);
    name = dot === -1 ? '' : name.slice(dot + 1);
  }
  return toUsableName(name);
}

/** Whether a name equals another or is a subdomain of it, ignoring case. */
export function isAtOrBelow(name: string, domain: string): boolean {
  const [lower, above] = [withoutFinalDot(name).toLowerCase(), withoutFinalDot(domain).toLowerCase()];
  return lower === above || lower.endsWith(`.${above}`);
}

function toUsableName(text: string): string | null {
  const bare = withoutFinalDot(text);
  const name = /[^\0-\x7f]/.test(bare) ? domainToASCII(bare) : bare;
  // Macros may result in spaces ("%_"); such names are queried, although none exists.
  if (name.length > MAX_NAME_LENGTH || /[^\x20-\x7e]/.test(name)) return null;
  return name.split('.').every((label) => label !== '' && label.length <= MAX_LABEL_LENGTH) ? name : null;
}

function withoutFinalDot(text: string): string {
  return text.endsWith('.') ? text.slice(0, -1) : text;
}
