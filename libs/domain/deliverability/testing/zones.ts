import { type ZoneTable } from '../../../adapters/dns/testing';

/** A public key of 2048 bits without a private key. */
const KEY = [
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAk8fyg6LjvkTXQ+NjwjlFsgQHjk8lRe4QuqMYvE9uCK3m9GUqCxZELJBg',
  'LICkjXZNnESqcW4DBlddtn1t70lf5SoqoUNmScBrvuxVF4O7WCYb2jsv7W8IK++aMBZbuauGXqrht7FqM6MIb+YBE7CzzpauYmmF',
  'c1Ecw5B0AoKf73HQIoa6Nef7S5NL1d3U00hz2eaHfYngLthNKZ0suc+WEuSzX3clRhWYbovNM8WdsFmFDcdC3UVHx/VJ2Ww7Vdv/',
  '/l8NSvz5ug0UlwoginRYVoYi/lzC8rOk3SXWo5OLpLtHID5tJOMaZu/dH6rbODKbk73pP/io7LMmwueaPKHIpQIDAQAB',
].join('');

/** Complete records of a domain. */
export function wellKept(domain: string): ZoneTable {
  return {
    [domain]: {
      MX: [{ exchange: `mx.${domain}`, priority: 10 }],
      TXT: ['v=spf1 ip4:192.0.2.1 -all'],
      A: ['93.184.216.34'],
    },
    [`mx.${domain}`]: { A: ['93.184.216.34'] },
    [`google._domainkey.${domain}`]: { TXT: [`v=DKIM1; k=rsa; p=${KEY}`] },
    [`_dmarc.${domain}`]: { TXT: ['v=DMARC1; p=reject; rua=mailto:dmarc@' + domain] },
  };
}

/** The same with another SPF record, or none. */
export function withSpf(domain: string, ...records: readonly string[]): ZoneTable {
  const well = wellKept(domain);
  return { ...well, [domain]: { ...(well[domain] as object), TXT: records } };
}
