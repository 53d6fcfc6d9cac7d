import ipaddr from 'ipaddr.js';
import { type Subject } from '../lookups/listing-name';

/**
 * An address as a subject, in canonical spelling, IPv4-mapped IPv6 as IPv4; null for text that is no address, and `private` for one
 * that is not of the public internet: no list knows it, and nobody is to be told of it.
 */
export function addressSubject(text: string): Subject | 'private' | null {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  const isPlain = /^\d{1,3}(\.\d{1,3}){3}$/.test(bare) || bare.includes(':');
  if (!isPlain || bare.includes('%') || !ipaddr.isValid(bare)) return null;
  const address = ipaddr.process(bare);
  if (address.range() !== 'unicast') return 'private';
  return { subject: address.toString(), kind: address.kind() };
}
