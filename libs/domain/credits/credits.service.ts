import { randomUUID } from 'node:crypto';
import { type WorkspaceScope } from '@domain/access';
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
import { type LedgerVerification, LedgerCheckService } from './ledger-check.service';
import { type Opening } from './ledger-command';
import { CreditLedgerService } from './credit-ledger.service';
import { CreditAccountRecord } from './schemas/credit-account.record';
import { CreditEntryRecord } from './schemas/credit-entry.record';

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
    private readonly ledgerCheck: LedgerCheckService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly pages: PageService,
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

  /** Recomputes balance and reserved from the entries and says whether the account agrees. */
  async verify(workspace: WorkspaceScope): Promise<LedgerVerification> {
    return this.ledgerCheck.verify(workspace);
  }

  async #audit(workspace: WorkspaceScope, { _id, amount, balanceAfter }: CreditEntryRecord): Promise<void> {
    await this.audit.record(workspace, {
      action: 'credits.granted',
      target: { type: 'credit_entry', id: _id.toHexString() },
      changes: { balance: { from: balanceAfter - amount, to: balanceAfter } },
    });
  }
}
