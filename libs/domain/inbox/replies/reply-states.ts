/**
 * `queued`: waits for its mailbox; `claimed`: a worker has claimed it; `sending`: it is being submitted to the server; `sent`:
 * the server has accepted it; `retry`: waits for another attempt; `failed`: permanently rejected; `ambiguous`: submitted without
 * an answer; `sent_unconfirmed`: no proof after six hours; `withheld`: withdrawn after the claim, which the worker has not
 * released yet; `cancelled`: not sent, by request or because its address or mailbox may not be used any more.
 */
export const REPLY_STATES = [
  'queued',
  'claimed',
  'sending',
  'sent',
  'retry',
  'failed',
  'ambiguous',
  'sent_unconfirmed',
  'withheld',
  'cancelled',
] as const;
export type ReplyState = (typeof REPLY_STATES)[number];

/** The allowed transitions. Only a worker that holds the mailbox lease enters `claimed` and `sending`. */
const REPLY_TRANSITIONS = {
  queued: ['claimed', 'cancelled'],
  claimed: ['sending', 'queued', 'retry', 'failed', 'withheld', 'cancelled'],
  sending: ['sent', 'queued', 'retry', 'failed', 'ambiguous'],
  sent: [],
  retry: ['claimed', 'cancelled'],
  failed: [],
  ambiguous: ['sent', 'sent_unconfirmed', 'retry', 'failed'],
  sent_unconfirmed: [],
  withheld: ['queued', 'cancelled'],
  cancelled: [],
} as const satisfies Record<ReplyState, readonly ReplyState[]>;

/** A worker may claim it. */
export const WAITING = ['queued', 'retry'] as const satisfies readonly ReplyState[];
/** A worker has claimed it; it may have crashed since. */
export const IN_FLIGHT = ['claimed', 'sending', 'withheld'] as const satisfies readonly ReplyState[];
/** Its mailbox has to act on it. */
export const OPEN = [...WAITING, ...IN_FLIGHT] as const;
/** It may still go out, an ambiguous one after its resolution. */
export const NOT_OVER = [...OPEN, 'ambiguous'] as const satisfies readonly ReplyState[];

export function mayReplyBecome(from: ReplyState, to: ReplyState): boolean {
  return (REPLY_TRANSITIONS[from] as readonly ReplyState[]).includes(to);
}

export function isWaiting(state: ReplyState): boolean {
  return WAITING.some((waiting) => waiting === state);
}
