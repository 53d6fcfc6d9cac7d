import { isIPv6 } from 'node:net';

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

const DNS_PORT = 53;

/** @param text `host`, `host:port` or `[v6]:port`, as in `DNS_SERVERS` and Node; the host is an IP address */
export function parseServerAddress(text: string): ServerAddress {
  const [, bracketed, plain, port] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(text) ?? [];
  return { host: bracketed ?? plain ?? text, port: port === undefined ? DNS_PORT : Number(port) };
}

/** For display. */
export function formatServerAddress({ host, port }: ServerAddress): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}
