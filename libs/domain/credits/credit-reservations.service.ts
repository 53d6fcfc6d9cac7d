import { systemScope, type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { type Model } from 'mongoose';
import { type LedgerCommand, type ReservationRequest, type ReservationState } from './ledger-command';
import { CreditLedgerService } from './credit-ledger.service';
import { CreditReservationRecord } from './schemas/credit-reservation.record';

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
 * Credits for work whose price is known only at its end: reserve before, settle what was used after, or release. Every
 * change takes part in the caller's transaction if there is one, and is carried out once per operation.
 */
@Injectable()
export class CreditReservationsService {
  constructor(
    @InjectModel(CreditReservationRecord.name) private readonly reservations: Model<CreditReservationRecord>,
    private readonly ledger: CreditLedgerService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

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
