import { type DnsAnswer, type DnsFailure, type DnsPort, type MxRecord } from '@adapters/dns';
import { parseAddress } from '@platform/outbound';

/**
 * The mail records of a domain in DNS. `mail`: `hosts` accept it, the preferred first; `null_mx`: it accepts none
 * (RFC 7505); `no_mail_host`: neither MX nor an address; `hosts_unusable`: none of its hosts is reachable from the
 * public internet; `unanswered`: DNS gave no answer.
 */
export type DomainFacts =
  | { readonly kind: 'mail'; readonly hosts: readonly [string, ...string[]] }
  | { readonly kind: 'not_found' | 'null_mx' | 'no_mail_host' | 'hosts_unusable' | 'unanswered' };

export interface KnownDomain {
  readonly facts: DomainFacts;
  /** Time to live of the answers in seconds; 0 for an unknown result. */
  readonly ttl: number;
}

export interface DomainQuestion {
  readonly dns: DnsPort;
  /** Whether mail may be delivered to an IP address. */
  readonly allows: (address: string) => boolean;
  readonly signal: AbortSignal;
}

type HostState = 'usable' | 'unusable' | 'unanswered';

/** Maximum number of hosts that are resolved until one accepts mail. */
const MAX_HOSTS = 10;
const ANSWERS = new Set(['records', 'nodata', 'nxdomain']);

/**
 * Resolves the mail hosts of a domain (RFC 5321, section 5.1). The usual domain takes two queries, any domain at most
 * 21.
 * @param domain in A-labels
 * @throws the signal's reason when it is aborted
 */
export async function resolveMailDomain(domain: string, question: DomainQuestion): Promise<KnownDomain> {
  const answer = await question.dns.query(domain, 'MX', { signal: question.signal });
  if (isFailure(answer)) return createUnanswered();
  if (answer.kind === 'nxdomain') return { facts: { kind: 'not_found' }, ttl: answer.ttl };
  if (answer.kind !== 'records') return resolveImplicitHost(domain, answer.ttl, question);
  const hosts = toHosts(answer.records);
  if (hosts.length === 0) return { facts: { kind: 'null_mx' }, ttl: answer.ttl };
  return findFirstUsable(hosts, answer.ttl, question);
}

/** The hosts by preference, without repetitions. A null MX beside others is ignored (RFC 7505, section 3). */
function toHosts(records: readonly MxRecord[]): readonly string[] {
  const sorted = records.toSorted((one, other) => one.priority - other.priority);
  return [...new Set(sorted.map(({ exchange }) => exchange))].filter((host) => host !== '').slice(0, MAX_HOSTS);
}

/** Without MX, the domain itself is the host. */
async function resolveImplicitHost(domain: string, ttl: number, question: DomainQuestion): Promise<KnownDomain> {
  const found = await getHostState(domain, question);
  if (found.state === 'unanswered') return createUnanswered();
  if (found.state === 'usable') return { facts: { kind: 'mail', hosts: [domain] }, ttl: Math.min(ttl, found.ttl) };
  return { facts: { kind: found.hasAddress ? 'hosts_unusable' : 'no_mail_host' }, ttl: Math.min(ttl, found.ttl) };
}

/** Stops at the first usable host: the probe checks the others. */
async function findFirstUsable(hosts: readonly string[], ttl: number, question: DomainQuestion): Promise<KnownDomain> {
  let isOpen = false;
  let shortest = ttl;
  for (const [at, host] of hosts.entries()) {
    const found = await getHostState(host, question);
    shortest = Math.min(shortest, found.ttl);
    if (found.state === 'usable') {
      return { facts: { kind: 'mail', hosts: [host, ...hosts.slice(at + 1)] }, ttl: shortest };
    }
    isOpen ||= found.state === 'unanswered';
  }
  return isOpen ? createUnanswered() : { facts: { kind: 'hosts_unusable' }, ttl: shortest };
}

async function getHostState(
  host: string,
  { dns, allows, signal }: DomainQuestion,
): Promise<{ state: HostState; hasAddress: boolean; ttl: number }> {
  // An MX names a host, not an address (RFC 5321, section 5.1); `localhost` is the querying machine itself (RFC 6761,
  // section 6.3).
  if (parseAddress(host) !== null || host === 'localhost' || host.endsWith('.localhost')) {
    return { state: 'unusable', hasAddress: true, ttl: Infinity };
  }
  let isOpen = false;
  let hasAddress = false;
  let ttl = Infinity;
  for (const type of ['A', 'AAAA'] as const) {
    const answer = await dns.query(host, type, { signal });
    if (isFailure(answer)) {
      isOpen = true;
      continue;
    }
    ttl = Math.min(ttl, answer.ttl);
    if (answer.kind !== 'records') continue;
    hasAddress = true;
    if (answer.records.some(allows)) return { state: 'usable', hasAddress, ttl: answer.ttl };
  }
  return { state: isOpen ? 'unanswered' : 'unusable', hasAddress, ttl };
}

function createUnanswered(): KnownDomain {
  return { facts: { kind: 'unanswered' }, ttl: 0 };
}

function isFailure<T>(answer: DnsAnswer<T>): answer is DnsFailure {
  return !ANSWERS.has(answer.kind);
}
