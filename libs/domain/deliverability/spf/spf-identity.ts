import { domainToASCII } from 'node:url';

/** The checked sender, as macros show it (RFC 7208, sections 2.3, 2.4 and 4.3). */
export interface SpfIdentity {
  /** `%{s}` */
  readonly sender: string;
  /** `%{l}` */
  readonly localPart: string;
  /** `%{o}`; U-labels as A-labels. */
  readonly domain: string;
  /** `%{h}` */
  readonly helo: string;
}

/** Longer than any address or host name (RFC 5321, section 4.5.3.1); further characters are ignored. */
const MOST_CHARACTERS = 1_000;

/**
 * Returns the checked identity: the sender, or HELO for an empty reverse-path. A missing local part becomes "postmaster".
 * @param sender MAIL FROM without angle brackets; '' is the null reverse-path
 */
export function getIdentity(sender: string, helo: string): SpfIdentity {
  const host = helo.slice(0, MOST_CHARACTERS);
  const address = sender === '' ? host : sender.slice(-MOST_CHARACTERS);
  // A quoted local part may contain an "@".
  const at = address.lastIndexOf('@');
  const localPart = at > 0 ? address.slice(0, at) : 'postmaster';
  const named = address.slice(at + 1);
  const domain = /[^\0-\x7f]/.test(named) ? domainToASCII(named) : named;
  return { sender: `${localPart}@${domain}`, localPart, domain, helo: host };
}
