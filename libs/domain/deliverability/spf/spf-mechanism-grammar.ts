import { isIp4Network, isIp6Network } from './spf-address';
import { type DomainSpec, parseDomainSpec } from './spf-domain-spec';
import { type Mechanism, type Prefixes } from './spf-record';
import { SpfSyntaxError } from './spf-syntax.errors';

const KINDS = ['all', 'include', 'a', 'mx', 'ptr', 'ip4', 'ip6', 'exists'] as const;
const BITS = { ip4: 32, ip6: 128 } as const;
/** Prefix lengths of `a` and `mx`: "/24", "//64", "/24//64". */
const DUAL_CIDR = /(?:\/(\d*))?(?:\/\/(\d*))?$/;

/** Text after the name of a mechanism. */
interface Argument {
  readonly text: string;
  /** Offset in the record. */
  readonly at: number;
}

/**
 * Parses a mechanism without its qualifier (RFC 7208, sections 5 and 12).
 * @param at offset in the record
 * @throws SpfSyntaxFault
 */
export function parseMechanism(text: string, at: number): Mechanism {
  const name = /^[^:/=]*/.exec(text)?.[0] ?? '';
  const kind = KINDS.find((known) => known === name.toLowerCase());
  if (!kind) throw new SpfSyntaxError(createUnknownMechanism(name, text), at);
  const argument = { text: text.slice(name.length), at: at + name.length };
  switch (kind) {
    case 'all':
      if (argument.text !== '') throw new SpfSyntaxError('has something after "all", which takes nothing', argument.at);
      return { kind };
    case 'include':
    case 'exists':
      return { kind, domain: requiredDomain(kind, argument) };
    case 'a':
    case 'mx':
      return { kind, ...parseDomainAndPrefixes(argument) };
    case 'ptr':
      return { kind, domain: parseOptionalDomain(argument) };
    case 'ip4':
    case 'ip6':
      return { kind, ...parseNetwork(kind, argument) };
  }
}

function createUnknownMechanism(name: string, text: string): string {
  if (/^(redirect|exp)$/i.test(name)) return `is no mechanism; the modifier is written "${name.toLowerCase()}="`;
  if (isIp4Network(name) || isIp6Network(text)) return 'is an address without "ip4:" or "ip6:" before it';
  return `is no mechanism that SPF knows (${KINDS.join(', ')})`;
}

function requiredDomain(kind: string, argument: Argument): DomainSpec {
  const domain = parseOptionalDomain(argument);
  if (!domain) throw new SpfSyntaxError(`lacks the domain name: "${kind}:" takes one`, argument.at);
  return domain;
}

function parseOptionalDomain({ text, at }: Argument): DomainSpec | null {
  if (text === '') return null;
  if (!text.startsWith(':')) throw new SpfSyntaxError('can have a colon and a domain name only', at);
  return parseDomainSpec(text.slice(1), at + 1);
}

function parseDomainAndPrefixes(argument: Argument): {
  readonly domain: DomainSpec | null;
  readonly prefixes: Prefixes;
} {
  const cidr = DUAL_CIDR.exec(argument.text);
  const start = cidr?.index ?? argument.text.length;
  const prefixes = {
    ip4: parsePrefixLength(cidr?.[1], 'ip4', argument.at + start),
    ip6: parsePrefixLength(cidr?.[2], 'ip6', argument.at + start),
  };
  return { domain: parseOptionalDomain({ text: argument.text.slice(0, start), at: argument.at }), prefixes };
}

function parseNetwork(
  kind: 'ip4' | 'ip6',
  { text, at }: Argument,
): { readonly network: string; readonly prefix: number } {
  const [, address = '', length] = /^:([^/]*)(?:\/(.*))?$/.exec(text) ?? [];
  if (address === '') throw new SpfSyntaxError(`lacks the address: it is written "${kind}:" and an address`, at);
  const valid = kind === 'ip4' ? isIp4Network(address) : isIp6Network(address);
  if (!valid) throw new SpfSyntaxError(`has "${address}", which is no ${kind === 'ip4' ? 'IPv4' : 'IPv6'} address`, at);
  return { network: address, prefix: parsePrefixLength(length, kind, at + address.length + 1) };
}

/** Parses a decimal number without leading zeros, up to the bits of the address; all bits when absent. */
function parsePrefixLength(digits: string | undefined, kind: 'ip4' | 'ip6', at: number): number {
  if (digits === undefined) return BITS[kind];
  if (!/^(0|[1-9]\d{0,2})$/.test(digits) || Number(digits) > BITS[kind]) {
    const family = kind === 'ip4' ? 'IPv4' : 'IPv6';
    throw new SpfSyntaxError(`has the prefix length "${digits}"; ${family} takes 0 to ${BITS[kind]}`, at);
  }
  return Number(digits);
}
