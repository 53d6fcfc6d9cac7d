import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '@platform/clock';
import { type FinalOutcome, type ItemOutcome, type ItemWork, type JobAtWork, type WorkItem } from '../work/item.work';
import { ItemWorks } from '../work/item.works';
import { EmailVerifier, type Verification } from './verifier.service';

/** Milliseconds for one address of a job: most of it is waiting for a turn at its provider. */
const PATIENCE_MS = 45_000;

/** Jobs that verify addresses. What only time can tell (greylisting, servers out of reach) is taken up again later. */
@Injectable()
export class VerificationWork implements ItemWork, OnModuleInit {
  readonly type = 'email_verification';
  readonly prefix = 'ev';
  readonly chunk = 100;

  constructor(
    private readonly works: ItemWorks,
    private readonly verifier: EmailVerifier,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.works.register(this);
  }

  async carryOut(
    items: readonly WorkItem[],
    _job: JobAtWork,
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

  outOfTime(_item: WorkItem, now: Date): FinalOutcome {
    return { kind: 'done', result: 'unknown', reasons: ['out_of_time'], isDecisive: false, detail: {}, checkedAt: now };
  }

  /** Null when there was no time for it: it is taken up again. */
  async #outcomeOf({ email, attempts }: WorkItem, signal: AbortSignal): Promise<ItemOutcome | null> {
    try {
      return outcomeOf(await this.verifier.verify(email, { signal, attempts, deadline: this.clock.in(PATIENCE_MS) }));
    } catch (error) {
      if (signal.aborted) return null;
      throw error;
    }
  }
}

/** What becomes of an item by what was found out. Pure. */
function outcomeOf(found: Verification): ItemOutcome {
  const { result, reasons, retryAt, checkedAt, address, isDisposable, isRole, isFree, mxHost, suggestion } = found;
  if (retryAt !== null) return { kind: 'later', at: retryAt, reason: reasons.at(-1) ?? result };
  const detail = { address, isDisposable, isRole, isFree, mxHost, suggestion };
  return { kind: 'done', result, reasons, isDecisive: result !== 'unknown', detail, checkedAt };
}
