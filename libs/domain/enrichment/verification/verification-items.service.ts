import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import {
  type EnrichmentJobRef,
  type FinalOutcome,
  type ItemHandler,
  type ItemOutcome,
  type WorkItem,
} from '../item-handlers/item-handler';
import { ItemHandlerRegistry } from '../item-handlers/item-handler.registry';
import { RETRY_PERIOD_MS } from '../runs/outcome-decision';
import { EmailVerificationService, type Verification } from './email-verification.service';
import { findTemporaryReason } from './retry';

/** Milliseconds for one address of a job: most of it is waiting for a turn at its provider. */
const ADDRESS_TIMEOUT_MS = 45_000;

/** Jobs that verify addresses. What only time can tell (greylisting, servers out of reach) is taken up again later. */
@Injectable()
export class VerificationItemsService implements ItemHandler, OnModuleInit {
  readonly type = 'email_verification';
  readonly prefix = 'ev';
  readonly chunk = 100;

  constructor(
    private readonly handlers: ItemHandlerRegistry,
    private readonly verifier: EmailVerificationService,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  onModuleInit(): void {
    this.handlers.register(this);
  }

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

  /** Null when there was no time for it, or when it went wrong: it is taken up again, and keeps none of the others. */
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
 * What becomes of an item by what was found out. One that nobody had time to ask about has lost none of its attempts: how slow we
 * are says nothing about it. Pure.
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
