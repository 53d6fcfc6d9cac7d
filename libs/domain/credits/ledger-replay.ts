import { type EntryKind, type EntryPhase, getPhase } from './ledger-command';

export interface ReplayedEntry {
  sequence: number;
  operation: string;
  phase: EntryPhase;
  kind: EntryKind;
  amount: number;
  balanceAfter: number;
}

/** Most problems that are reported; a ledger with more of them has one common cause. */
const MAX_PROBLEMS = 100;

/**
 * Recomputes an account from its entries, given in their order, and reports each entry that breaks a rule of the
 * ledger.
 */
export class LedgerReplay {
  balance = 0;
  reserved = 0;
  entries = 0;
  readonly problems: string[] = [];
  readonly #open = new Map<string, number>();

  add(entry: ReplayedEntry): void {
    this.entries += 1;
    this.balance += entry.amount;
    const broken = this.#brokenRule(entry);
    if (broken) this.reportProblem(`Entry ${entry.sequence} (${entry.kind} ${entry.operation}): ${broken}`);
    this.#applyEntry(entry);
  }

  reportProblem(problem: string): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push(problem);
  }

  #brokenRule({ sequence, operation, phase, kind, amount, balanceAfter }: ReplayedEntry): string | null {
    if (sequence !== this.entries) return `it is number ${this.entries} in its order`;
    if (phase !== getPhase(kind)) return `its phase is ${phase}`;
    if (balanceAfter !== this.balance) return `it says balance ${balanceAfter}, the sum is ${this.balance}`;
    if (this.balance < 0) return `the balance is ${this.balance}`;
    if (phase === 'opening') return (kind === 'grant' ? amount > 0 : amount < 0) ? null : `its amount is ${amount}`;
    const reserved = this.#open.get(operation);
    if (reserved === undefined) return 'it closes an operation that is not open';
    return amount >= 0 && amount <= reserved && (kind === 'settle' || amount === reserved)
      ? null
      : `it returns ${amount} of ${reserved}`;
  }

  #applyEntry({ operation, kind, amount, phase }: ReplayedEntry): void {
    if (kind === 'reserve') this.#open.set(operation, -amount);
    if (kind === 'reserve') this.reserved -= amount;
    if (phase !== 'closing') return;
    this.reserved -= this.#open.get(operation) ?? 0;
    this.#open.delete(operation);
  }
}
