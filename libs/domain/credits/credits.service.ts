import { randomUUID } from 'node:crypto';
import { type WorkspaceScope, systemScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Page, PageService, TransactionService } from '@platform/database';
import { type Model, Types } from 'mongoose';
import { insufficientCredits } from './credits.errors';
import { type CreditBalanceResponse, toCreditBalance } from './dto/credit-balance.dto';
import {
  type CreditEntryResponse,
  type GrantCreditsRequest,
  type LedgerQuery,
  toCreditEntry,
} from './dto/credit-entry.dto';
import { type LedgerCommand, type Opening, type ReservationRequest, type ReservationState } from './ledger-command';
import { CreditLedgerService } from './credit-ledger.service';
import { CreditAccountRecord } from './schemas/credit-account.record';
import { CreditEntryRecord } from './schemas/credit-entry.record';
import { LedgerReplay } from './ledger-replay';
import { CreditReservationRecord } from './schemas/credit-reservation.record';
import { ClockPort } from '@platform/clock';

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

/** Credits held back under the name of an operation. */
export interface Reservation {
  operation: string;
  /** Credits held back. */
  amount: number;
  /** What the work cost in the end; 0 until it is settled. */
  used: number;
  /** As it is now: a repeated `reserve` may find that its reservation was settled or released long since. */
  state: ReservationState;
  expiresAt: Date;
}

/**
 * What a workspace may spend. Every change takes part in the caller's transaction if there is one, and is carried out
 * once per operation: repeated with the same arguments it answers the same and changes nothing.
 */
@Injectable()
export class CreditsService {
  constructor(
    @InjectModel(CreditAccountRecord.name) private readonly accounts: Model<CreditAccountRecord>,
    @InjectModel(CreditEntryRecord.name) private readonly entries: Model<CreditEntryRecord>,
    private readonly ledger: CreditLedgerService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly pages: PageService,
    @InjectModel(CreditReservationRecord.name) private readonly reservations: Model<CreditReservationRecord>,
    private readonly clock: ClockPort,
  ) {}

  /** What may be spent and what is held back, in credits. */
  async balance({ workspaceId }: WorkspaceScope): Promise<CreditBalanceResponse> {
    return toCreditBalance(await this.accounts.findOne({ workspaceId }).lean());
  }

  /**
   * Adds credits, and says so in the audit log. Without `operation` each call is a new grant.
   * @throws CONFLICT when the operation was already used with other arguments, LIMIT_EXCEEDED, VALIDATION_ERROR
   */
  async grant(
    workspace: WorkspaceScope,
    { amount, reason, operation }: GrantCreditsRequest,
  ): Promise<CreditEntryResponse> {
    // Chosen before the transaction, so that its re-runs are the same grant.
    const name = operation ?? `grant:${randomUUID()}`;
    return this.transactions.run(async () => {
      const { repeated, entry } = await this.ledger.carryOut(workspace, {
        kind: 'grant',
        amount,
        reason,
        operation: name,
      });
      if (!repeated) await this.#audit(workspace, entry);
      return toCreditEntry(entry);
    });
  }

  /**
   * Refuses what could not be paid for now, as far as a look tells: for saying so before something long is begun. What counts is
   * the charge, or the reservation.
   * @throws INSUFFICIENT_CREDITS
   */
  async checkBalance(workspace: WorkspaceScope, amount: number): Promise<void> {
    const { balance } = await this.balance(workspace);
    if (balance < amount) throw insufficientCredits(amount, balance);
  }

  /**
   * Takes credits for what is done now. Call it in the transaction that does it.
   * @throws INSUFFICIENT_CREDITS, and nothing is taken; CONFLICT as above; VALIDATION_ERROR
   */
  async charge(workspace: WorkspaceScope, { amount, reason, operation }: Opening): Promise<CreditEntryResponse> {
    const { entry } = await this.ledger.carryOut(workspace, { kind: 'charge', amount, reason, operation });
    return toCreditEntry(entry);
  }

  /** What was taken from when until before when, less what was given back; held-back credits count as taken. */
  async spent({ workspaceId }: WorkspaceScope, span: { from: Date; until: Date }): Promise<number> {
    const [sum] = await this.entries.aggregate<{ amount: number }>([
      {
        $match: {
          workspaceId: new Types.ObjectId(workspaceId),
          createdAt: { $gte: span.from, $lt: span.until },
          kind: { $ne: 'grant' },
        },
      },
      { $group: { _id: null, amount: { $sum: '$amount' } } },
    ]);
    return Math.max(0, -(sum?.amount ?? 0));
  }

  /** The entries of the ledger, newest first. */
  async entriesOf(workspace: WorkspaceScope, query: LedgerQuery): Promise<Page<CreditEntryResponse>> {
    const { limit, cursor, kind, operation } = query;
    const { workspaceId } = workspace;
    const filter = { workspaceId, ...(kind && { kind }), ...(operation && { operation }) };
    return this.pages.read(
      this.entries,
      { scope: workspaceId, filter, without: ['workspaceId'], page: { limit, cursor } },
      toCreditEntry,
    );
  }

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

  /**
   * Holds credits back for `ttlMs` milliseconds. Look at `state` before working: a repeated call answers with the
   * reservation as it is now, and only an open one holds anything.
   * @throws INSUFFICIENT_CREDITS, and nothing is held back; CONFLICT when the operation was used with other arguments
   */
  async reserve(
    workspace: WorkspaceScope,
    { amount, reason, operation, ttlMs }: ReservationRequest,
  ): Promise<Reservation> {
    return this.#carryOut(workspace, { kind: 'reserve', amount, reason, operation, ttlMs });
  }

  /**
   * Takes `used` credits (0 to the reserved amount) and gives the rest back. Possible until the reservation is released,
   * even when its time is over.
   * @throws NOT_FOUND; CONFLICT when it was released, or settled with another amount; VALIDATION_ERROR for `used`
   */
  async settle(workspace: WorkspaceScope, operation: string, used: number): Promise<Reservation> {
    return this.#carryOut(workspace, { kind: 'settle', operation, used });
  }

  /**
   * Gives all of it back.
   * @throws NOT_FOUND; CONFLICT when it was settled
   */
  async release(workspace: WorkspaceScope, operation: string): Promise<Reservation> {
    return this.#carryOut(workspace, { kind: 'release', operation });
  }

  /**
   * Releases up to `limit` open reservations whose time is over, in all workspaces, longest over first. One that fails
   * does not keep the others; its error is thrown at the end.
   * @returns how many were released
   */
  async expire(limit: number): Promise<number> {
    const due = await this.reservations
      .find({ state: 'open', expiresAt: { $lte: this.clock.now() } }, { workspaceId: 1, operation: 1 })
      .setOptions({ allWorkspaces: 'reservations expire in every workspace' })
      .sort({ expiresAt: 1 })
      .limit(limit)
      .lean();
    let released = 0;
    const failures: unknown[] = [];
    for (const { workspaceId, operation } of due) {
      try {
        if (await this.#expireOne(systemScope(workspaceId.toHexString()), operation)) released += 1;
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return released;
  }

  async #audit(workspace: WorkspaceScope, { _id, amount, balanceAfter }: CreditEntryRecord): Promise<void> {
    await this.audit.record(workspace, {
      action: 'credits.granted',
      target: { type: 'credit_entry', id: _id.toHexString() },
      changes: { balance: { from: balanceAfter - amount, to: balanceAfter } },
    });
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

  /** @returns false when somebody settled or released it since it was found */
  async #expireOne(workspace: WorkspaceScope, operation: string): Promise<boolean> {
    return this.transactions.run(async () => {
      const { workspaceId } = workspace;
      const due = { workspaceId, operation, state: 'open' as const, expiresAt: { $lte: this.clock.now() } };
      if (!(await this.reservations.exists(due))) return false;
      await this.#carryOut(workspace, {
        kind: 'release',
        operation,
        reason: 'The reservation was not settled in time',
      });
      return true;
    });
  }

  async #carryOut(workspace: WorkspaceScope, command: LedgerCommand): Promise<Reservation> {
    const { reservation } = await this.ledger.carryOut(workspace, command);
    if (!reservation) throw new Error(`Operation ${command.operation} has no reservation`);
    const { operation, amount, used, state, expiresAt } = reservation;
    return { operation, amount, used, state, expiresAt };
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
