/**
 * Returns the code of an error of Node, OpenSSL or undici (`ECONNREFUSED`), or its `name` where it has none, such as errors of
 * undici's parser.
 */
export function toOutboundErrorCode(error: unknown): string {
  // Not instanceof: errors of Node's core come from another realm under Jest.
  if (typeof error !== 'object' || error === null) return 'unknown';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'name' in error && typeof error.name === 'string' ? error.name : 'unknown';
}
