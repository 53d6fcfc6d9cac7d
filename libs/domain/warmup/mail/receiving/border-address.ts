import ipaddr from 'ipaddr.js';
import { listHeaderFields } from './header-fields';

/** Written by the receiver's server when it checked SPF (RFC 7208, section 9.1). */
const CLIENT = /(?:^|[\s;])client-ip=\[?(?:ipv6:)?([\da-f.:]+)/i;
/** `from name (name [192.0.2.1]) by …` (RFC 5321, section 4.4): the sender controls all before `by` but the bracketed address. */
const HANDED_OVER = /^from\s(?:(?!\sby\s).)*?\[(?:ipv6:)?([\da-f.:]+)\]/i;

/**
 * Returns the public address that handed the message to the receiver's servers, from the newest header field that names one; null
 * without one. Fields that the sender wrote stand below all of these.
 */
export function findBorderAddress(raw: Buffer): string | null {
  const checked = listHeaderFields(raw, 'Received-SPF').slice(0, 1);
  const found = [
    ...checked.map((field) => CLIENT.exec(field)),
    ...listHeaderFields(raw, 'Received').map((field) => HANDED_OVER.exec(field)),
  ];
  return found.map((match) => match?.[1]).find(isPublic) ?? null;
}

function isPublic(text: string | undefined): text is string {
  return text !== undefined && ipaddr.isValid(text) && ipaddr.process(text).range() === 'unicast';
}
