import { randomUUID } from 'node:crypto';
import { type WorkspaceScope } from '@domain/access';
import { CreditsService } from '@domain/credits';
import { Injectable } from '@nestjs/common';
import { AppError } from '@platform/errors';

/** Credits for an answer about one address. */
const PRICE = 1;
/** A worker that dies leaves its reservation, which is released after so many milliseconds. */
const RESERVED_MS = 600_000;
/** Times that credits are asked for which somebody else takes first. */
const MAX_TRIES = 5;

/** Credits that are held back for some leads. */
export interface LeadCredits {
  readonly operation: string;
  /** Leads that they are enough for. */
  readonly leads: number;
}

/** What the verification of leads costs: reserved before, taken in the transaction that writes what was found out. */
@Injectable()
export class LeadVerificationCreditsService {
  constructor(private readonly reservations: CreditsService) {}

  /**
   * For as many of so many leads as the workspace has credits; null when it has none.
   * @throws INSUFFICIENT_CREDITS while others keep taking them first: it is not known then whether there are any
   */
  async reserve(workspace: WorkspaceScope, wanted: number): Promise<LeadCredits | null> {
    for (let tries = 1; ; tries += 1) {
      const { balance } = await this.reservations.balance(workspace);
      const leads = Math.min(wanted, Math.floor(balance / PRICE));
      if (leads === 0) return null;
      const operation = `lead-verification:${randomUUID()}`;
      const request = { amount: leads * PRICE, reason: 'Verification of leads', operation, ttlMs: RESERVED_MS };
      try {
        await this.reservations.reserve(workspace, request);
        return { operation, leads };
      } catch (error) {
        if (!hasCode(error, 'INSUFFICIENT_CREDITS') || tries === MAX_TRIES) throw error;
      }
    }
  }

  /** Takes the price of so many answers and gives the rest back; joins the running transaction. */
  async settle(workspace: WorkspaceScope, { operation }: LeadCredits, answers: number): Promise<void> {
    if (answers === 0) await this.reservations.release(workspace, operation);
    else await this.reservations.settle(workspace, operation, answers * PRICE);
  }

  /** Gives all of it back after a failure, unless what was found out was written and paid for after all. */
  async release(workspace: WorkspaceScope, { operation }: LeadCredits): Promise<void> {
    try {
      await this.reservations.release(workspace, operation);
    } catch (error) {
      if (!hasCode(error, 'CONFLICT')) throw error;
    }
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof AppError && error.code === code;
}
