import ipaddr from 'ipaddr.js';
import { type Subject } from '../lookups/listing-name';

/**
 * Returns an address as a subject in canonical spelling, IPv4-mapped IPv6 as IPv4; null for other text. `private`: not on the
 * public internet, so no zone lists it and it must not be disclosed.
 */
export function addressSubject(text: string): Subject | 'private' | null {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  const isPlain = /^\d{1,3}(\.\d{1,3}){3}$/.test(bare) || bare.includes(':');
  if (!isPlain || bare.includes('%') || !ipaddr.isValid(bare)) return null;
  const address = ipaddr.process(bare);
  if (address.range() !== 'unicast') return 'private';
  return { subject: address.toString(), kind: address.kind() };
}
