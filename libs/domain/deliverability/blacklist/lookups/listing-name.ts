import { IPv6 } from 'ipaddr.js';
import { type BlacklistZone, type ZoneKind } from '../zones/zone';

/** A queried address in canonical spelling, or a domain in A-labels. */
export interface Subject {
  readonly subject: string;
  readonly kind: ZoneKind;
}

/** RFC 1035, section 2.3.4, without the final dot. */
const LONGEST_NAME = 253;

/**
 * Returns the name under which a zone lists a subject: reversed octets of an IPv4 address, reversed nibbles of an IPv6 address
 * (RFC 5782, sections 2.1 and 2.4), or the domain (section 3).
 * @returns null when the name is too long for DNS, so that no zone can list it
 */
export function listingName({ subject, kind }: Subject, { suffix }: Pick<BlacklistZone, 'suffix'>): string | null {
  const name = `${getLabels(subject, kind)}.${suffix}`;
  return name.length > LONGEST_NAME ? null : name;
}

function getLabels(subject: string, kind: ZoneKind): string {
  if (kind === 'domain') return subject;
  if (kind === 'ipv4') return subject.split('.').toReversed().join('.');
  const nibbles = IPv6.parse(subject)
    .toByteArray()
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  return nibbles.split('').toReversed().join('.');
}
