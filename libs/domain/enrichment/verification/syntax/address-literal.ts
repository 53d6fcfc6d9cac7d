const OCTET = /^\d{1,3}$/;
const TAG = /^ipv6:/i;
const GROUP = /^[\da-f]{1,4}$/i;
const GROUPS = 8;

/**
 * Parses the content of the brackets (RFC 5321, section 4.1.3); null for anything but an address. The general form
 * (tag, colon, text) is not accepted: of its tags, IANA has registered only `IPv6`.
 * @param content without the brackets
 */
export function parseLiteralFamily(content: string): 'ipv4' | 'ipv6' | null {
  if (isSnumQuad(content)) return 'ipv4';
  if (!TAG.test(content)) return null;
  return isSmtpIPv6(content.slice('IPv6:'.length)) ? 'ipv6' : null;
}

/** Four `Snum`: unlike other IPv4 grammars, this one allows leading zeros, and reads them as decimal. */
function isSnumQuad(text: string): boolean {
  const octets = text.split('.', 5);
  return octets.length === 4 && octets.every((octet) => OCTET.test(octet) && Number(octet) <= 255);
}

/**
 * `::` may stand for a single group, as in RFC 4291 and all parsers; the grammar of RFC 5321 asks for two. A zone
 * (`%eth0`) is meaningful on one machine only.
 */
function isSmtpIPv6(text: string): boolean {
  const tail = text.slice(text.lastIndexOf(':') + 1);
  const plain = tail.includes('.') && isSnumQuad(tail) ? `${text.slice(0, -tail.length)}0:0` : text;
  const [before = '', after, ...more] = plain.split('::');
  const groups = [before, after ?? ''].flatMap((half) => (half === '' ? [] : half.split(':')));
  const fits = after === undefined ? groups.length === GROUPS : groups.length < GROUPS;
  return more.length === 0 && fits && groups.every((group) => GROUP.test(group));
}
