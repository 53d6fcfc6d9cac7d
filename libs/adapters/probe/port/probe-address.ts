/** Controls, which could end a command and begin another (RFC 5321, section 4.1.2). */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/** A blank or an angle bracket is allowed only inside quotes. */
const UNQUOTED = /^[^\s<>"@]+$/u;
const QUOTED = /^"(?:[^"\\]|\\.)*"$/u;
const DOMAIN = /^(?=.{1,253}$)[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i;
/** Octets of a path without its brackets (RFC 5321, section 4.5.3.1.3). */
const MAX_ADDRESS_OCTETS = 254;

export interface ProbedAddress {
  readonly address: string;
  readonly domain: string;
  /** The local part is not ASCII: the server needs SMTPUTF8. */
  readonly isUtf8: boolean;
}

/**
 * Checks that an address can be used unchanged in a command. The caller has validated the address; this only ensures that it is one
 * argument of one command.
 * @throws TypeError
 */
export function toProbeAddress(address: string): ProbedAddress {
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  const domain = address.slice(at + 1);
  const fits = at > 0 && Buffer.byteLength(address) <= MAX_ADDRESS_OCTETS && !CONTROLS.test(address);
  if (!fits || !DOMAIN.test(domain) || !(UNQUOTED.test(local) || QUOTED.test(local))) {
    throw new TypeError('This address cannot be probed at a mail server');
  }
  return { address, domain: domain.toLowerCase(), isUtf8: /[^\0-\x7f]/.test(local) };
}
