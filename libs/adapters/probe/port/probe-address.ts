/** Controls, which could end a command and begin another (RFC 5321, section 4.1.2). */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/** A blank or an angle bracket may only stand between quotes. */
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
 * What may go into a command as it is. The caller has judged the address already: here only is made sure that it is one argument
 * of one command.
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
