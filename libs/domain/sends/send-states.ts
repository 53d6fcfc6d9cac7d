import { type SendState } from './schemas/send.record';

/** The transitions from each state. Only the holder of the mailbox lease moves a send to `claimed` or `sending`. */
const SEND_TRANSITIONS = {
  claimed: ['sending', 'retry', 'failed', 'withheld', 'planned'],
  sending: ['sent', 'retry', 'failed', 'ambiguous'],
  sent: [],
  retry: ['claimed'],
  failed: [],
  ambiguous: ['sent', 'sent_unconfirmed', 'retry', 'failed'],
  sent_unconfirmed: [],
  withheld: ['planned'],
  planned: ['claimed'],
} as const satisfies Record<SendState, readonly SendState[]>;

/** A worker has claimed the send, and its lead waits for the outcome. */
export const IN_FLIGHT = ['claimed', 'sending', 'withheld'] as const satisfies readonly SendState[];
/** The states whose outcome the holder of the lease writes. */
export type InFlight = Exclude<(typeof IN_FLIGHT)[number], 'withheld'>;

export function maySendBecome(from: SendState, to: SendState): boolean {
  return (SEND_TRANSITIONS[from] as readonly SendState[]).includes(to);
}

/** The states of a first attempt before its handover. */
const UNTRIED: ReadonlySet<SendState> = new Set(['planned', 'claimed', 'withheld']);

/** Tells whether the state never changes again. */
export function isFinalSendState(state: SendState): boolean {
  return SEND_TRANSITIONS[state].length === 0;
}

/** Tells whether the sequence continues after a send in this state. */
export function countsAsSent(state: SendState): boolean {
  return state === 'sent' || state === 'sent_unconfirmed';
}

/**
 * Tells whether an attempt counts. A claim without a handover is no attempt, nor is a handover that certainly did not reach
 * a server.
 */
export function wasTried({ state, attempt }: { state: SendState; attempt: number }): boolean {
  return attempt > 1 || (attempt === 1 && !UNTRIED.has(state));
}
