import { DnsPort } from '@adapters/dns';
import { Injectable } from '@nestjs/common';
import { Config } from '@platform/config';
import { type HostLookup, OutboundHttpClient } from '@platform/outbound';
import { isFailure, toDnsRecords } from '../check';

/**
 * Fetches MTA-STS policies. Their hosts are resolved by `DNS_SERVERS`, which also returned the record, even where other hosts are
 * resolved by the operating system.
 */
@Injectable()
export class MtaStsPolicyClient extends OutboundHttpClient {
  constructor(config: Config, dns: DnsPort) {
    super({ allowPrivate: config.outboundAllowPrivate, lookup: createLookup(dns) });
  }
}

/** Bypasses the cache: the host may be new, and a policy is fetched once per check. */
function createLookup(dns: DnsPort): HostLookup {
  return async (host) => {
    const answers = await Promise.all([
      dns.query(host, 'AAAA', { fresh: true }),
      dns.query(host, 'A', { fresh: true }),
    ]);
    const addresses = answers.flatMap((answer) => toDnsRecords<string>(answer));
    const failure = answers.find(isFailure);
    if (addresses.length === 0 && failure) throw Object.assign(new Error(failure.message), { code: 'ESERVFAIL' });
    return addresses;
  };
}
