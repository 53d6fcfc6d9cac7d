import { type SendOutcome, type SentLookup } from '@adapters/mail';

/** The reply of a server that rejects the message. */
export function refused(kind: 'temporary' | 'permanent' | 'needs-human' | 'ambiguous', said = '451 No'): SendOutcome {
  const lastReply = { code: said.slice(0, 3), enhancedCode: null, command: 'DATA', response: said };
  return { kind, failure: kind, stage: 'data', message: said, lastReply, retryAfterMs: null };
}

export const FOUND: SentLookup = { state: 'sent', providerMessageId: null, providerThreadId: null };
