/** Characters of a message that are searched: headers have a few thousand. */
const MOST = 65_536;

/** Returns the values of all header fields of a name, unfolded (RFC 5322, section 2.2.3), in order. */
export function listHeaderFields(raw: Buffer, name: string): string[] {
  const [header = ''] = raw
    .subarray(0, MOST)
    .toString('latin1')
    .split(/\r?\n\r?\n/, 1);
  const fields = header.replace(/\r?\n(?=[ \t])/g, '').split(/\r?\n/);
  const prefix = `${name.toLowerCase()}:`;
  return fields.flatMap((field) => (field.toLowerCase().startsWith(prefix) ? field.slice(prefix.length).trim() : []));
}
