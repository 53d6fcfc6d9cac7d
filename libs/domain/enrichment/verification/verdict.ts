import { type ProbeAnswer } from '@adapters/probe';
import { type DomainFacts } from './domain/domain-facts';
import { type AddressSyntax, type MailboxSyntax } from './syntax/address-syntax';
import { DOMAIN_REASONS, type VerificationReason, type VerificationResult } from './verdict-reasons';

/** Why no mail server answered: it was not asked, or the time ran out first. */
export type Silence = 'not_asked' | 'out_of_time';

export interface VerdictFacts {
  readonly syntax: AddressSyntax;
  /** The finding of DNS; null without a query. */
  readonly domain: DomainFacts | null;
  /** Whether mail may be delivered to an address literal. */
  readonly isLiteralPublic: boolean;
  readonly isDisposable: boolean;
  readonly isRole: boolean;
  readonly probe: ProbeAnswer | Silence;
}

export interface Verdict {
  readonly result: VerificationResult;
  readonly reasons: readonly VerificationReason[];
}

/** The verdict on one address, with what else is known of it. */
export interface Verification {
  /** As given. */
  readonly email: string;
  /** Its normal form; null for an invalid mailbox. */
  readonly address: string | null;
  readonly result: VerificationResult;
  readonly reasons: readonly VerificationReason[];
  readonly isDisposable: boolean;
  readonly isRole: boolean;
  /** Whether the domain is a free mail provider; neutral for the result. */
  readonly isFree: boolean;
  /** The host that answered, or the preferred one. */
  readonly mxHost: string | null;
  /** The address that was probably meant: a hint for people. */
  readonly suggestion: string | null;
  /** When a retry may bring an answer; null when there is one, or none can be had. */
  readonly retryAt: Date | null;
  /** The time ran out before any server was asked, so that the attempt does not count. */
  readonly isUnasked: boolean;
  readonly checkedAt: Date;
}

/**
 * Decides the result. Only findings count: a domain that accepts mail proves nothing about one of its mailboxes, which
 * stays `unknown`. Pure; docs/users/verification.md has the same rules as a table.
 */
export function decideVerdict(facts: VerdictFacts): Verdict {
  const { syntax } = facts;
  if (syntax.kind === 'invalid') return { result: 'invalid', reasons: ['syntax', syntax.fault] };
  if (syntax.kind === 'header_only') return { result: 'invalid', reasons: ['header_only', ...syntax.forms] };
  return decideByDestination(syntax, facts) ?? decideByMailbox(syntax, facts);
}

/** The result that the domain alone decides; null when the mailbox decides. */
function decideByDestination(syntax: MailboxSyntax, facts: VerdictFacts): Verdict | null {
  if (syntax.destination !== 'domain') {
    return facts.isLiteralPublic
      ? { result: 'risky', reasons: ['address_literal'] }
      : { result: 'invalid', reasons: ['address_literal', 'address_not_public'] };
  }
  // Such a name cannot be registered (RFC 3696, section 2), and many programs read it as an IP address.
  if (syntax.remarks.includes('numeric_tld')) return { result: 'invalid', reasons: ['numeric_tld'] };
  if (facts.domain === null) return { result: 'unknown', reasons: ['out_of_time'] };
  if (facts.domain.kind === 'mail') return null;
  const { result, reason } = DOMAIN_REASONS[facts.domain.kind];
  return { result, reasons: [reason] };
}

function decideByMailbox(syntax: MailboxSyntax, { isDisposable, isRole, probe }: VerdictFacts): Verdict {
  const cautions: VerificationReason[] = [
    ...(isDisposable ? (['disposable'] as const) : []),
    ...(isRole ? (['role'] as const) : []),
    ...(syntax.isInternational ? (['needs_smtputf8'] as const) : []),
    ...(syntax.local.startsWith('"') ? (['quoted_local_part'] as const) : []),
  ];
  const { result, reasons } = decideByProbe(probe);
  return { result: applyCautions(result, cautions), reasons: [...reasons, ...cautions] };
}

/** A disposable mailbox is risky whatever its server says; other cautions apply to existing mailboxes only. */
function applyCautions(result: VerificationResult, cautions: readonly VerificationReason[]): VerificationResult {
  if (result === 'invalid') return result;
  if (cautions.includes('disposable')) return 'risky';
  return result === 'valid' && cautions.length > 0 ? 'risky' : result;
}

function decideByProbe(probe: ProbeAnswer | Silence): Verdict {
  if (probe === 'not_asked') return { result: 'unknown', reasons: ['mailbox_not_asked'] };
  if (probe === 'out_of_time') return { result: 'unknown', reasons: ['out_of_time'] };
  switch (probe.kind) {
    case 'accepted':
      return decideAccepted(probe.catchAll);
    case 'rejected':
      return { result: 'invalid', reasons: ['rejected'] };
    case 'disabled':
      return { result: 'invalid', reasons: ['disabled'] };
    case 'full':
      return { result: 'risky', reasons: ['full'] };
    case 'greylisted':
      return { result: 'unknown', reasons: ['greylisted'] };
    case 'refused_us':
      return { result: 'unknown', reasons: ['refused_us'] };
    case 'busy':
      return { result: 'unknown', reasons: ['server_busy'] };
    case 'unreachable':
      return { result: 'unknown', reasons: ['server_unreachable'] };
    case 'timeout':
      return { result: 'unknown', reasons: ['server_timeout'] };
    case 'protocol':
      return { result: 'unknown', reasons: ['server_protocol'] };
  }
}

function decideAccepted(catchAll: boolean | null): Verdict {
  if (catchAll === true) return { result: 'catch_all', reasons: ['takes_everything'] };
  // A server that accepts this name may accept every name: without the catch-all probe the answer is not decisive.
  if (catchAll === null) return { result: 'unknown', reasons: ['accepted', 'catch_all_unclear'] };
  return { result: 'valid', reasons: ['accepted'] };
}
