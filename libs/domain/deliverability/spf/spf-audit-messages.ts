import { type DnsFailure } from '@adapters/dns';
import { type Problem, type Severity, toUnansweredProblem } from '../check';
import { type SpfAuditPosition, type TermLookups } from './spf-audit-types';
import { LOOKUP_LIMIT, MX_HOST_LIMIT, VOID_LIMIT } from './spf-budget';
import { type SpfSyntaxIssue } from './spf-grammar';
import { quoteForDisplay, escapeForDisplay } from './spf-formatter';

/** Explains a permerror. */
const USELESS = 'Receivers treat the whole record as broken (permerror), so that no mail of the domain passes SPF';
/** Characters of a quoted fault. */
const FAULT_LENGTH = 250;

/** Problems of an audit, with their remedies. */
export const SPF_AUDIT_MESSAGES = {
  malformedDomain: (domain: string) =>
    fail('malformed_domain', `${quoteForDisplay(domain)} is no domain name that mail can be sent from.`),

  noSuchDomain: (domain: string) =>
    fail('no_such_domain', `${domain} does not exist in DNS. Register it, or correct the address of the mailbox.`),

  noRecord: (domain: string, texts: readonly string[]) => {
    const near = texts.find((text) => /spf1|v\s*=\s*spf/i.test(text));
    return near === undefined
      ? fail(
          'no_record',
          `${domain} has no SPF record. Publish one TXT record that names who sends for it, such as "v=spf1 include:spf.your-provider.example ~all".`,
        )
      : fail(
          'misspelt_record',
          `${domain} has no SPF record, but a TXT that seems to be meant as one: ${quoteForDisplay(near)}. It has to begin with "v=spf1" and a space, with nothing before it.`,
        );
  },

  multipleRecords: (domain: string, count: number, term?: string) =>
    fail(
      'multiple_records',
      `${domain} has ${count} SPF records, and there may be one only. ${USELESS}. Merge them into one TXT record${term === undefined ? '' : `, or drop ${quoteForDisplay(term)}`}.`,
    ),

  syntaxError: (domain: string, { term, message, at }: SpfSyntaxIssue, leading?: string) =>
    fail(
      'syntax_error',
      `In the SPF record of ${domain}, ${quoteForDisplay(term)} ${escapeForDisplay(message, FAULT_LENGTH)} (at character ${at + 1}). ${USELESS}. Correct or remove it${leading === undefined ? '' : `, or drop ${quoteForDisplay(leading)}`}.`,
    ),

  unanswered: (name: string, failure: DnsFailure): Problem => toUnansweredProblem(escapeForDisplay(name), failure),

  tooManyLookups: (used: number, incomplete: boolean, terms: readonly TermLookups[]) =>
    fail(
      'too_many_lookups',
      `The record needs ${incomplete ? 'more than ' : ''}${used} DNS look-ups, and ${LOOKUP_LIMIT} are allowed. ${USELESS} once the ${LOOKUP_LIMIT} are used up. Remove what no longer sends, or name addresses (ip4, ip6) instead. ${listDearest(terms)}`,
    ),

  manyLookups: (used: number, terms: readonly TermLookups[]) =>
    createWarning(
      'many_lookups',
      `The record needs ${used} of the ${LOOKUP_LIMIT} DNS look-ups that are allowed; one more provider, or a change at one of them, breaks it. Remove what no longer sends. ${listDearest(terms)}`,
    ),

  tooManyVoidLookups: (voids: number) =>
    fail(
      'too_many_void_lookups',
      `${voids} terms name hosts for which DNS has nothing, and ${VOID_LIMIT} are allowed. ${USELESS}. Remove those terms.`,
    ),

  voidLookup: (term: string, name: string, where: SpfAuditPosition) =>
    createWarning(
      'void_lookup',
      `${quoteForDisplay(term)} in ${getName(where)} matches nothing: DNS has no such record for ${escapeForDisplay(name)}. Remove it, or correct the name.`,
    ),

  tooManyMxHosts: (term: string, name: string, hosts: number) =>
    fail(
      'too_many_mx_hosts',
      `${quoteForDisplay(term)} asks for ${hosts} hosts, because ${escapeForDisplay(name)} has so many MX records; ${MX_HOST_LIMIT} are allowed. ${USELESS}. Name the addresses that send (ip4, ip6) instead.`,
    ),

  leadsNowhere: (term: string, where: SpfAuditPosition) =>
    fail(
      'include_without_record',
      `${quoteForDisplay(term)} in ${getName(where)} leads to a domain without an SPF record. ${USELESS}. Remove the term, or correct its domain.`,
    ),

  loop: (term: string, where: SpfAuditPosition, path: readonly string[]) =>
    fail(
      'include_loop',
      `${quoteForDisplay(term)} in ${getName(where)} leads back to a record that led to it (${escapeForDisplay(path.join(' > '))}). ${USELESS}. Remove it.`,
    ),

  impossibleName: (term: string, where: SpfAuditPosition) =>
    createWarning(
      'impossible_name',
      `${quoteForDisplay(term)} in ${getName(where)} has a name that DNS cannot hold (an empty label, or one of more than 63 characters); it matches nothing. Correct it.`,
    ),

  everyonePasses: (term: string, where: SpfAuditPosition) =>
    fail(
      'everyone_passes',
      `${quoteForDisplay(term)} in ${getName(where)} lets every host in the world send for ${where.audited}. Name who sends, and end the record with "~all" or "-all".`,
    ),

  largeNetwork: (term: string, where: SpfAuditPosition) =>
    createWarning(
      'large_network',
      `${quoteForDisplay(term)} in ${getName(where)} lets a very large network send for ${where.audited}. Name the addresses that do send.`,
    ),

  neutralAll: (term: string, where: SpfAuditPosition) =>
    createWarning(
      'neutral_all',
      `${quoteForDisplay(term)} says nothing about hosts that ${getName(where)} does not name, so it gives no protection. End it with "~all" or "-all".`,
    ),

  noAll: (where: SpfAuditPosition) =>
    createWarning(
      'no_all',
      `${capitalize(getName(where))} has no rule for hosts that it does not name. End it with "~all" or "-all".`,
    ),

  termsAfterAll: (where: SpfAuditPosition) =>
    createWarning(
      'terms_after_all',
      `What follows "all" in ${getName(where)} is never evaluated. Move it before "all", or remove it.`,
    ),

  redirectIgnored: (term: string, where: SpfAuditPosition) =>
    createWarning(
      'redirect_ignored',
      `${quoteForDisplay(term)} is never followed, because ${getName(where)} has an "all". Remove one of the two.`,
    ),

  ptr: (term: string, where: SpfAuditPosition) =>
    createWarning(
      'ptr_mechanism',
      `${quoteForDisplay(term)} in ${getName(where)} is slow and unreliable, and should not be used any more (RFC 7208, section 5.5). Use "a", "mx", "ip4" or "ip6".`,
    ),

  validatedName: (term: string, where: SpfAuditPosition) =>
    createWarning(
      'ptr_macro',
      `The macro "%{p}" of ${quoteForDisplay(term)} in ${getName(where)} is slow and unreliable, and should not be used any more (RFC 7208, section 7.2).`,
    ),

  duplicate: (term: string, where: SpfAuditPosition) =>
    createWarning(
      'duplicate_term',
      `${quoteForDisplay(term)} is there twice in ${getName(where)}, and each costs DNS look-ups. Remove one.`,
    ),

  mechanismAsModifier: (term: string, where: SpfAuditPosition) =>
    createWarning(
      'mechanism_as_modifier',
      `${quoteForDisplay(term)} in ${getName(where)} is ignored: mechanisms are written with a colon (${quoteForDisplay(term.replace('=', ':'))}).`,
    ),

  unknownModifier: (term: string, where: SpfAuditPosition) =>
    createInfo(
      'unknown_modifier',
      `${quoteForDisplay(term)} in ${getName(where)} means nothing to SPF and is ignored.`,
    ),

  dependsOnMessage: (term: string, where: SpfAuditPosition) =>
    createInfo(
      'depends_on_message',
      `What ${quoteForDisplay(term)} in ${getName(where)} looks up depends on the message; look-ups behind it are not counted here.`,
    ),
} as const;

function fail(code: string, message: string): Problem {
  return createProblem(code, 'fail', message);
}

function createWarning(code: string, message: string): Problem {
  return createProblem(code, 'warn', message);
}

function createInfo(code: string, message: string): Problem {
  return createProblem(code, 'info', message);
}

function createProblem(code: string, severity: Severity, message: string): Problem {
  return { code, severity, message };
}

function getName({ domain, audited }: SpfAuditPosition): string {
  return domain.toLowerCase() === audited.toLowerCase() ? 'the record' : `the record of ${escapeForDisplay(domain)}`;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The costliest terms of the record itself, which its owner can change. */
function listDearest(terms: readonly TermLookups[]): string {
  const own = terms.filter(({ depth }) => depth === 0).toSorted((one, other) => other.lookups - one.lookups);
  const costs = own.slice(0, 3).map(({ term, lookups }) => `${quoteForDisplay(term)} ${lookups}`);
  return `Of them cost: ${costs.join(', ')}.`;
}
