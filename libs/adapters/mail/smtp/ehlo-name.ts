import { isIP } from 'node:net';

/** The installation's host name from its public URL; an address is put in brackets (RFC 5321, 4.1.3). */
export function getEhloName(publicUrl: string): string {
  const host = new URL(publicUrl).hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  if (family === 0) return host;
  return family === 4 ? `[${host}]` : `[IPv6:${host}]`;
}
