import { type DnsPort, type DnsAnswer } from '@adapters/dns';
import { type HostLookup } from '@platform/outbound';

/** A failure in the words of Node's resolver, which is what an `OutboundAddressService` understands. */
class LookupError extends Error {
  constructor(
    readonly code: 'ENOTFOUND' | 'ESERVFAIL',
    host: string,
  ) {
    super(`${host}: ${code}`);
  }
}

/**
 * Looks up mail hosts through the resolver with the cache: one host takes the mail of many domains. IPv4 comes first, because mail
 * servers are stricter about who calls over IPv6.
 */
export function createHostLookup(dns: DnsPort): HostLookup {
  return async (host) => {
    const answers: DnsAnswer<string>[] = await Promise.all([dns.query(host, 'A'), dns.query(host, 'AAAA')]);
    const addresses = answers.flatMap((answer) => (answer.kind === 'records' ? answer.records : []));
    if (addresses.length > 0) return addresses;
    const isMissing = answers.every(({ kind }) => kind === 'nxdomain' || kind === 'nodata');
    throw new LookupError(isMissing ? 'ENOTFOUND' : 'ESERVFAIL', host);
  };
}
