import { isIPv6 } from 'node:net';
import ipaddr, { IPv6 } from 'ipaddr.js';

/** Which private networks an operator opens: all, none, or those in CIDR notation (`10.20.0.0/16`). */
export type OpenNetworks = boolean | readonly string[];

/** What he can open with OUTBOUND_ALLOW_PRIVATE: networks of his own. Everything else that is not public stays shut. */
const PRIVATE_RANGES: ReadonlySet<string> = new Set(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat']);

/**
 * Services that hand credentials to whoever asks, at addresses that no range rules out in every mode: AWS and Google
 * over IPv6, Alibaba inside CGNAT, Azure's WireServer on a public address. 169.254.169.254 is link-local anyway.
 */
const METADATA: ReadonlySet<string> = new Set(['fd00:ec2::254', 'fd20:ce::254', '100.100.100.200', '168.63.129.16']);

/** All global unicast addresses that IANA has allocated lie here (RFC 4291, 2.4 and the IANA IPv6 registry). */
const GLOBAL_UNICAST_V6 = IPv6.parseCIDR('2000::/3');

/** An IP address in canonical spelling: no legacy notation, IPv4-mapped IPv6 turned into IPv4. */
export interface CanonicalAddress {
  readonly address: string;
  readonly family: 4 | 6;
  /** Name of the range after ipaddr.js (`unicast`, `private`, `linkLocal`, ...), or `metadata`, `unallocated`, `zoned`. */
  readonly range: string;
}

/**
 * Reads an IP address in any spelling that some resolver or browser takes (`127.1`, `2130706433`, `0x7f.1`, `017.0.0.1`,
 * `[::1]`, `::ffff:127.0.0.1`); null for what is a name. Names and addresses are told apart here and nowhere else.
 * An address with a zone (`fe80::1%eth0`) is one of this machine's own links, whatever else it looks like.
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
 * Whether a connection to the address is allowed. Public unicast always is. `open` adds private, loopback, unique
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
  // ipaddr.js calls unicast whatever it has no name for, among it the IPv4-compatible ::7f00:1 (127.0.0.1).
  if (range === 'unicast' && ip instanceof IPv6 && !ip.match(GLOBAL_UNICAST_V6)) return 'unallocated';
  return range;
}
