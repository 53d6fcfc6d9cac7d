import { ENRICHMENT_TYPES } from '../item-handlers/enrichment-type';
import {
  type FinalOutcome,
  type ItemOutcome,
  type ItemHandler,
  type EnrichmentJobRef,
  type WorkItem,
} from '../item-handlers/item-handler';

type Does = (
  item: WorkItem,
  job: EnrichmentJobRef,
  signal: AbortSignal,
) => ItemOutcome | undefined | Promise<ItemOutcome | undefined>;

/** A charged answer. */
export function decisive(result = 'valid', checkedAt = new Date()): FinalOutcome {
  return { kind: 'done', result, reasons: ['reported'], isDecisive: true, detail: { host: 'mx.example' }, checkedAt };
}

/** A free answer. */
export function unknown(reason = 'silent'): FinalOutcome {
  return { kind: 'done', result: 'unknown', reasons: [reason], isDecisive: false, detail: {}, checkedAt: new Date() };
}

/** A handler that answers as a test defines, and records its calls. */
export class ScriptedWork implements ItemHandler {
  readonly type = 'email_verification' as const;
  readonly prefix = 'ev';
  chunk = 5;
  readonly asked: WorkItem[] = [];
  does: Does = () => decisive();
  requireReady: () => Promise<void> = () => Promise.resolve();
  cooldownUntil: (workspaceId: string) => Promise<Date | null> = () => Promise.resolve(null);

  async run(
    items: readonly WorkItem[],
    job: EnrichmentJobRef,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, ItemOutcome>> {
    this.asked.push(...items);
    const outcomes = new Map<string, ItemOutcome>();
    await Promise.all(
      items.map(async (item) => {
        const outcome = await this.does(item, job, signal);
        if (outcome) outcomes.set(item._id.toHexString(), outcome);
      }),
    );
    return outcomes;
  }

  onExpired(): FinalOutcome {
    return unknown('out_of_time');
  }

  /** This handler for each type of job. */
  forAllTypes(): ItemHandler[] {
    return ENRICHMENT_TYPES.map((type) => Object.create(this, { type: { value: type } }) as ItemHandler);
  }

  /** Resets the handler. */
  reset(): void {
    this.chunk = 5;
    this.asked.length = 0;
    this.does = () => decisive();
    this.requireReady = () => Promise.resolve();
    this.cooldownUntil = () => Promise.resolve(null);
  }
}
