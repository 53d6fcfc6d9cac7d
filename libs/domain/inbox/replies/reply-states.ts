/**
 * `queued`: waits for its mailbox; `claimed`: a turn has taken it; `wire`: the server is being given the message; `sent`: it
 * has accepted it; `retry`: tried again later; `failed`: refused for good; `ambiguous`: given, but no answer came;
 * `sent_unconfirmed`: still no proof after six hours; `withheld`: taken back before the wire, and the turn that had it has not
 * let go of it yet; `cancelled`: not sent, because somebody said so or because its address or mailbox may not be used any more.
 */
export const REPLY_STATES = [
  'queued',
  'claimed',
  'wire',
  'sent',
  'retry',
  'failed',
  'ambiguous',
  'sent_unconfirmed',
  'withheld',
  'cancelled',
] as const;
export type ReplyState = (typeof REPLY_STATES)[number];

/** Where a reply can go from each state. Nothing leads to `claimed` or `wire` but a turn that holds the mailbox. */
const REPLY_MOVES = {
  queued: ['claimed', 'cancelled'],
  claimed: ['wire', 'queued', 'retry', 'failed', 'withheld', 'cancelled'],
  wire: ['sent', 'queued', 'retry', 'failed', 'ambiguous'],
  sent: [],
  retry: ['claimed', 'cancelled'],
  failed: [],
  ambiguous: ['sent', 'sent_unconfirmed', 'retry', 'failed'],
  sent_unconfirmed: [],
  withheld: ['queued', 'cancelled'],
  cancelled: [],
} as const satisfies Record<ReplyState, readonly ReplyState[]>;

/** A turn may take it. */
export const WAITING = ['queued', 'retry'] as const satisfies readonly ReplyState[];
/** A turn has it, or had it when its worker died. */
export const IN_FLIGHT = ['claimed', 'wire', 'withheld'] as const satisfies readonly ReplyState[];
/** Its mailbox has something to do about it. */
export const OPEN = [...WAITING, ...IN_FLIGHT] as const;
/** It may still go out, now or when it turns out that it did not. */
export const NOT_OVER = [...OPEN, 'ambiguous'] as const satisfies readonly ReplyState[];

export function mayBecome(from: ReplyState, to: ReplyState): boolean {
  return (REPLY_MOVES[from] as readonly ReplyState[]).includes(to);
}

export function isWaiting(state: ReplyState): boolean {
  return WAITING.some((waiting) => waiting === state);
}
