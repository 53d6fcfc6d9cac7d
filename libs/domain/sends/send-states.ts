import { type SendState } from './schemas/send.record';

/** Where a send can go from each state. Nothing leads to `claimed` or `wire` but a turn that holds the mailbox. */
const SEND_MOVES = {
  claimed: ['wire', 'retry', 'failed', 'withheld', 'planned'],
  wire: ['sent', 'retry', 'failed', 'ambiguous'],
  sent: [],
  retry: ['claimed'],
  failed: [],
  ambiguous: ['sent', 'sent_unconfirmed', 'retry', 'failed'],
  sent_unconfirmed: [],
  withheld: ['planned'],
  planned: ['claimed'],
} as const satisfies Record<SendState, readonly SendState[]>;

/** A turn has it, and its lead waits for the outcome. */
export const IN_FLIGHT = ['claimed', 'wire', 'withheld'] as const satisfies readonly SendState[];
/** What the turn may still do something about. */
export type InFlight = Exclude<(typeof IN_FLIGHT)[number], 'withheld'>;

export function mayBecome(from: SendState, to: SendState): boolean {
  return (SEND_MOVES[from] as readonly SendState[]).includes(to);
}

/** Where a first attempt is before its server may have been given it. */
const UNTRIED: ReadonlySet<SendState> = new Set(['planned', 'claimed', 'withheld']);

/** Nothing more happens to it. */
export function isFinal(state: SendState): boolean {
  return SEND_MOVES[state].length === 0;
}

/** It counts as sent: the sequence goes on after it. */
export function countsAsSent(state: SendState): boolean {
  return state === 'sent' || state === 'sent_unconfirmed';
}

/**
 * Whether an attempt at it counts: one that only ever was claimed had none, nor one that came back from the wire as given to
 * nobody.
 */
export function wasTried({ state, attempt }: { state: SendState; attempt: number }): boolean {
  return attempt > 1 || (attempt === 1 && !UNTRIED.has(state));
}
