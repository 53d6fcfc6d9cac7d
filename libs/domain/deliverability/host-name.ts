/** Letters, digits, hyphens (RFC 1123, section 2.1), and the underscore of service names and mistakes. */
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i;
const MAX_NAME = 253;

/** Returns the name in lower case without the final dot. */
export function normalizeHostName(name: string): string {
  return (name.endsWith('.') ? name.slice(0, -1) : name).toLowerCase();
}

/** Whether it consists of letters, digits and hyphens, with at least one label and no final dot. */
export function isHostName(name: string): boolean {
  return name.length <= MAX_NAME && name.split('.').every((label) => LABEL.test(label));
}
