import { type SendOutcome, type SentLookup } from '@adapters/mail';

/** The reply of a server that rejects the message. */
export function refused(
  kind: 'temporary' | 'permanent' | 'needs-human' | 'ambiguous',
  response = '451 No',
): SendOutcome {
  const lastReply = { code: response.slice(0, 3), enhancedCode: null, command: 'DATA', response };
  return { kind, failure: kind, stage: 'data', message: response, lastReply, retryAfterMs: null };
}

export const FOUND: SentLookup = { state: 'sent', providerMessageId: null, providerThreadId: null };
