import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';

/** What a request tells of whoever makes it. */
export interface Visitor {
  readonly method: string;
  readonly address: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** What is kept of that. */
export interface Client {
  /** User agent and network in one word. */
  readonly client: string;
  readonly userAgent: string;
  readonly network: string;
  readonly head: boolean;
  readonly ahead: boolean;
}

const MAX_USER_AGENT = 300;
/** Headers by which programs say that nobody has asked for it yet. */
const PURPOSE_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

export function getClient({ method, address, headers }: Visitor): Client {
  const userAgent = textOf(headers['user-agent']).slice(0, MAX_USER_AGENT).toWellFormed().trim();
  const network = getNetwork(address);
  const ahead = PURPOSE_HEADERS.some((name) => /prefetch|prerender|preview/i.test(textOf(headers[name])));
  return { client: digest(`${userAgent}\n${network}`), userAgent, network, head: method === 'HEAD', ahead };
}

/** The network of an address, `192.0.2.0/24` or `2001:db8:1::/48`: whose it is can be told from it, a person not. */
export function getNetwork(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return '';
  const parsed = ipaddr.process(address);
  const bytes = parsed.toByteArray();
  const kept = bytes.length === 4 ? 3 : 6;
  const masked = ipaddr.fromByteArray(bytes.map((byte, at) => (at < kept ? byte : 0)));
  return `${masked.toString()}/${kept * 8}`;
}

/** A word of 16 characters. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest().toString('base64url', 0, 12);
}

function textOf(header: string | string[] | undefined): string {
  return Array.isArray(header) ? header.join(', ') : (header ?? '');
}
