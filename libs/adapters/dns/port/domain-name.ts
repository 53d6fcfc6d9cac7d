const MAX_LABEL_OCTETS = 63;
/** Without the final dot; 255 with the length bytes of all labels and the root (RFC 1035, section 3.1). */
const MAX_NAME_OCTETS = 253;
/** Controls and line breaks. */
const NOT_IN_NAMES = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/**
 * A name in the adapter's form: in lower case (ASCII only, RFC 4343), without the final dot; '.' is the root. `null` for an impossible
 * name: an empty label, a label of more than 63 octets, more than 253 in all, or a control character.
 */
export function parseDomainName(text: string): string | null {
  if (text === '.') return text;
  const name = toAsciiLowerCase(text.endsWith('.') ? text.slice(0, -1) : text);
  const octets = Buffer.byteLength(name);
  if (octets === 0 || octets > MAX_NAME_OCTETS || NOT_IN_NAMES.test(name)) return null;
  const fits = name.split('.').every((label) => label !== '' && Buffer.byteLength(label) <= MAX_LABEL_OCTETS);
  return fits ? name : null;
}

/** A name of a record: as above, but with '' for the root, as in the port. */
export function toRecordName(text: string): string {
  return toAsciiLowerCase(text.endsWith('.') ? text.slice(0, -1) : text);
}

/** The name itself, then its ancestors up to the root. */
export function listWithAncestors(name: string): readonly string[] {
  if (name === '.') return ['.'];
  const labels = name.split('.');
  return [...labels.map((_, index) => labels.slice(index).join('.')), '.'];
}

function toAsciiLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}
