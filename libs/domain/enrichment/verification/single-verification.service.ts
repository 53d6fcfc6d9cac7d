import { randomUUID } from 'node:crypto';
import { type WorkspaceScope } from '@domain/access';
import { CreditReservationsService } from '@domain/credits';
import { Injectable } from '@nestjs/common';
import { KeyedMutex } from '@platform/concurrency';
import { ClockPort } from '@platform/clock';
import { toVerification, type VerificationResponse, type VerifyEmailRequest } from './dto/verification.dto';
import { EmailVerificationService, type Verification } from './email-verification.service';

const PRICE = 1;
/** Milliseconds; with what the database takes before and after, the client has its answer within ten seconds. */
const PATIENCE_MS = 8_000;
/** A process that dies meanwhile leaves a reservation, which is released after so many milliseconds. */
const RESERVED_MS = 120_000;

/** Verifies one address while somebody waits for it. */
@Injectable()
export class SingleVerificationService {
  /** All of a workspace change one account: many at once would only undo each other until some of them give up. */
  readonly #line = new KeyedMutex();

  constructor(
    private readonly verifier: EmailVerificationService,
    private readonly reservations: CreditReservationsService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Costs one credit for a decisive answer, and nothing when it is `unknown`.
   * @throws INSUFFICIENT_CREDITS, and nobody was asked
   */
  async verify(workspace: WorkspaceScope, { email }: VerifyEmailRequest): Promise<VerificationResponse> {
    const deadline = this.clock.in(PATIENCE_MS);
    const operation = `verification:${randomUUID()}`;
    // Without the address: the ledger outlives what is known of people.
    const reason = 'Verification of one address';
    const reservation = { amount: PRICE, reason, operation, ttlMs: RESERVED_MS };
    await this.#inLine(workspace, () => this.reservations.reserve(workspace, reservation));
    const found = await this.#find(workspace, operation, email, deadline);
    if (found.result === 'unknown') {
      await this.#inLine(workspace, () => this.reservations.release(workspace, operation));
      return toVerification(found, 0);
    }
    await this.#inLine(workspace, () => this.reservations.settle(workspace, operation, PRICE));
    return toVerification(found, PRICE);
  }

  async #find(workspace: WorkspaceScope, operation: string, email: string, deadline: Date): Promise<Verification> {
    try {
      return await this.verifier.verify(email, { deadline });
    } catch (error) {
      await this.#inLine(workspace, () => this.reservations.release(workspace, operation));
      throw error;
    }
  }

  #inLine<T>({ workspaceId }: WorkspaceScope, change: () => Promise<T>): Promise<T> {
    return this.#line.run(workspaceId, change);
  }
}
