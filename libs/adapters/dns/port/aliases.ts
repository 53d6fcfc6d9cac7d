import { type DnsAnswer, type DnsFailure } from './dns.port';
import { parseDomainName } from './domain-name';

/** The name has an alias with an unknown target. */
export interface AliasFound {
  readonly kind: 'alias';
  /** Each leads to the next; the last one has to be queried. */
  readonly targets: readonly [string, ...string[]];
  /** The smallest TTL of their records in seconds. */
  readonly ttl: number;
}

/** Longer chains are a fault or an attack; most resolvers stop between 8 and 16. */
export const MAX_ALIASES = 12;

/**
 * Follows aliases (CNAME, RFC 1034, section 3.6.2) to the answer, whose TTL is the smallest in the chain.
 * @param ask one step; its answer may contain several aliases
 * @returns `servfail` for a loop and for more than 12 aliases
 */
export async function followAliases<T>(
  name: string,
  ask: (name: string) => Promise<DnsAnswer<T> | AliasFound>,
): Promise<DnsAnswer<T>> {
  const visited = new Set([name]);
  for (let current = name, ttl = Infinity; ;) {
    const found = await ask(current);
    if (found.kind !== 'alias') return 'ttl' in found ? { ...found, ttl: Math.min(ttl, found.ttl) } : found;
    for (const target of found.targets) {
      if (visited.has(target)) return toBrokenChain(`The aliases of ${name} form a loop at ${target}`);
      visited.add(target);
      if (visited.size > MAX_ALIASES + 1) return toBrokenChain(`${name} has more than ${MAX_ALIASES} aliases`);
      current = target;
    }
    ttl = Math.min(ttl, found.ttl);
    if (parseDomainName(current) === null) return { kind: 'nxdomain', ttl };
  }
}

function toBrokenChain(message: string): DnsFailure {
  return { kind: 'servfail', message };
}
