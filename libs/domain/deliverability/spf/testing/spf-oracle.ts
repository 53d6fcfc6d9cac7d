import { spf } from 'mailauth/lib/spf';
import { type DnsPort, type DnsAnswer } from '../../../../adapters/dns';
import { type SpfQuestion } from '../spf-check';

/** Error codes of `node:dns`, which the library expects. */
const CODES = {
  nxdomain: 'ENOTFOUND',
  nodata: 'ENODATA',
  servfail: 'ESERVFAIL',
  timeout: 'ETIMEOUT',
  refused: 'EREFUSED',
  malformed: 'EBADRESP',
  unreachable: 'ECONNREFUSED',
} as const;

type Resolver = NonNullable<NonNullable<Parameters<typeof spf>[0]>['resolver']>;

/** The result of the library `mailauth` in its strict mode. */
export async function askOracle(dns: DnsPort, { ip, sender, helo, receiver }: SpfQuestion) {
  const resolver = async (name: string, type: 'A' | 'AAAA' | 'MX' | 'PTR' | 'TXT') => {
    const answer: DnsAnswer<unknown> = await dns.query(name, type);
    if (answer.kind !== 'records') throw Object.assign(new Error(answer.kind), { code: CODES[answer.kind] });
    return type === 'TXT' ? answer.records.map((text) => [text]) : answer.records;
  };
  const answer = await spf({ ip, sender, helo, mta: receiver, resolver: resolver as Resolver, strict: true });
  return { result: answer.status.result, explanation: answer.explanation ?? null };
}
