import { DnsPort } from '@adapters/dns';
import { Injectable } from '@nestjs/common';
import { Config } from '@platform/config';
import { type HostLookup, OutboundHttpClient } from '@platform/outbound';
import { isFailure, toRecords } from '../check';

/**
 * Fetches policies of MTA-STS. Their hosts are looked up by the servers that have told of the policy (`DNS_SERVERS`), also where
 * private networks are allowed and other hosts are looked up as the machine sees them.
 */
@Injectable()
export class MtaStsPolicyClient extends OutboundHttpClient {
  constructor(config: Config, dns: DnsPort) {
    super({ allowPrivate: config.outboundAllowPrivate, lookup: createLookup(dns) });
  }
}

/** Past the cache: a policy is fetched once a check, and its host may just have been set up. */
function createLookup(dns: DnsPort): HostLookup {
  return async (host) => {
    const answers = await Promise.all([
      dns.query(host, 'AAAA', { fresh: true }),
      dns.query(host, 'A', { fresh: true }),
    ]);
    const addresses = answers.flatMap((answer) => toRecords<string>(answer));
    const failure = answers.find(isFailure);
    if (addresses.length === 0 && failure) throw Object.assign(new Error(failure.message), { code: 'ESERVFAIL' });
    return addresses;
  };
}
