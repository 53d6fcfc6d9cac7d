import { type EntryKind, type LedgerCommand, type OpeningCommand, type ReservationState } from './ledger-command';

/** The most credits of an account, so that sums stay exact in a JavaScript number. */
export const MAX_BALANCE = 1_000_000_000_000_000;

export interface AccountState {
  /** Credits that can be spent, without the reserved ones. */
  balance: number;
  /** Credits in open reservations. */
  reserved: number;
}

interface OpenedState {
  kind: EntryKind;
  amount: number;
  reason: string;
}

export interface ReservationFacts {
  amount: number;
  ttlMs: number;
  used: number;
  state: ReservationState;
}

/** The facts about an account and one operation on it. */
export interface LedgerFacts {
  account: AccountState;
  /** The entry that opened the operation; null while its name is unused. */
  opening: OpenedState | null;
  /** Its reservation; null unless it reserved. */
  reservation: ReservationFacts | null;
}

export type Refusal =
  | 'other-arguments' // the operation's name was used for something else
  | 'too-few' // credits
  | 'too-many' // credits for one account
  | 'unknown' // no reservation of this name
  | 'too-much-used' // more than was reserved
  | 'closed'; // settled or released already, in another way

export type Decision =
  | { do: 'refuse'; because: Refusal }
  /** Repeated: return the first result, change nothing. */
  | { do: 'repeat' }
  | {
      do: 'apply';
      /** The signed change of the balance, as the entry states it. */
      amount: number;
      account: AccountState;
      /** The reservation after the change; null where there is none. */
      reservation: ReservationFacts | null;
    };

/**
 * Decides the effect of a command on the ledger. Pure; all rules of the ledger are here. Each applied decision changes
 * `account.balance` by exactly `amount`, and `account.reserved` by what the reservation opens or closes.
 */
export function decideLedgerCommand(facts: LedgerFacts, command: LedgerCommand): Decision {
  if (command.kind === 'settle') return close(facts, 'settled', command.used);
  if (command.kind === 'release') return close(facts, 'released', 0);
  if (facts.opening) return isSame(facts, command) ? { do: 'repeat' } : { do: 'refuse', because: 'other-arguments' };
  return command.kind === 'grant' ? credit(facts, command.amount) : debit(facts, command);
}

function isSame({ opening, reservation }: LedgerFacts, command: OpeningCommand): boolean {
  const sameTtl = command.kind !== 'reserve' || reservation?.ttlMs === command.ttlMs;
  return (
    opening?.kind === command.kind &&
    Math.abs(opening.amount) === command.amount &&
    opening.reason === command.reason &&
    sameTtl
  );
}

function credit({ account }: LedgerFacts, amount: number): Decision {
  if (account.balance + account.reserved + amount > MAX_BALANCE) return { do: 'refuse', because: 'too-many' };
  return { do: 'apply', amount, account: { ...account, balance: account.balance + amount }, reservation: null };
}

function debit({ account }: LedgerFacts, command: Exclude<OpeningCommand, { kind: 'grant' }>): Decision {
  const { amount } = command;
  if (account.balance < amount) return { do: 'refuse', because: 'too-few' };
  const balance = account.balance - amount;
  if (command.kind === 'charge')
    return { do: 'apply', amount: -amount, account: { ...account, balance }, reservation: null };
  return {
    do: 'apply',
    amount: -amount,
    account: { balance, reserved: account.reserved + amount },
    reservation: { amount, ttlMs: command.ttlMs, used: 0, state: 'open' },
  };
}

function close({ account, reservation }: LedgerFacts, state: 'settled' | 'released', used: number): Decision {
  if (!reservation) return { do: 'refuse', because: 'unknown' };
  if (used > reservation.amount) return { do: 'refuse', because: 'too-much-used' };
  if (reservation.state !== 'open') {
    const same = reservation.state === state && reservation.used === used;
    return same ? { do: 'repeat' } : { do: 'refuse', because: 'closed' };
  }
  const refund = reservation.amount - used;
  return {
    do: 'apply',
    amount: refund,
    account: { balance: account.balance + refund, reserved: account.reserved - reservation.amount },
    reservation: { ...reservation, used, state },
  };
}
