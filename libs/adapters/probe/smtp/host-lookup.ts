import { type DnsPort, type DnsAnswer } from '@adapters/dns';
import { type HostLookup } from '@platform/outbound';

/** A failure with a code of Node's resolver, as `OutboundAddressService` expects. */
class LookupError extends Error {
  constructor(
    readonly code: 'ENOTFOUND' | 'ESERVFAIL',
    host: string,
  ) {
    super(`${host}: ${code}`);
  }
}

/**
 * Looks up mail hosts through the resolver with the cache: one host receives the mail of many domains. IPv4 comes first, because mail
 * servers are stricter with IPv6 clients.
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
