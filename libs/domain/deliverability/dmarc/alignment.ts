import { type DnsPort, type DnsOptions } from '@adapters/dns';
import { failing, noting, warning, type Problem } from '../check';
import { normalizeHostName } from '../host-name';
import { type AppliedPolicy } from './applied-policy';
import { type AlignmentMode, type DmarcRecord } from './dmarc-record';
import { getOrganisationalDomain, walkTree } from './tree-walk';

/** Whether a name aligns with the domain of the From header; `unknown` when the name is unknown or DNS gave no answer. */
export type Alignment = 'aligned' | 'unaligned' | 'unknown';

/** Domains that authenticate the mailbox's mail; null where unknown. */
export interface AuthenticatedDomains {
  /** Domain of the envelope sender (MAIL FROM), which SPF authenticates. */
  readonly spf: string | null;
  /** `d=` of its signatures. */
  readonly dkim: string | null;
}

export interface Alignments {
  readonly spf: Alignment;
  readonly dkim: Alignment;
}

/** The author's domain. */
export interface AuthorDomain {
  readonly domain: string;
  /** null when DNS gave no answer. */
  readonly organisation: string | null;
}

/**
 * Identifier alignment (RFC 9989, section 4.4): the same name or, relaxed, the same organisational domain. Another name costs a
 * tree walk of at most eight queries.
 */
export async function listAlignments(
  dns: DnsPort,
  author: AuthorDomain,
  domains: AuthenticatedDomains,
  { aspf, adkim }: Pick<DmarcRecord, 'aspf' | 'adkim'>,
  options: DnsOptions,
): Promise<Alignments> {
  const spf = await getAlignment(dns, author, domains.spf, aspf, options);
  const sameQuestion = domains.spf === domains.dkim && aspf === adkim;
  return { spf, dkim: sameQuestion ? spf : await getAlignment(dns, author, domains.dkim, adkim, options) };
}

async function getAlignment(
  dns: DnsPort,
  author: AuthorDomain,
  authenticated: string | null,
  mode: AlignmentMode,
  options: DnsOptions,
): Promise<Alignment> {
  if (authenticated === null) return 'unknown';
  const name = normalizeHostName(authenticated);
  if (name === author.domain) return 'aligned';
  if (mode === 's') return 'unaligned';
  if (author.organisation === null) return 'unknown';
  const organisation = getOrganisationalDomain(await walkTree(dns, name, options));
  if (organisation === null) return 'unknown';
  return organisation === author.organisation ? 'aligned' : 'unaligned';
}

/** One aligned name is enough for DMARC to pass; without any, receivers apply the policy. */
export function checkAlignment(
  { spf, dkim }: Alignments,
  domains: AuthenticatedDomains,
  policy: AppliedPolicy,
): Problem[] {
  if (spf === 'unaligned' && dkim === 'unaligned') {
    const message = `Mail of this mailbox fails DMARC: it is sent as ${domains.spf ?? ''} and signed by ${domains.dkim ?? ''}, and neither belongs to the domain of its address. Have it signed with DKIM by its own domain.`;
    return [policy.effective === 'none' ? warning('unaligned', message) : failing('unaligned', message)];
  }
  if (dkim === 'unaligned') {
    const message = `Signatures of ${domains.dkim ?? ''} do not count for DMARC. Have the mail signed with DKIM by the domain of its address: SPF alone does not survive forwarding.`;
    return [warning('dkim_unaligned', message)];
  }
  if (spf === 'unaligned') {
    const message = `The envelope sender is at ${domains.spf ?? ''}, so DMARC rests on DKIM alone. Use a bounce address of the domain of the mailbox, if your provider can.`;
    return [noting('spf_unaligned', message)];
  }
  return [];
}
