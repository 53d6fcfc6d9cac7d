import { lookup as getaddrinfo, Resolver } from 'node:dns/promises';
import { toCode } from './error-code';

/**
 * All IP addresses of a host name, in order of preference; rejects with a Node DNS error (`code` ENOTFOUND, ENODATA,
 * ESERVFAIL, ETIMEOUT, EAI_AGAIN, ...). It may answer anything: the guard checks every address.
 */
export type HostLookup = (hostname: string) => Promise<readonly string[]>;

/** Per try, in milliseconds; two tries, the second with a longer wait. */
const TRY_MS = 2_000;
const TRIES = 2;

const NO_SUCH_NAME: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/**
 * Looks up public names over DNS alone. getaddrinfo is no good here: it holds one of two threads that all lookups of the
 * process share, so a few names with a slow server would delay everybody; it also reads the machine's hosts file.
 * @param servers `host:port` of DNS servers; none: those of /etc/resolv.conf.
 */
export function dnsLookup(servers: readonly string[] = []): HostLookup {
  return async (hostname) => {
    // A resolver of its own sees changes of resolv.conf and shares no queue.
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
    if (servers.length > 0) resolver.setServers(servers);
    const answers = await Promise.allSettled([resolver.resolve6(hostname), resolver.resolve4(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const reasons: unknown[] = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    // One family often has no record; the failure that may pass is the one that tells whether to try again.
    throw reasons.find((reason) => !isNoSuchName(reason)) ?? reasons[0];
  };
}

/** Looks up as the machine does, with its hosts file and search domains: for operators who allow private networks. */
export const systemLookup: HostLookup = async (hostname) => {
  const answers = await getaddrinfo(hostname, { all: true, order: 'verbatim' });
  return answers.map(({ address }) => address);
};

/** Whether a DNS error says that there is no such name or no address under it, as opposed to no answer for now. */
export function isNoSuchName(error: unknown): boolean {
  return NO_SUCH_NAME.has(toCode(error));
}
