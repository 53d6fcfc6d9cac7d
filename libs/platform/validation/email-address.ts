import { asciiDomain } from './ascii-domain';

/** An address in its normal form, or why it is none: one of few clauses that never repeat the input, to show and to count. */
export type ParsedEmailAddress =
  | { readonly ok: true; readonly address: string; readonly domain: string }
  | { readonly ok: false; readonly reason: string };

const MAX_LOCAL = 64;
const MAX_LABEL = 63;
const MAX_ADDRESS = 254;
/** Characters that are looked at: many more than 254, since a domain may be shorter in A-labels than as it was typed. */
const MAX_INPUT = 1_000;

const ASCII = /^[\x21-\x7e]*$/;
/** Controls, formats (bidi, zero-width), halves of pairs, private use, line ends, and whatever else is not drawn. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
/** RFC 5322 `atext` and the dot. */
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+$/;
const BEYOND_ASCII = /[^\p{ASCII}]/u;
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
/** What URL parsers, and with them `domainToASCII`, read as the end of an IPv4 address. */
const NUMBER = /^(?:\d+|0x[\da-f]*)$/;

/**
 * Checks an e-mail address and gives the form in which it is stored, compared and sent to: trimmed, in lower case, its
 * domain in A-labels. The one place for this in the platform: never throws, and is linear and about a microsecond for the
 * usual address, so that every row of an import may pass through it.
 *
 * The local part is in lower case too. RFC 5321 (2.4) lets a server tell `Ada@` from `ada@`, but none does and all senders
 * fold it: one person is one address, so that nobody is mailed twice or mailed after an opt-out.
 *
 * Refused although some RFC allows them: quoted local parts, which many servers refuse; local parts beyond ASCII, which
 * need SMTPUTF8 on the whole way; IP literals; domains of one label; comments and names beside the address.
 * @returns `domain` in A-labels; the parse of `address` is `address` again
 */
export function parseEmailAddress(text: string): ParsedEmailAddress {
  const given = text.trim();
  const form = getFormFault(given);
  if (form !== null) return { ok: false, reason: form };
  const at = given.indexOf('@');
  const local = given.slice(0, at);
  const domain = asciiDomain(given.slice(at + 1));
  const reason = getLocalFault(local) ?? getDomainFault(given.slice(at + 1), domain);
  if (reason !== null || domain === null) return { ok: false, reason: reason ?? NOT_A_DOMAIN };
  const address = `${local.toLowerCase()}@${domain}`;
  if (address.length > MAX_ADDRESS) return { ok: false, reason: TOO_LONG };
  return { ok: true, address, domain };
}

/** A form for comparing addresses that others gave: the normal form; of what has none the text, trimmed and in lower case. */
export function comparableEmailAddress(text: string): string {
  const parsed = parseEmailAddress(text);
  return parsed.ok ? parsed.address : text.trim().toLowerCase();
}

const TOO_LONG = `it is longer than ${MAX_ADDRESS} characters`;
const NOT_A_DOMAIN = 'the part after @ is not a valid domain';

/** What is wrong with it as a whole; null when it is two parts around one `@`. */
function getFormFault(given: string): string | null {
  if (given === '') return 'it is empty';
  if (given.length > MAX_INPUT) return TOO_LONG;
  if (!ASCII.test(given) && HIDDEN.test(given)) return 'it contains a control character or an invisible one';
  const quoted = given.startsWith('"');
  if (given.endsWith('>') || (given.includes('<') && !quoted)) {
    return 'give the address alone, without a name or angle brackets';
  }
  if (!quoted && /[,;]/.test(given)) return 'give one address, not a list';
  const at = given.indexOf('@');
  if (at < 0) return 'there is no @ in it';
  if (quoted) return 'the part before @ is in quotes, which many mail servers refuse';
  return given.includes('@', at + 1) ? 'there is more than one @ in it' : null;
}

function getLocalFault(local: string): string | null {
  if (local === '') return 'there is nothing before @';
  if (BEYOND_ASCII.test(local)) {
    return 'the part before @ contains a letter beyond ASCII, which needs SMTPUTF8, and many mail servers have none';
  }
  if (!LOCAL.test(local)) return 'the part before @ contains a character that must not stand there';
  if (local.length > MAX_LOCAL) return `the part before @ is longer than ${MAX_LOCAL} characters`;
  if (local.startsWith('.') || local.endsWith('.') || local.includes('..')) {
    return 'the part before @ begins or ends with a dot, or has two in a row';
  }
  return null;
}

/** @param ascii the same domain in A-labels, null when it has none */
function getDomainFault(domain: string, ascii: string | null): string | null {
  if (domain === '') return 'there is nothing after @';
  if (domain.startsWith('[')) return 'the part after @ is an IP address instead of a domain';
  if (ascii === null) return NOT_A_DOMAIN;
  const labels = ascii.split('.');
  const last = labels.at(-1) ?? '';
  if (labels.length < 2) return 'the part after @ has no top-level domain';
  if (NUMBER.test(last)) return 'the part after @ is an IP address or ends in a number';
  if (labels.some((label) => label.length > MAX_LABEL)) {
    return `the part after @ has a label of more than ${MAX_LABEL} characters`;
  }
  return labels.every((label) => LABEL.test(label)) ? null : NOT_A_DOMAIN;
}
