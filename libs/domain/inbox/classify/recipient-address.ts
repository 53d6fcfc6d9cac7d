/** Bounded repetitions keep it linear. Chinese and Japanese have no blank before an address. */
const ADDRESS =
  /(?<![\w.+\-\u00c0-\u024f\u0370-\u052f])[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[a-z0-9][a-z0-9-]{0,62}\.){1,8}[a-z0-9-]{2,63}(?![\w@\u00c0-\u024f-])/gi;
/** RFC 6531: characters of any script. */
const INTERNATIONAL =
  /(?<![\w.+-])[\p{L}\p{N}\p{M}.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[\p{L}\p{N}][\p{L}\p{N}\p{M}-]{0,62}\.){1,8}[\p{L}\p{N}\p{M}-]{2,63}(?![\p{L}\p{N}@-])/gu;
const QUOTED = /"[^"\\\n@]{1,64}"@(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,63}/gi;

/** Returns the first address in a text, or null. */
export function findAddress(text: string | null | undefined): string | null {
  return listAddresses(text ?? '')[0] ?? null;
}

/** Lists the addresses in a text, in order and as written. */
export function listAddresses(text: string): string[] {
  if (!text.includes('@')) return [];
  for (const pattern of [ADDRESS, INTERNATIONAL, QUOTED]) {
    const found = [...text.matchAll(pattern)].map(([address]) => decapsulate(trimAddress(address)));
    if (found.length > 0) return found;
  }
  return [];
}

export function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Returns the recipient in a VERP return path: `bounces+ada=acme.test@sender.test`. */
export function findReturnPathRecipient(path: string): string | null {
  const verp = /[+-]([^+@=]{1,64})=([a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8})@/i.exec(parseSrsAddress(path) ?? path);
  return verp ? `${verp[1]}@${verp[2]}` : null;
}

/** Returns the original of an SRS return path: `SRS0=hash=tt=sender.test=bounces@forwarder.test`. Null for others. */
export function parseSrsAddress(path: string): string | null {
  const srs =
    /^srs0[=+-][^=+@]{1,64}[=+][^=+@]{1,16}[=+]([a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8})[=+]([^@]{1,128})@/i.exec(
      path,
    );
  return srs ? `${srs[2]}@${srs[1]}` : null;
}

function trimAddress(address: string): string {
  return address
    .replace(/^(?:rfc822|smtp|mailto|dda:smtp)[;:=]/i, '')
    .replace(/^[.'`|=/~]+/, '')
    .replace(/^smtp=/i, '');
}

/** Decodes foreign addresses as Exchange encapsulates them: `IMCEASMTP-ada+40acme+2Etest@old.test`. */
function decapsulate(address: string): string {
  const packed = /^imceasmtp-([^@]{3,200})@/i.exec(address)?.[1];
  if (packed === undefined) return address;
  return packed.replaceAll(/\+([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
