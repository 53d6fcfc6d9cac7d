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
import { CreditLedgerRepository } from './credit-ledger.repository';
import { CreditAccountRecord } from './schemas/credit-account.record';
import { CreditEntryRecord } from './schemas/credit-entry.record';
import { LedgerReplay } from './ledger-replay';
import { CreditReservationRecord } from './schemas/credit-reservation.record';
import { ClockPort } from '@platform/clock';

/** Result of comparing an account with its entries. */
export interface LedgerVerification {
  ok: boolean;
  /** Number of entries read. */
  entries: number;
  balance: { stored: number; counted: number };
  /** `counted`: sum by the entries; `open`: sum of the reservations themselves. */
  reserved: { stored: number; counted: number; open: number };
  /** Problems as sentences; the first 100. */
  problems: string[];
}

interface Snapshot {
  balance: number;
  reserved: number;
  /** Number of the last entry according to the account. */
  sequence: number;
  /** Number of the last stored entry. */
  lastEntry: number;
  /** Sum of the open reservations. */
  open: number;
}

/** A reservation of credits for one operation. */
export interface Reservation {
  operation: string;
  /** Reserved credits. */
  amount: number;
  /** Final cost of the work; 0 until it is settled. */
  used: number;
  /** Current state: a repeated `reserve` may find that its reservation has already been settled or released. */
  state: ReservationState;
  expiresAt: Date;
}

/**
 * Credits of a workspace. Every change joins the transaction of the caller if there is one, and is applied once per
 * operation: repeated with the same arguments, it returns the same result and changes nothing.
 */
@Injectable()
export class CreditsService {
  constructor(
    @InjectModel(CreditAccountRecord.name) private readonly accounts: Model<CreditAccountRecord>,
    @InjectModel(CreditEntryRecord.name) private readonly entries: Model<CreditEntryRecord>,
    private readonly ledger: CreditLedgerRepository,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly pages: PageService,
    @InjectModel(CreditReservationRecord.name) private readonly reservations: Model<CreditReservationRecord>,
    private readonly clock: ClockPort,
  ) {}

  /** Available and reserved credits. */
  async balance({ workspaceId }: WorkspaceScope): Promise<CreditBalanceResponse> {
    return toCreditBalance(await this.accounts.findOne({ workspaceId }).lean());
  }

  /**
   * Adds credits and writes an audit entry. Without `operation` each call is a new grant.
   * @throws CONFLICT when the operation was already used with other arguments, LIMIT_EXCEEDED, VALIDATION_ERROR
   */
  async grant(
    workspace: WorkspaceScope,
    { amount, reason, operation }: GrantCreditsRequest,
  ): Promise<CreditEntryResponse> {
    // Chosen before the transaction, so that its reruns are the same grant.
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
   * Refuses a cost that the balance does not cover now, without reserving anything: for an early answer before long
   * work begins. The later charge or reservation decides.
   * @throws INSUFFICIENT_CREDITS
   */
  async checkBalance(workspace: WorkspaceScope, amount: number): Promise<void> {
    const { balance } = await this.balance(workspace);
    if (balance < amount) throw insufficientCredits(amount, balance);
  }

  /**
   * Charges credits for work done now. Call it in the transaction of the work.
   * @throws INSUFFICIENT_CREDITS (nothing is charged then); CONFLICT as above; VALIDATION_ERROR
   */
  async charge(workspace: WorkspaceScope, { amount, reason, operation }: Opening): Promise<CreditEntryResponse> {
    const { entry } = await this.ledger.carryOut(workspace, { kind: 'charge', amount, reason, operation });
    return toCreditEntry(entry);
  }

  /** Credits charged in a period, less the returned ones; reserved credits count as charged. */
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

  /** Lists the entries of the ledger, newest first. */
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
   * Reads every entry of the workspace up to the last number that the account states. These entries never change, so
   * the read needs no transaction.
   */
  async verify(workspace: WorkspaceScope): Promise<LedgerVerification> {
    const snapshot = await this.#snapshot(workspace);
    const replay = new LedgerReplay();
    if (snapshot.lastEntry !== snapshot.sequence) {
      replay.reportProblem(
        `The account knows ${snapshot.sequence} entries, the last one is number ${snapshot.lastEntry}`,
      );
    }
    const { workspaceId } = workspace;
    const upTo = Math.max(snapshot.sequence, snapshot.lastEntry);
    const entries = this.entries.find({ workspaceId, sequence: { $lte: upTo } }).sort({ sequence: 1 });
    for await (const entry of entries.lean().cursor()) replay.add(entry);
    return compare(snapshot, replay);
  }

  /**
   * Reserves credits for `ttlMs` milliseconds. Check `state` before working: a repeated call returns the reservation as
   * it is now, and only an open one holds credits.
   * @throws INSUFFICIENT_CREDITS (nothing is reserved then); CONFLICT when the operation was used with other arguments
   */
  async reserve(
    workspace: WorkspaceScope,
    { amount, reason, operation, ttlMs }: ReservationRequest,
  ): Promise<Reservation> {
    return this.#carryOut(workspace, { kind: 'reserve', amount, reason, operation, ttlMs });
  }

  /**
   * Charges `used` credits (0 to the reserved amount) and returns the remaining ones. Possible until the reservation is
   * released, even after its expiry.
   * @throws NOT_FOUND; CONFLICT when it was released, or settled with another amount; VALIDATION_ERROR for `used`
   */
  async settle(workspace: WorkspaceScope, operation: string, used: number): Promise<Reservation> {
    return this.#carryOut(workspace, { kind: 'settle', operation, used });
  }

  /**
   * Returns all reserved credits.
   * @throws NOT_FOUND; CONFLICT when it was settled
   */
  async release(workspace: WorkspaceScope, operation: string): Promise<Reservation> {
    return this.#carryOut(workspace, { kind: 'release', operation });
  }

  /**
   * Releases up to `limit` expired open reservations of all workspaces, oldest expiry first. A failure does not stop
   * the others; its error is thrown at the end.
   * @returns the number of released reservations
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

  /** The account and its reservations at one moment. */
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

  /** @returns false when it was settled or released in the meantime */
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
    replay.reportProblem(`The balance is ${balance.stored}, its entries make ${balance.counted}`);
  if (reserved.stored !== reserved.counted) {
    replay.reportProblem(`Reserved is ${reserved.stored}, its entries make ${reserved.counted}`);
  }
  if (reserved.stored !== reserved.open) {
    replay.reportProblem(`Reserved is ${reserved.stored}, the open reservations make ${reserved.open}`);
  }
  const { entries, problems } = replay;
  return { ok: problems.length === 0, entries, balance, reserved, problems };
}
