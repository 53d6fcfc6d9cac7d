/**
 * What Node, OpenSSL and undici call an error: its `code` (`ECONNREFUSED`), or its `name` where there is none, as with
 * the errors of undici's parser.
 */
export function toCode(error: unknown): string {
  // Not instanceof: errors of Node's core come from another realm under Jest.
  if (typeof error !== 'object' || error === null) return 'unknown';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'name' in error && typeof error.name === 'string' ? error.name : 'unknown';
}
