import { type DomainPart, readDomainPart } from './domain-part';
import { type LocalPart, readLocalPart, toSmtpForm } from './local-part';
import { Scanner } from './scanner';
import { type HeaderForm, type SyntaxFault, type SyntaxRemark } from './syntax-faults';

/** A valid argument of RCPT TO (RFC 5321 `Mailbox`, RFC 6531). */
export interface MailboxSyntax {
  readonly kind: 'mailbox';
  /**
   * In lower case, the domain in A-labels, with no more quotes than needed. For addresses that leads may have, it is
   * their normal form.
   */
  readonly address: string;
  readonly local: string;
  /** In A-labels; an address literal with its brackets. */
  readonly domain: string;
  readonly form: 'dot_string' | 'quoted_string';
  readonly destination: 'domain' | 'ipv4' | 'ipv6';
  /** The local part is not ASCII: delivery needs SMTPUTF8. */
  readonly isInternational: boolean;
  readonly remarks: readonly SyntaxRemark[];
}

export interface HeaderOnlySyntax {
  readonly kind: 'header_only';
  readonly forms: readonly HeaderForm[];
  /** The mailbox without the header-only parts; null without one. */
  readonly mailbox: string | null;
}

export type AddressSyntax =
  | MailboxSyntax
  | HeaderOnlySyntax
  | { readonly kind: 'invalid'; readonly fault: SyntaxFault };

const MAX_LOCAL_OCTETS = 64;
/** RFC 5321, section 4.5.3.1.3: a path has 256 octets, two of them its brackets. */
const MAX_ADDRESS_OCTETS = 254;
const BEYOND_ASCII = /[^\p{ASCII}]/u;
const CONTROL = /\p{Cc}/u;

/**
 * Parses an address: a mailbox of SMTP (RFC 5321, RFC 6531 with RFC 5890), a form that only a header may contain (RFC
 * 5322 with its obsolete forms), or neither. Nothing is trimmed. Never throws; linear in the length.
 * `parseEmailAddress` decides which addresses the platform sends to, and refuses quotes, literals and SMTPUTF8; this
 * function classifies any address. Both agree on the normal form.
 */
export function parseAddressSyntax(text: string): AddressSyntax {
  const scanner = new Scanner(text);
  const local = readLocalPart(scanner);
  const domain = local && readDomainPart(scanner);
  if (!local || !domain) return { kind: 'invalid', fault: scanner.fault ?? 'local_character' };
  if (countOctets(local.smtpForm) > MAX_LOCAL_OCTETS) return { kind: 'invalid', fault: 'local_too_long' };
  const mailbox = toMailbox(local, domain);
  // Unicode composition may have made the normal form longer.
  if (mailbox !== null && hasOctetsAtMost(local.smtpForm, mailbox) > MAX_ADDRESS_OCTETS) {
    return { kind: 'invalid', fault: 'address_too_long' };
  }
  if (scanner.forms.size === 0 && mailbox !== null) return mailbox;
  const meant = mailbox !== null && !CONTROL.test(mailbox.local) ? mailbox.address : null;
  return { kind: 'header_only', forms: [...scanner.forms].sort(), mailbox: meant };
}

function toMailbox(localPart: LocalPart, { name, destination, remarks }: DomainPart): MailboxSyntax | null {
  if (name === null) return null;
  const local = toSmtpForm(localPart.content.normalize('NFC').toLowerCase());
  return {
    kind: 'mailbox',
    address: `${local}@${name}`,
    local,
    domain: name,
    form: localPart.isQuoted ? 'quoted_string' : 'dot_string',
    destination,
    isInternational: BEYOND_ASCII.test(local),
    remarks,
  };
}

function hasOctetsAtMost(smtpForm: string, { address, domain }: MailboxSyntax): number {
  return Math.max(countOctets(`${smtpForm}@${domain}`), countOctets(address));
}

function countOctets(text: string): number {
  return Buffer.byteLength(text);
}
