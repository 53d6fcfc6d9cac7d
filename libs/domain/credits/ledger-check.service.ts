import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { type Model, Types } from 'mongoose';
import { LedgerReplay } from './ledger-replay';
import { CreditAccountRecord } from './schemas/credit-account.record';
import { CreditEntryRecord } from './schemas/credit-entry.record';
import { CreditReservationRecord } from './schemas/credit-reservation.record';

/** Whether an account is what its entries say. */
export interface LedgerVerification {
  ok: boolean;
  /** Entries read. */
  entries: number;
  balance: { stored: number; counted: number };
  /** `counted` from the entries, `open` from the reservations themselves. */
  reserved: { stored: number; counted: number; open: number };
  /** What is wrong, in words; the first 100. */
  problems: string[];
}

interface Snapshot {
  balance: number;
  reserved: number;
  /** Number of the last entry, as the account knows it. */
  sequence: number;
  /** Number of the last entry that there is. */
  lastEntry: number;
  /** Sum of the open reservations. */
  open: number;
}

/** Recomputes what the ledger claims. Reads only, and may run while credits are spent. */
@Injectable()
export class LedgerCheckService {
  constructor(
    @InjectModel(CreditAccountRecord.name) private readonly accounts: Model<CreditAccountRecord>,
    @InjectModel(CreditEntryRecord.name) private readonly entries: Model<CreditEntryRecord>,
    @InjectModel(CreditReservationRecord.name) private readonly reservations: Model<CreditReservationRecord>,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Reads every entry of the workspace up to the one that the account knows as its last: those never change, so no
   * transaction has to be held open while they are read.
   */
  async verify(workspace: WorkspaceScope): Promise<LedgerVerification> {
    const snapshot = await this.#snapshot(workspace);
    const replay = new LedgerReplay();
    if (snapshot.lastEntry !== snapshot.sequence) {
      replay.note(`The account knows ${snapshot.sequence} entries, the last one is number ${snapshot.lastEntry}`);
    }
    const { workspaceId } = workspace;
    const upTo = Math.max(snapshot.sequence, snapshot.lastEntry);
    const entries = this.entries.find({ workspaceId, sequence: { $lte: upTo } }).sort({ sequence: 1 });
    for await (const entry of entries.lean().cursor()) replay.add(entry);
    return compare(snapshot, replay);
  }

  /** The account with its reservations at one moment. */
  async #snapshot({ workspaceId }: WorkspaceScope): Promise<Snapshot> {
    return this.transactions.run(async () => {
      const account = await this.accounts.findOne({ workspaceId }).lean();
      const last = await this.entries.findOne({ workspaceId }).sort({ sequence: -1 }).lean();
      const [sum] = await this.reservations.aggregate<{ open: number }>([
        { $match: { workspaceId: new Types.ObjectId(workspaceId), state: 'open' } },
        { $group: { _id: null, open: { $sum: '$amount' } } },
      ]);
      const { balance = 0, reserved = 0, sequence = 0 } = account ?? {};
      return { balance, reserved, sequence, lastEntry: last?.sequence ?? 0, open: sum?.open ?? 0 };
    });
  }
}

function compare(snapshot: Snapshot, replay: LedgerReplay): LedgerVerification {
  const balance = { stored: snapshot.balance, counted: replay.balance };
  const reserved = { stored: snapshot.reserved, counted: replay.reserved, open: snapshot.open };
  if (balance.stored !== balance.counted)
    replay.note(`The balance is ${balance.stored}, its entries make ${balance.counted}`);
  if (reserved.stored !== reserved.counted) {
    replay.note(`Reserved is ${reserved.stored}, its entries make ${reserved.counted}`);
  }
  if (reserved.stored !== reserved.open) {
    replay.note(`Reserved is ${reserved.stored}, the open reservations make ${reserved.open}`);
  }
  const { entries, problems } = replay;
  return { ok: problems.length === 0, entries, balance, reserved, problems };
}
