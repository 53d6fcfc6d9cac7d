import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { writeConflict, TransactionService, rerunOnWriteConflict } from '@platform/database';
import { MetricsService } from '@platform/observability';
import { type Model } from 'mongoose';
import { toLedgerRefusal } from './credits.errors';
import { checkCommand, type LedgerCommand, getPhase } from './ledger-command';
import { type Decision, decideLedgerCommand, type LedgerFacts } from './ledger-decision';
import { CreditAccountRecord } from './schemas/credit-account.record';
import { CreditEntryRecord } from './schemas/credit-entry.record';
import { CreditReservationRecord } from './schemas/credit-reservation.record';

export interface Carried {
  /** It was carried out before; nothing was changed now. */
  repeated: boolean;
  /** The entry of this command; when repeated, the entry that opened the operation. */
  entry: CreditEntryRecord;
  /** The current reservation of the operation; null unless it reserved. */
  reservation: CreditReservationRecord | null;
}

interface Stored {
  account: CreditAccountRecord | null;
  opening: CreditEntryRecord | null;
  reservation: CreditReservationRecord | null;
}

type Applied = Extract<Decision, { do: 'apply' }>;

/**
 * The only writer of accounts, entries and reservations: reads the facts, calls `decide`, writes the outcome.
 *
 * Every change increments the entry number of the account before any other write, so two concurrent changes in a
 * workspace conflict there; the later one is rerun by its transaction and decided again. The unique indexes of the
 * entries are only a last protection: a change that violates one fails and is not retried.
 */
@Injectable()
export class CreditLedgerRepository {
  constructor(
    @InjectModel(CreditAccountRecord.name) private readonly accounts: Model<CreditAccountRecord>,
    @InjectModel(CreditEntryRecord.name) private readonly entries: Model<CreditEntryRecord>,
    @InjectModel(CreditReservationRecord.name) private readonly reservations: Model<CreditReservationRecord>,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    private readonly metrics: MetricsService,
  ) {}

  /**
   * Carries out a command once, however often it is repeated; joins the transaction of the caller if there is one.
   * @throws INSUFFICIENT_CREDITS, CONFLICT, NOT_FOUND, LIMIT_EXCEEDED or VALIDATION_ERROR; nothing is changed then
   */
  async carryOut(workspace: WorkspaceScope, command: LedgerCommand): Promise<Carried> {
    checkCommand(command);
    return this.transactions.run(async () => {
      const stored = await this.#read(workspace, command.operation);
      const facts = toFacts(stored);
      const decision = decideLedgerCommand(facts, command);
      if (decision.do === 'refuse') {
        if (decision.because === 'too-few') this.metrics.creditRefusals.inc();
        throw toLedgerRefusal(decision.because, command, facts);
      }
      if (decision.do === 'apply') return this.#write(workspace, command, stored, decision);
      return { repeated: true, entry: requireFound(stored.opening), reservation: stored.reservation };
    });
  }

  async #read({ workspaceId }: WorkspaceScope, operation: string): Promise<Stored> {
    // In sequence: the session of a transaction takes one call at a time.
    const account = await this.accounts.findOne({ workspaceId }).lean();
    const opening = await this.entries.findOne({ workspaceId, operation, phase: 'opening' }).lean();
    const reserves = opening?.kind === 'reserve';
    const reservation = reserves ? await this.reservations.findOne({ workspaceId, operation }).lean() : null;
    return { account, opening, reservation };
  }

  async #write(workspace: WorkspaceScope, command: LedgerCommand, stored: Stored, decision: Applied): Promise<Carried> {
    const sequence = await this.#advanceAccount(workspace, stored.account, decision);
    const created = await this.entries.create({
      workspaceId: workspace.workspaceId,
      sequence,
      operation: command.operation,
      phase: getPhase(command.kind),
      kind: command.kind,
      amount: decision.amount,
      balanceAfter: decision.account.balance,
      reason: 'reason' in command && command.reason ? command.reason : requireFound(stored.reservation).reason,
      actor: workspace.actor,
    });
    const { kind } = command;
    this.transactions.countOnce(() => this.metrics.credits.inc({ kind }, Math.abs(decision.amount)));
    const reservation = await this.#writeReservation(workspace, command, decision);
    return { repeated: false, entry: created.toObject(), reservation };
  }

  /** @returns the number of the entry that belongs to the change */
  async #advanceAccount(
    { workspaceId }: WorkspaceScope,
    account: CreditAccountRecord | null,
    decision: Applied,
  ): Promise<number> {
    const { balance, reserved } = decision.account;
    const sequence = (account?.sequence ?? 0) + 1;
    if (!account) {
      await rerunOnWriteConflict(() => this.accounts.create({ workspaceId, balance, reserved, sequence }));
      return sequence;
    }
    const { modifiedCount } = await this.accounts.updateOne(
      { workspaceId, sequence: account.sequence },
      { $set: { balance, reserved, sequence } },
      { runValidators: true },
    );
    if (modifiedCount !== 1) throw writeConflict('The account');
    return sequence;
  }

  async #writeReservation(
    { workspaceId }: WorkspaceScope,
    command: LedgerCommand,
    { reservation }: Applied,
  ): Promise<CreditReservationRecord | null> {
    if (!reservation) return null;
    const { operation } = command;
    if (command.kind === 'reserve') {
      const { reason, ttlMs } = command;
      const expiresAt = this.clock.in(ttlMs);
      const created = await this.reservations.create({ workspaceId, operation, reason, expiresAt, ...reservation });
      return created.toObject();
    }
    const closed = await this.reservations
      .findOneAndUpdate(
        { workspaceId, operation, state: 'open' },
        { $set: { state: reservation.state, used: reservation.used } },
        { returnDocument: 'after' },
      )
      .lean();
    if (!closed) throw writeConflict('The reservation');
    return closed;
  }
}

function toFacts({ account, opening, reservation }: Stored): LedgerFacts {
  return { account: account ?? { balance: 0, reserved: 0 }, opening, reservation };
}

/** Requires a record that a decision relies on. */
function requireFound<T>(record: T | null): T {
  if (record === null) throw new Error('The ledger lacks a record that its own decision relies on');
  return record;
}
