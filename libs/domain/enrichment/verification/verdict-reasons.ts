import { type DomainFacts } from './domain/domain-facts';
import { HEADER_FORMS, SYNTAX_FAULTS } from './syntax/syntax-faults';

/**
 * What an address may be. All but `unknown` are decisive: they are answers, and are paid for. `risky`: mail would probably be taken,
 * and there is a reason not to send any; `catch_all`: its server takes mail for every name, so whether this one exists nobody can tell.
 */
export const VERIFICATION_RESULTS = ['valid', 'invalid', 'risky', 'catch_all', 'unknown'] as const;
export type VerificationResult = (typeof VERIFICATION_RESULTS)[number];

/** What the result rests on; a closed list, explained in docs/verification.md. */
export const VERIFICATION_REASONS = [
  // Of the text. The first two come with what is wrong with it.
  'syntax',
  'header_only',
  ...SYNTAX_FAULTS,
  ...HEADER_FORMS,
  // Of the domain.
  'numeric_tld',
  'address_literal',
  'address_not_public',
  'domain_not_found',
  'null_mx',
  'no_mail_host',
  'hosts_unusable',
  'dns_no_answer',
  // What speaks against writing to it.
  'disposable',
  'role',
  'needs_smtputf8',
  'quoted_local_part',
  // Of its mail server.
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
  // Nobody could tell, or nobody asked.
  'mailbox_not_asked',
  'out_of_time',
] as const;
export type VerificationReason = (typeof VERIFICATION_REASONS)[number];

/** By what DNS says of its domain an address is this. */
export const DOMAIN_REASONS: Readonly<
  Record<Exclude<DomainFacts['kind'], 'mail'>, { result: VerificationResult; reason: VerificationReason }>
> = {
  not_found: { result: 'invalid', reason: 'domain_not_found' },
  null_mx: { result: 'invalid', reason: 'null_mx' },
  no_mail_host: { result: 'invalid', reason: 'no_mail_host' },
  hosts_unusable: { result: 'invalid', reason: 'hosts_unusable' },
  unanswered: { result: 'unknown', reason: 'dns_no_answer' },
};
