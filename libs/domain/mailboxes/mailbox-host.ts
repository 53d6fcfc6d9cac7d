import { domainToASCII } from 'node:url';

const MAX_NAME = 253;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * Returns the host in its stored form: lower case, no trailing dot, international names as A-labels (UTS 46), IP
 * addresses in canonical spelling, IPv6 without brackets. Returns null for anything with a scheme, port, path, user,
 * blank or control character. Does not check whether connections to the host are allowed.
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
