import { domainToASCII } from 'node:url';
import { invalidField } from '@platform/errors';
import { type MailAddress } from '../port/changes';

/** RFC 5322 `atext`, and beyond ASCII letters, digits, marks and symbols (RFC 6532): nothing invisible, no space. */
const ATOM = String.raw`[A-Za-z0-9!#$%&'*+/=?^_\x60{|}~-]|[^\p{ASCII}\p{C}\p{Z}]`;
const DOT_ATOM = new RegExp(String.raw`^(?:${ATOM})+(?:\.(?:${ATOM})+)*$`, 'u');
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** Letters, digits and hyphens; the last label is not a number, or it would be an IP address. */
const HOST = new RegExp(String.raw`^(?:${LABEL}\.)*(?!\d+$)${LABEL}$`);
const ENCODED_WORD = /=\?[^?\s]+\?[BQ]\?[^?]*\?=/i;
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;

const MAX_LOCAL_BYTES = 64;
const MAX_ADDRESS_BYTES = 254;
const MAX_NAME = 200;

/**
 * Validates an address for an envelope and a header: exactly one mailbox, with its domain in A-labels. Quoted local parts, comments,
 * groups, routes and IP literals are refused: no mailbox needs them today, and each could hide a second recipient.
 * @param field the field name for the error
 * @throws AppError VALIDATION_ERROR
 */
function usableAddress(field: string, address: string): string {
  const at = address.lastIndexOf('@');
  const local = address.slice(0, Math.max(at, 0));
  if (!DOT_ATOM.test(local) || Buffer.byteLength(local) > MAX_LOCAL_BYTES) {
    throw invalidField(field, `${field} is not an email address that can receive mail`);
  }
  const domain = asciiDomain(address.slice(at + 1));
  const usable = `${local}@${domain}`;
  if (domain === null || Buffer.byteLength(usable) > MAX_ADDRESS_BYTES) {
    throw invalidField(field, `${field} has an invalid domain`);
  }
  return usable;
}

/**
 * A mailbox with its display name.
 * @param field names the culprit in the error: `<field>.address` or `<field>.name`
 * @throws AppError VALIDATION_ERROR
 */
export function usableMailbox(field: string, mailbox: MailAddress): MailAddress {
  const address = usableAddress(`${field}.address`, mailbox.address);
  const name = mailbox.name.toWellFormed().trim();
  if (CONTROL.test(mailbox.name))
    throw invalidField(`${field}.name`, `${field}.name contains a line break or a control character`);
  // Mail programs decode these even inside quotes, where they should not: the name could then be anything.
  if (ENCODED_WORD.test(name)) throw invalidField(`${field}.name`, `${field}.name looks like an encoded word`);
  if (name.length > MAX_NAME)
    throw invalidField(`${field}.name`, `${field}.name is longer than ${MAX_NAME} characters`);
  return { name, address };
}

function asciiDomain(domain: string): string | null {
  const ascii = domainToASCII(domain);
  // WHATWG parses `127.1` as 127.0.0.1, so an ASCII domain must stay unchanged.
  const changed = /^\p{ASCII}*$/u.test(domain) && ascii !== domain.toLowerCase();
  return !changed && HOST.test(ascii) && ascii.length <= 253 ? ascii : null;
}
