import { lookup as getaddrinfo, Resolver } from 'node:dns/promises';
import { toOutboundErrorCode } from './error-code';

/**
 * All IP addresses of a host name, in order of preference; rejects with a Node DNS error (`code` ENOTFOUND, ENODATA,
 * ESERVFAIL, ETIMEOUT, EAI_AGAIN, ...). The guard checks every address.
 */
export type HostLookup = (hostname: string) => Promise<readonly string[]>;

/** Timeout of a try in milliseconds; the second of two tries waits longer. */
const TRY_MS = 2_000;
const TRIES = 2;

const NO_SUCH_NAME: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/**
 * Looks up public names over DNS only. getaddrinfo is unsuitable: all lookups of the process share its two threads, so that a
 * few names with a slow server would delay all others; it also reads the machine's hosts file.
 * @param servers `host:port` of DNS servers; none: those of /etc/resolv.conf.
 */
export function dnsLookup(servers: readonly string[] = []): HostLookup {
  return async (hostname) => {
    // A new resolver reads changes of resolv.conf and shares no queue.
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
    if (servers.length > 0) resolver.setServers(servers);
    const answers = await Promise.allSettled([resolver.resolve6(hostname), resolver.resolve4(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const reasons: unknown[] = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    // One family often has no record; a temporary failure of the other one decides about a retry.
    throw reasons.find((reason) => !isNoSuchName(reason)) ?? reasons[0];
  };
}

/** Looks up names with the resolver of the machine, its hosts file and search domains: for installations that allow private networks. */
export const systemLookup: HostLookup = async (hostname) => {
  const answers = await getaddrinfo(hostname, { all: true, order: 'verbatim' });
  return answers.map(({ address }) => address);
};

/** Whether a DNS error means that the name or its address does not exist, as opposed to a temporary failure. */
export function isNoSuchName(error: unknown): boolean {
  return NO_SUCH_NAME.has(toOutboundErrorCode(error));
}
