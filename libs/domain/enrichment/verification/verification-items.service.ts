import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { Listens } from '@platform/hooks';
import { LogService } from '@platform/observability';
import {
  type EnrichmentJobRef,
  type FinalOutcome,
  type ItemHandler,
  type ItemOutcome,
  type WorkItem,
} from '../item-handlers/item-handler';
import { ITEM_HANDLERS } from '../item-handlers/item-handler';
import { RETRY_PERIOD_MS } from '../runs/outcome-decision';
import { EmailVerificationService } from './email-verification.service';
import { findTemporaryReason } from './retry';
import { type Verification } from './verdict';

/** Milliseconds for one address of a job, most of them spent on the rate limit of its provider. */
const ADDRESS_TIMEOUT_MS = 45_000;

/** Handles jobs of email verification. Temporary findings (greylisting, unreachable servers) are retried later. */
@Injectable()
@Listens(ITEM_HANDLERS)
export class VerificationItemsService implements ItemHandler {
  readonly type = 'email_verification';
  readonly prefix = 'ev';
  readonly chunk = 100;

  constructor(
    private readonly verifier: EmailVerificationService,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  async run(
    items: readonly WorkItem[],
    _job: EnrichmentJobRef,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, ItemOutcome>> {
    const outcomes = new Map<string, ItemOutcome>();
    await Promise.all(
      items.map(async (item) => {
        const outcome = await this.#outcomeOf(item, signal);
        if (outcome) outcomes.set(item._id.toHexString(), outcome);
      }),
    );
    return outcomes;
  }

  onExpired(_item: WorkItem, now: Date): FinalOutcome {
    return { kind: 'done', result: 'unknown', reasons: ['out_of_time'], isDecisive: false, detail: {}, checkedAt: now };
  }

  /** Null without time or after an error: the item is retried, and the others are unaffected. */
  async #outcomeOf(item: WorkItem, signal: AbortSignal): Promise<ItemOutcome | null> {
    const { _id, jobId, email, attempts } = item;
    const deadline = this.clock.in(ADDRESS_TIMEOUT_MS);
    try {
      return toOutcome(item, await this.verifier.verify(email, { signal, attempts, deadline }));
    } catch (error) {
      if (signal.aborted) return null;
      const ids = { jobId: jobId.toHexString(), itemId: _id.toHexString() };
      this.log.error('An address could not be verified', error, ids);
      return null;
    }
  }
}

/**
 * Converts a verification to the outcome of an item. Without a question to any server, the attempt does not count:
 * delays of this installation say nothing about the address. Pure.
 */
function toOutcome({ createdAt }: Pick<WorkItem, 'createdAt'>, found: Verification): ItemOutcome {
  const { result, reasons, retryAt, checkedAt, address, isDisposable, isRole, isFree, mxHost, suggestion } = found;
  if (retryAt !== null) {
    const isInTime = retryAt.getTime() < createdAt.getTime() + RETRY_PERIOD_MS;
    if (found.isUnasked && isInTime) return { kind: 'put_back', at: retryAt };
    return { kind: 'later', at: retryAt, reason: findTemporaryReason(reasons) ?? result };
  }
  const detail = { address, isDisposable, isRole, isFree, mxHost, suggestion };
  return { kind: 'done', result, reasons, isDecisive: result !== 'unknown', detail, checkedAt };
}
