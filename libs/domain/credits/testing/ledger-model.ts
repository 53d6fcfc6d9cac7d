import fc from 'fast-check';
import { type LedgerCommand, getPhase } from '../ledger-command';
import {
  type AccountState,
  type Decision,
  decideLedgerCommand,
  type LedgerFacts,
  type ReservationFacts,
} from '../ledger-decision';
import { type ReplayedEntry } from '../ledger-replay';

/** A complete ledger in memory that follows `decide`: the stored one must agree with it. */
export class LedgerModel {
  account: AccountState = { balance: 0, reserved: 0 };
  readonly entries: (ReplayedEntry & { reason: string })[] = [];
  readonly reservations = new Map<string, ReservationFacts>();

  give(command: LedgerCommand): Decision {
    const decision = decideLedgerCommand(this.#facts(command.operation), command);
    if (decision.do !== 'apply') return decision;
    this.account = decision.account;
    this.entries.push({
      sequence: this.entries.length + 1,
      operation: command.operation,
      phase: getPhase(command.kind),
      kind: command.kind,
      amount: decision.amount,
      balanceAfter: decision.account.balance,
      reason: 'reason' in command ? (command.reason ?? '') : '',
    });
    if (decision.reservation) this.reservations.set(command.operation, decision.reservation);
    return decision;
  }

  #facts(operation: string): LedgerFacts {
    const opening = this.entries.find((entry) => entry.operation === operation && entry.phase === 'opening') ?? null;
    return { account: this.account, opening, reservation: this.reservations.get(operation) ?? null };
  }
}

const TTL_MS = 60_000;
const operation = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const amount = fc.integer({ min: 1, max: 6 });
const reason = fc.constantFrom('because', 'just so');

/** Few names and small amounts, so that repetitions, conflicts and empty accounts are common. */
export const anyCommand: fc.Arbitrary<LedgerCommand> = fc.oneof(
  fc.record({ kind: fc.constant('grant' as const), operation, amount, reason }),
  fc.record({ kind: fc.constant('charge' as const), operation, amount, reason }),
  fc.record({ kind: fc.constant('reserve' as const), operation, amount, reason, ttlMs: fc.constant(TTL_MS) }),
  fc.record({ kind: fc.constant('settle' as const), operation, used: fc.integer({ min: 0, max: 6 }) }),
  fc.record({ kind: fc.constant('release' as const), operation }),
);
