import { type AppError, invalidField } from '@platform/errors';

/** The operation that an entry of the ledger records. */
export const ENTRY_KINDS = ['grant', 'charge', 'reserve', 'settle', 'release'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/**
 * An operation is opened once (grant, charge or reserve) and, if it reserved, closed once (settle or release). Both
 * ways to close share a phase, so that one unique index admits only one of them.
 */
export type EntryPhase = 'opening' | 'closing';

export type ReservationState = 'open' | 'settled' | 'released';

/** Credits are whole numbers; this is the most for one operation. */
export const MAX_AMOUNT = 1_000_000_000;
export const MAX_OPERATION_LENGTH = 200;
export const MAX_REASON_LENGTH = 500;

/** A reservation lasts at most this long (milliseconds). */
const MAX_TTL_MS = 90 * 24 * 60 * 60 * 1000;

export interface Opening {
  /** Name of the operation in the workspace, such as `agent:<id>`: a repeated name is the same operation. */
  operation: string;
  /** Whole credits, 1 to 1 000 000 000. */
  amount: number;
  /** For readers of the ledger. */
  reason: string;
}

export interface ReservationRequest extends Opening {
  /** Milliseconds until an unsettled reservation is released automatically. */
  ttlMs: number;
}

export type OpeningCommand =
  | ({ kind: 'grant' } & Opening)
  | ({ kind: 'charge' } & Opening)
  | ({ kind: 'reserve' } & ReservationRequest);

export type LedgerCommand =
  | OpeningCommand
  | { kind: 'settle'; operation: string; used: number }
  | { kind: 'release'; operation: string; reason?: string };

export function getPhase(kind: EntryKind): EntryPhase {
  return kind === 'settle' || kind === 'release' ? 'closing' : 'opening';
}

/** @throws VALIDATION_ERROR naming the first argument that is invalid */
export function checkCommand(command: LedgerCommand): void {
  const problem = findProblem(command);
  if (problem) throw problem;
}

function findProblem(command: LedgerCommand): AppError | null {
  if (!isText(command.operation, MAX_OPERATION_LENGTH)) {
    return invalidField('operation', `operation must be a text of 1 to ${MAX_OPERATION_LENGTH} characters`);
  }
  if (command.kind === 'release') return null;
  if (command.kind === 'settle') {
    return isWhole(command.used, 0, MAX_AMOUNT)
      ? null
      : invalidField('used', `used must be an integer from 0 to ${MAX_AMOUNT}`);
  }
  if (!isWhole(command.amount, 1, MAX_AMOUNT)) {
    return invalidField('amount', `amount must be an integer from 1 to ${MAX_AMOUNT}`);
  }
  if (!isText(command.reason, MAX_REASON_LENGTH)) {
    return invalidField('reason', `reason must be a text of 1 to ${MAX_REASON_LENGTH} characters`);
  }
  if (command.kind === 'reserve' && !isWhole(command.ttlMs, 1, MAX_TTL_MS)) {
    return invalidField('ttlMs', `ttlMs must be an integer from 1 to ${MAX_TTL_MS}`);
  }
  return null;
}

function isWhole(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}

function isText(value: string, max: number): boolean {
  return value.trim() !== '' && value.length <= max;
}
