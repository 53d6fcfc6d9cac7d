import { isIPv6 } from 'node:net';
import ipaddr, { IPv6 } from 'ipaddr.js';

/** The private networks that an operator allows: all, none, or those in CIDR notation (`10.20.0.0/16`). */
export type OpenNetworks = boolean | readonly string[];

/** Ranges that OUTBOUND_ALLOW_PRIVATE can allow. All other non-public ranges stay forbidden. */
const PRIVATE_RANGES: ReadonlySet<string> = new Set(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat']);

/**
 * Metadata services, which return credentials to any client, at addresses outside the ranges that are always forbidden: AWS
 * and Google over IPv6, Alibaba inside CGNAT, Azure's WireServer on a public address. 169.254.169.254 is link-local.
 */
const METADATA: ReadonlySet<string> = new Set(['fd00:ec2::254', 'fd20:ce::254', '100.100.100.200', '168.63.129.16']);

/** The range of all global unicast addresses that IANA has allocated (RFC 4291, 2.4 and the IANA IPv6 registry). */
const GLOBAL_UNICAST_V6 = IPv6.parseCIDR('2000::/3');

/** An IP address in canonical notation: no legacy notation, IPv4-mapped IPv6 as IPv4. */
export interface CanonicalAddress {
  readonly address: string;
  readonly family: 4 | 6;
  /** Name of the range after ipaddr.js (`unicast`, `private`, `linkLocal`, ...), or `metadata`, `unallocated`, `zoned`. */
  readonly range: string;
}

/**
 * Parses an IP address in any notation that resolvers or browsers accept (`127.1`, `2130706433`, `0x7f.1`, `017.0.0.1`,
 * `[::1]`, `::ffff:127.0.0.1`); null for a name. No other code distinguishes names from addresses.
 * An address with a zone (`fe80::1%eth0`) belongs to a link of this machine.
 */
export function parseAddress(host: string): CanonicalAddress | null {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  if (bare.includes('%')) return isIPv6(bare) ? { address: bare, family: 6, range: 'zoned' } : null;
  if (!ipaddr.isValid(bare)) return null;
  const ip = ipaddr.process(bare);
  const address = ip.toString();
  return { address, family: ip.kind() === 'ipv4' ? 4 : 6, range: METADATA.has(address) ? 'metadata' : getRange(ip) };
}

/**
 * Whether a connection to the address is allowed. Public unicast addresses are. `open` adds private, loopback, unique
 * local and CGNAT networks, but never link-local, metadata services, multicast, broadcast, unspecified, documentation,
 * benchmarking, or the translation ranges that wrap an IPv4 address (NAT64, 6to4, Teredo, IPv4-compatible).
 */
export function isAllowed({ address, range }: CanonicalAddress, open: OpenNetworks): boolean {
  if (range === 'unicast') return true;
  if (!PRIVATE_RANGES.has(range)) return false;
  return typeof open === 'boolean' ? open : open.some((network) => isInNetwork(network, address));
}

function isInNetwork(network: string, address: string): boolean {
  const [base, bits] = ipaddr.parseCIDR(network);
  const ip = ipaddr.parse(address);
  return ip.kind() === base.kind() && ip.match(base, bits);
}

function getRange(ip: ipaddr.IPv4 | ipaddr.IPv6): string {
  const range = ip.range();
  // ipaddr.js returns unicast for unnamed ranges, such as the IPv4-compatible ::7f00:1 (127.0.0.1).
  if (range === 'unicast' && ip instanceof IPv6 && !ip.match(GLOBAL_UNICAST_V6)) return 'unallocated';
  return range;
}
