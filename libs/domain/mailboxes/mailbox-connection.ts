import { type MailFailure } from '@adapters/mail';
import { isGrantRevoked } from '@platform/oauth';
import {
  type ConnectionState,
  type MailboxConnection,
  type MailboxError,
  type MailHalf,
} from './schemas/mailbox.record';

const MINUTE_MS = 60_000;
/** Delay before the next check, by failures in a row; the last one repeats. */
const RETRY_AFTER_MS = [1, 5, 15, 30, 60].map((minutes) => minutes * MINUTE_MS);
/** Failures in a row after which a mailbox is disconnected. */
export const FAILURES_TO_DISCONNECT = 5;
/** Failures that need a person are still retried rarely: accounts are unblocked, and some vendors refuse by mistake. */
const NEEDS_PERSON_RETRY_MS = 6 * 60 * MINUTE_MS;
/** Largest random part added to a delay, so that mailboxes of one server are not checked at the same moment. */
const JITTER = 0.2;
/** Upper bound (one day) of the delay that a server may request. */
const MAX_WAIT_MS = 24 * 60 * MINUTE_MS;

/** Stages that concern a message, a recipient or our own congestion, not the connection. */
const NOT_THE_CONNECTION: ReadonlySet<MailFailure['stage']> = new Set([
  'busy',
  'sender',
  'recipient',
  'data',
  'handover',
]);

/** The `reason` of the event `mailbox.disconnected`. */
export type OutageReason = 'unreachable' | 'login_refused' | 'authorisation_gone';

export interface ConnectionFailure {
  readonly connection: MailboxConnection;
  /** Set when an outage begins. */
  readonly disconnected: OutageReason | null;
}

export interface ConnectionSuccess {
  readonly connection: MailboxConnection;
  /** Set when an outage ends: its beginning. */
  readonly reconnected: Date | null;
}

/** The connection of a mailbox after a successful login. */
export function createConnection(now: Date): MailboxConnection {
  return { state: 'connected', since: now, failures: 0, nextCheckAt: null, half: null };
}

/** Whether sending and reading are suspended until the connection recovers. */
export function isDown(state: ConnectionState): boolean {
  return state === 'disconnected' || state === 'needs_reauthorisation';
}

/**
 * Returns the connection after a failure; null without a change: the failure does not concern the connection, or the
 * next check is not due yet. So twenty workers that fail at the same moment count as one failure.
 * @param half the half that failed; null when it is unknown or both are one (Gmail, Graph)
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
 * Returns the connection after a success; null without a change.
 * @param half the half that worked; `both` for a check of the whole mailbox. A success of one half does not end a
 *   failure of the other.
 */
export function afterSuccess(
  connection: MailboxConnection,
  half: MailHalf | 'both',
  now: Date,
): ConnectionSuccess | null {
  if (connection.state === 'connected') return null;
  if (half !== 'both' && connection.half !== half) return null;
  return {
    connection: createConnection(now),
    reconnected: isDown(connection.state) ? connection.since : null,
  };
}

/** The error of the last failure in its stored form. */
export function toError({ lastReply, message }: MailFailure, now: Date): MailboxError {
  return {
    code: lastReply?.code ?? null,
    command: lastReply?.command ?? null,
    response: lastReply?.response ?? '',
    message,
    at: now,
  };
}

function concernsConnection({ failure, stage }: MailFailure): boolean {
  if (failure === 'needs-human') return true;
  // A permanently refused request was understood, so the connection works.
  return !NOT_THE_CONNECTION.has(stage) && !(failure === 'permanent' && stage === 'request');
}

function getNextState(state: ConnectionState, { failure, lastReply }: MailFailure, failures: number): ConnectionState {
  if (failure === 'needs-human')
    return isGrantRevoked(lastReply?.code ?? null) ? 'needs_reauthorisation' : 'disconnected';
  if (isDown(state)) return state;
  return failures >= FAILURES_TO_DISCONNECT ? 'disconnected' : 'degraded';
}

/** Severity: before the next check is due, only a more severe failure changes the state. */
function getSeverity(state: ConnectionState, failure?: MailFailure): number {
  if (state === 'needs_reauthorisation') return 3;
  // Counted failures must be spaced by checks; a refused login takes effect immediately.
  if (state === 'disconnected') return failure === undefined || failure.failure === 'needs-human' ? 2 : 0;
  return state === 'degraded' ? 1 : 0;
}

function getRetryDelayMs(state: ConnectionState, failure: MailFailure, failures: number, random: number): number {
  const steps = RETRY_AFTER_MS.length;
  const usual =
    state === 'needs_reauthorisation'
      ? NEEDS_PERSON_RETRY_MS
      : (RETRY_AFTER_MS[(state === 'disconnected' ? steps : Math.min(failures, steps)) - 1] ?? NEEDS_PERSON_RETRY_MS);
  const requested = Math.min(failure.retryAfterMs ?? 0, MAX_WAIT_MS);
  return Math.round(Math.max(usual, requested) * (1 + JITTER * random));
}

function getOutageReason(state: ConnectionState, { failure }: MailFailure): OutageReason {
  if (state === 'needs_reauthorisation') return 'authorisation_gone';
  return failure === 'needs-human' ? 'login_refused' : 'unreachable';
}
