import { type MailFailure } from '@adapters/mail';
import { isGrantRevoked } from '@platform/oauth';
import {
  type ConnectionState,
  type MailboxConnection,
  type MailboxError,
  type MailHalf,
} from './schemas/mailbox.record';

const MINUTE_MS = 60_000;
/** Waits before the next try, by failures in a row; the last one repeats. */
const RETRY_AFTER_MS = [1, 5, 15, 30, 60].map((minutes) => minutes * MINUTE_MS);
/** Failures in a row at which a mailbox counts as disconnected. */
export const FAILURES_TO_DISCONNECT = 5;
/** What only a person can mend is tried seldom: accounts get unblocked, and some vendors refuse by mistake. */
const NEEDS_PERSON_RETRY_MS = 6 * 60 * MINUTE_MS;
/** Part of the wait that is added at most, so that mailboxes of one server do not come back all at once. */
const JITTER = 0.2;
/** No server may ask for a longer silence (a day). */
const MAX_WAIT_MS = 24 * 60 * MINUTE_MS;

/** Stages that say something about a message, a recipient or our own congestion, and nothing about the connection. */
const NOT_THE_CONNECTION: ReadonlySet<MailFailure['stage']> = new Set([
  'busy',
  'sender',
  'recipient',
  'data',
  'handover',
]);

/** Why a mailbox is out of order, in the event's `reason`. */
export type OutageReason = 'unreachable' | 'login_refused' | 'authorisation_gone';

export interface ConnectionFailure {
  readonly connection: MailboxConnection;
  /** Set when an outage begins with it. */
  readonly disconnected: OutageReason | null;
}

export interface ConnectionSuccess {
  readonly connection: MailboxConnection;
  /** Set when an outage ends with it: since when it lasted. */
  readonly reconnected: Date | null;
}

/** How a mailbox's connection stands when it was just proven. */
export function createConnection(now: Date): MailboxConnection {
  return { state: 'connected', since: now, failures: 0, nextCheckAt: null, half: null };
}

/** Whether nothing is sent or read until it is well again. */
export function isDown(state: ConnectionState): boolean {
  return state === 'disconnected' || state === 'needs_reauthorisation';
}

/**
 * What a failure makes of a connection; null when it changes nothing: it is about a message and not about the connection,
 * or the next try is not due yet. So twenty workers that fail at the same moment count as one failure.
 * @param half which half of the mailbox failed; null when it is not known or both are one (Gmail, Graph)
 * @param random 0 to 1
 */
export function afterFailure(
  connection: MailboxConnection,
  failure: MailFailure,
  half: MailHalf | null,
  now: Date,
  random: number,
): ConnectionFailure | null {
  if (!concernsConnection(failure)) return null;
  const failures = connection.failures + 1;
  const state = getNextState(connection.state, failure, failures);
  const isEarly = connection.nextCheckAt !== null && now < connection.nextCheckAt;
  if (isEarly && getSeverity(state, failure) <= getSeverity(connection.state)) return null;
  const changed = state !== connection.state;
  return {
    connection: {
      state,
      since: changed ? now : connection.since,
      failures,
      nextCheckAt: new Date(now.getTime() + getRetryDelayMs(state, failure, failures, random)),
      half,
    },
    disconnected: isDown(state) && !isDown(connection.state) ? getOutageReason(state, failure) : null,
  };
}

/**
 * What a success makes of a connection; null when nothing changes.
 * @param half which half worked; `both` for a check of the whole mailbox. One half does not heal what the other one broke.
 */
export function afterSuccess(connection: MailboxConnection, half: MailHalf | 'both', now: Date): ConnectionSuccess | null {
  if (connection.state === 'connected') return null;
  if (half !== 'both' && connection.half !== half) return null;
  return {
    connection: createConnection(now),
    reconnected: isDown(connection.state) ? connection.since : null,
  };
}

/** The words of the last failure as they are kept. */
export function toError({ words, message }: MailFailure, now: Date): MailboxError {
  return {
    code: words?.code ?? null,
    command: words?.command ?? null,
    response: words?.response ?? '',
    message,
    at: now,
  };
}

function concernsConnection({ failure, stage }: MailFailure): boolean {
  if (failure === 'needs-human') return true;
  // A request that is refused for good was understood: the connection is well.
  return !NOT_THE_CONNECTION.has(stage) && !(failure === 'permanent' && stage === 'request');
}

function getNextState(state: ConnectionState, { failure, words }: MailFailure, failures: number): ConnectionState {
  if (failure === 'needs-human') return isGrantRevoked(words?.code ?? null) ? 'needs_reauthorisation' : 'disconnected';
  if (isDown(state)) return state;
  return failures >= FAILURES_TO_DISCONNECT ? 'disconnected' : 'degraded';
}

/** How bad it is: only what is worse is heard before the next try is due. */
function getSeverity(state: ConnectionState, failure?: MailFailure): number {
  if (state === 'needs_reauthorisation') return 3;
  // Counting up to it needs tries at their times; a refused login does not.
  if (state === 'disconnected') return failure === undefined || failure.failure === 'needs-human' ? 2 : 0;
  return state === 'degraded' ? 1 : 0;
}

function getRetryDelayMs(state: ConnectionState, failure: MailFailure, failures: number, random: number): number {
  const steps = RETRY_AFTER_MS.length;
  const usual =
    state === 'needs_reauthorisation'
      ? NEEDS_PERSON_RETRY_MS
      : (RETRY_AFTER_MS[(state === 'disconnected' ? steps : Math.min(failures, steps)) - 1] ?? NEEDS_PERSON_RETRY_MS);
  const asked = Math.min(failure.retryAfterMs ?? 0, MAX_WAIT_MS);
  return Math.round(Math.max(usual, asked) * (1 + JITTER * random));
}

function getOutageReason(state: ConnectionState, { failure }: MailFailure): OutageReason {
  if (state === 'needs_reauthorisation') return 'authorisation_gone';
  return failure === 'needs-human' ? 'login_refused' : 'unreachable';
}
