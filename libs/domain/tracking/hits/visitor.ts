import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';

/** The facts of a request that identify its client. */
export interface Visitor {
  readonly method: string;
  readonly address: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The stored part of them. */
export interface Client {
  /** Hash of user agent and network. */
  readonly client: string;
  readonly userAgent: string;
  readonly network: string;
  readonly head: boolean;
  readonly ahead: boolean;
}

const MAX_USER_AGENT = 300;
/** Headers by which programs announce a prefetch. */
const PURPOSE_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

export function getClient({ method, address, headers }: Visitor): Client {
  const userAgent = toText(headers['user-agent']).slice(0, MAX_USER_AGENT).toWellFormed().trim();
  const network = getNetwork(address);
  const ahead = PURPOSE_HEADERS.some((name) => /prefetch|prerender|preview/i.test(toText(headers[name])));
  return { client: digest(`${userAgent}\n${network}`), userAgent, network, head: method === 'HEAD', ahead };
}

/** Returns `192.0.2.0/24` or `2001:db8:1::/48`: enough to recognise an organisation, not a person. */
export function getNetwork(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return '';
  const parsed = ipaddr.process(address);
  const bytes = parsed.toByteArray();
  const prefixBytes = bytes.length === 4 ? 3 : 6;
  const masked = ipaddr.fromByteArray(bytes.map((byte, at) => (at < prefixBytes ? byte : 0)));
  return `${masked.toString()}/${prefixBytes * 8}`;
}

/** Returns a hash of 16 characters. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest().toString('base64url', 0, 12);
}

function toText(header: string | string[] | undefined): string {
  return Array.isArray(header) ? header.join(', ') : (header ?? '');
}
