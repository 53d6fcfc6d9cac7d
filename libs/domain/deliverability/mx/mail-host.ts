import { type DnsPort, type DnsFailure, type DnsOptions } from '@adapters/dns';
import { parseAddress } from '@platform/outbound';
import { isFailure, toRecords } from '../check';

/** A host that an MX record names. */
export interface MailHost {
  readonly name: string;
  /** Whether mail can be given to it, as far as DNS tells; `unknown` when the resolver did not answer. */
  readonly usable: 'yes' | 'no' | 'unknown';
  /** The name is an IP address, or has none. */
  readonly problem: 'address' | 'unresolved' | null;
  /** What it is an alias of. */
  readonly alias: string | null;
  /** An address of it that is none of the public internet, when it has no other for certain. */
  readonly privateAddress: string | null;
  /** Whether it has an IPv4 address, or may have one: DNS left it open. */
  readonly mayHaveIPv4: boolean;
  readonly failure: DnsFailure | null;
}

export interface Addresses {
  readonly addresses: readonly string[];
  /** See `MailHost`. */
  readonly mayHaveIPv4: boolean;
  /** The first question that got no answer. */
  readonly failure: DnsFailure | null;
}

const UNUSABLE = { usable: 'no', alias: null, privateAddress: null, mayHaveIPv4: false, failure: null } as const;

/** Takes three queries; none for what is an IP address. */
export async function examineTarget(dns: DnsPort, name: string, options: DnsOptions): Promise<MailHost> {
  if (parseAddress(name) !== null) return { ...UNUSABLE, name, problem: 'address' };
  const [found, aliases] = await Promise.all([getAddresses(dns, name, options), dns.query(name, 'CNAME', options)]);
  const { addresses, mayHaveIPv4, failure } = found;
  const alias = toRecords(aliases)[0] ?? null;
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
export async function getAddresses(dns: DnsPort, name: string, options: DnsOptions): Promise<Addresses> {
  const [a, aaaa] = await Promise.all([dns.query(name, 'A', options), dns.query(name, 'AAAA', options)]);
  const failure = isFailure(a) ? a : isFailure(aaaa) ? aaaa : null;
  const mayHaveIPv4 = toRecords(a).length > 0 || isFailure(a);
  return { addresses: [...toRecords(a), ...toRecords(aaaa)], mayHaveIPv4, failure };
}

function onlyPrivate(addresses: readonly string[]): string | null {
  const isPublic = addresses.some((address) => parseAddress(address)?.range === 'unicast');
  return isPublic ? null : (addresses[0] ?? null);
}
