import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

/** An IPv4 or IPv6 address. */
export type Address = IPv4 | IPv6;

/** Dotted decimal with four parts and no leading zeros (`qnum` of RFC 7208, section 12). */
export function isIp4Network(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text);
}

/** One of the forms of RFC 4291, section 2.2, without a zone index. */
export function isIp6Network(text: string): boolean {
  const [left = '', right, ...more] = toHexadecimal(text).split('::');
  const groups = [left, right ?? ''].filter((half) => half !== '').flatMap((half) => half.split(':'));
  const enough = right === undefined ? groups.length === 8 : groups.length < 8;
  return enough && more.length === 0 && groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group));
}

/**
 * Parses the address of a client. An IPv4-mapped IPv6 address is an IPv4 address, whatever the connection (RFC 7208, section 5).
 * @throws RangeError for other text
 */
export function parseClientAddress(text: string): Address {
  const bare = text.trim().replace(/%.*$/, '');
  if (!isIp4Network(bare) && !isIp6Network(bare)) throw new RangeError(`${JSON.stringify(text)} is no IP address`);
  const address = parsed(bare);
  const mapped = address.kind() === 'ipv6' && (address as IPv6).isIPv4MappedAddress();
  return mapped ? (address as IPv6).toIPv4Address() : address;
}

/** Whether the first `prefix` bits are those of the network; false for two different families. */
export function isWithin(client: Address, network: string, prefix: number): boolean {
  const other = parsed(network);
  return client.kind() === other.kind() && client.match(other, prefix);
}

/** `%{i}`: dotted decimal, or the 32 nibbles of an IPv6 address separated by dots (RFC 7208, section 7.3). */
export function toDotted(client: Address): string {
  if (client.kind() === 'ipv4') return client.toString();
  return client
    .toByteArray()
    .flatMap((byte) => [byte >> 4, byte & 15])
    .map((nibble) => nibble.toString(16))
    .join('.');
}

/** `%{c}`: readable form, IPv6 by RFC 5952. */
export function readable(client: Address): string {
  return client.kind() === 'ipv4' ? client.toString() : (client as IPv6).toRFC5952String();
}

/** `%{v}`: the label below `arpa` for reverse names of the family. */
export function getReverseZone(client: Address): 'in-addr' | 'ip6' {
  return client.kind() === 'ipv4' ? 'in-addr' : 'ip6';
}

/** Returns the reverse name of an address (RFC 1035, section 3.5; RFC 3596, section 2.5). */
export function getReverseName(client: Address): string {
  return `${toDotted(client).split('.').toReversed().join('.')}.${getReverseZone(client)}.arpa`;
}

function parsed(text: string): Address {
  return text.includes(':') ? ipaddr.IPv6.parse(toHexadecimal(text)) : ipaddr.IPv4.parse(text);
}

/**
 * Rewrites an IPv6 address that ends in dotted decimal: ipaddr.js reads "::192.0.2.1" as the mapped "::ffff:192.0.2.1". Other
 * addresses stay.
 */
function toHexadecimal(text: string): string {
  const start = text.lastIndexOf(':') + 1;
  const end = text.slice(start);
  if (start === 0 || !isIp4Network(end)) return text;
  const [a = 0, b = 0, c = 0, d = 0] = end.split('.').map(Number);
  return `${text.slice(0, start)}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}
