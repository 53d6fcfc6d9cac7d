import { type DnsPort, type DnsFailure, type DnsOptions } from '@adapters/dns';
import { parseAddress } from '@platform/outbound';
import { isFailure, toDnsRecords } from '../check';

/** A host that an MX record names. */
export interface MailHost {
  readonly name: string;
  /** Whether it can receive mail as far as DNS answers; `unknown` when the resolver gave no answer. */
  readonly usable: 'yes' | 'no' | 'unknown';
  /** The name is an IP address, or has none. */
  readonly problem: 'address' | 'unresolved' | null;
  /** Target of its alias. */
  readonly alias: string | null;
  /** A private address, when it certainly has no public one. */
  readonly privateAddress: string | null;
  /** Whether it has an IPv4 address, or DNS gave no answer. */
  readonly mayHaveIPv4: boolean;
  readonly failure: DnsFailure | null;
}

export interface Addresses {
  readonly addresses: readonly string[];
  /** See `MailHost`. */
  readonly mayHaveIPv4: boolean;
  /** The first query without an answer. */
  readonly failure: DnsFailure | null;
}

const UNUSABLE = { usable: 'no', alias: null, privateAddress: null, mayHaveIPv4: false, failure: null } as const;

/** Takes three queries; none for an IP address. */
export async function examineTarget(dns: DnsPort, name: string, options: DnsOptions): Promise<MailHost> {
  if (parseAddress(name) !== null) return { ...UNUSABLE, name, problem: 'address' };
  const [found, aliases] = await Promise.all([resolveAddresses(dns, name, options), dns.query(name, 'CNAME', options)]);
  const { addresses, mayHaveIPv4, failure } = found;
  const alias = toDnsRecords(aliases)[0] ?? null;
  if (addresses.length > 0) {
    return {
      name,
      usable: 'yes',
      problem: null,
      alias,
      privateAddress: failure ? null : onlyPrivate(addresses),
      mayHaveIPv4,
      failure: null,
    };
  }
  if (failure) return { ...UNUSABLE, name, usable: 'unknown', problem: null, alias, failure };
  return { ...UNUSABLE, name, problem: 'unresolved', alias };
}

/** The IPv4 and IPv6 addresses of a name. */
export async function resolveAddresses(dns: DnsPort, name: string, options: DnsOptions): Promise<Addresses> {
  const [a, aaaa] = await Promise.all([dns.query(name, 'A', options), dns.query(name, 'AAAA', options)]);
  const failure = isFailure(a) ? a : isFailure(aaaa) ? aaaa : null;
  const mayHaveIPv4 = toDnsRecords(a).length > 0 || isFailure(a);
  return { addresses: [...toDnsRecords(a), ...toDnsRecords(aaaa)], mayHaveIPv4, failure };
}

function onlyPrivate(addresses: readonly string[]): string | null {
  const isPublic = addresses.some((address) => parseAddress(address)?.range === 'unicast');
  return isPublic ? null : (addresses[0] ?? null);
}
