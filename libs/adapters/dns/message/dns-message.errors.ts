/** The received bytes are no valid answer. */
export class MalformedReplyError extends Error {
  override readonly name = 'MalformedReplyError';
}
