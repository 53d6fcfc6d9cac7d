import { type DomainFacts } from './domain/domain-facts';
import { HEADER_FORMS, SYNTAX_FAULTS } from './syntax/syntax-faults';

/**
 * Results of a verification. All but `unknown` are decisive, and charged. `risky`: the address probably accepts mail,
 * but there is a reason not to send any; `catch_all`: the server accepts mail for every name, so it is impossible to tell
 * whether this one exists.
 */
export const VERIFICATION_RESULTS = ['valid', 'invalid', 'risky', 'catch_all', 'unknown'] as const;
export type VerificationResult = (typeof VERIFICATION_RESULTS)[number];

/** Reasons of a result; a closed list, explained in docs/users/verification.md. */
export const VERIFICATION_REASONS = [
  // Syntax. The first two come with a specific fault.
  'syntax',
  'header_only',
  ...SYNTAX_FAULTS,
  ...HEADER_FORMS,
  // Domain.
  'numeric_tld',
  'address_literal',
  'address_not_public',
  'domain_not_found',
  'null_mx',
  'no_mail_host',
  'hosts_unusable',
  'dns_no_answer',
  // Cautions.
  'disposable',
  'role',
  'needs_smtputf8',
  'quoted_local_part',
  // Mail server.
  'accepted',
  'rejected',
  'full',
  'disabled',
  'takes_everything',
  'catch_all_unclear',
  'greylisted',
  'refused_us',
  'server_busy',
  'server_unreachable',
  'server_timeout',
  'server_protocol',
  // No answer, or no question.
  'mailbox_not_asked',
  'out_of_time',
] as const;
export type VerificationReason = (typeof VERIFICATION_REASONS)[number];

/** The result of each finding about a domain. */
export const DOMAIN_REASONS: Readonly<
  Record<Exclude<DomainFacts['kind'], 'mail'>, { result: VerificationResult; reason: VerificationReason }>
> = {
  not_found: { result: 'invalid', reason: 'domain_not_found' },
  null_mx: { result: 'invalid', reason: 'null_mx' },
  no_mail_host: { result: 'invalid', reason: 'no_mail_host' },
  hosts_unusable: { result: 'invalid', reason: 'hosts_unusable' },
  unanswered: { result: 'unknown', reason: 'dns_no_answer' },
};
