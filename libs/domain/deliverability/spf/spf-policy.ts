import { type DnsPort, type DnsFailure } from '@adapters/dns';
import { isFailure, toDnsRecords } from '../check';
import { isSpfRecord, parseSpf, type SpfSyntaxIssue } from './spf-grammar';
import { type SpfRecord } from './spf-record';

/** SPF records of a domain. */
export type SpfPolicy =
  | { readonly kind: 'record'; readonly text: string; readonly record: SpfRecord }
  /** `texts`: what its TXT hold instead. */
  | { readonly kind: 'none'; readonly texts: readonly string[]; readonly exists: boolean }
  | { readonly kind: 'multiple'; readonly texts: readonly string[] }
  | { readonly kind: 'syntax'; readonly text: string; readonly errors: readonly SpfSyntaxIssue[] }
  | { readonly kind: 'unanswered'; readonly failure: DnsFailure };

/** Looks up, selects and parses the record of a domain (RFC 7208, sections 4.4 and 4.5). Only TXT is queried (section 3.1). */
export async function getPolicy(dns: DnsPort, domain: string): Promise<SpfPolicy> {
  const answer = await dns.query(domain, 'TXT');
  if (isFailure(answer)) return { kind: 'unanswered', failure: answer };
  const texts = toDnsRecords(answer);
  const [text, ...others] = texts.filter(isSpfRecord);
  if (text === undefined) return { kind: 'none', texts, exists: answer.kind !== 'nxdomain' };
  if (others.length > 0) return { kind: 'multiple', texts: [text, ...others] };
  const parsed = parseSpf(text);
  return parsed.ok ? { kind: 'record', text, record: parsed.record } : { kind: 'syntax', text, errors: parsed.errors };
}
