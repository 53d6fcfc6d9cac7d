import { domainToASCII } from 'node:url';

const MAX_NAME = 253;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * The host as it is stored: lower case, without a trailing dot, international names as A-labels (UTS 46), IP addresses in
 * canonical spelling and IPv6 without brackets. Null for what is no host: anything with a scheme, port, path, user, blank
 * or control character in it. Whether it may be connected to is not asked here.
 */
export function parseMailHost(text: string): string | null {
  if (text.length > 2 * MAX_NAME || /[\s\p{Cc}/\\@?#%<>|^"'`,;(){}]/u.test(text)) return null;
  const bare = /^\[.*\]$/.test(text) ? text.slice(1, -1) : text;
  if (bare.includes(':')) return parseIpv6(bare);
  if (bare !== text) return null;
  const name = domainToASCII(text).replace(/\.$/, '');
  return name.length <= MAX_NAME && name.split('.').every((label) => LABEL.test(label)) ? name : null;
}

function parseIpv6(text: string): string | null {
  const url = `http://[${text}]/`;
  return URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : null;
}
