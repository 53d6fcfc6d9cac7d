import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { TransactionService, isDatabaseUnavailable } from '@platform/database';
import { LogService, MetricsService } from '@platform/observability';
import { type Types } from 'mongoose';
import { EVENT_TYPES } from '../event-types';
import { EventBatchConflictError, EventBatchSupersededError } from './event-batch.errors';
import { type EventBatch, EventOutboxRepository } from './event-outbox.repository';
import { EventSubscriberRegistry } from './event-subscriber.registry';

/** How often a conflicting transaction runs again before its events are halved. */
const MAX_RERUNS = 3;

/** Then the other workspaces of the partition come first. Enough to find two bad events among 500. */
const MAX_FAILURES = 24;

/** Delays before an event is retried, by the number of its failed attempts; the last one from then on. */
const DEFERRED_MS = [1, 2, 5, 15, 60].map((minutes) => minutes * 60_000);

/** A workspace whose batches fail waits for this time, twice as long after each failure, up to the maximum. */
const FIRST_WAIT_MS = 1_000;
const LAST_WAIT_MS = 30_000;

interface Wait {
  readonly failures: number;
  readonly until: Date;
}

/** Relays batches of events, each in a transaction, finds the events that make one fail, and lets their workspace wait. */
@Injectable()
export class EventBatchService {
  /** By workspace with failures. */
  readonly #waits = new Map<string, Wait>();

  constructor(
    private readonly outbox: EventOutboxRepository,
    private readonly subscribers: EventSubscriberRegistry,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    private readonly metrics: MetricsService,
    private readonly log: LogService,
  ) {
    for (const type of EVENT_TYPES) metrics.events.inc({ type }, 0);
    for (const outcome of ['relayed', 'conflict', 'error']) metrics.eventBatches.inc({ outcome }, 0);
  }

  /** Whether the workspace has to wait after failures. */
  isWaiting({ workspaceId }: EventBatch): boolean {
    const wait = this.#waits.get(workspaceId);
    return wait !== undefined && wait.until > this.clock.now();
  }

  /**
   * Relays the events in one transaction. If that fails, each half is tried alone, and so on; a single event that fails is
   * deferred. Every transaction leaves an outbox entry of the events that remain, so a crash loses none.
   * @param signal leaves what remains in the outbox
   * @returns the number of relayed events
   * @throws Error when the database is unavailable
   */
  async relay(batch: EventBatch, signal: AbortSignal): Promise<number> {
    const { workspaceId } = batch;
    const failures = this.#waits.get(workspaceId)?.failures ?? 0;
    try {
      const { relayed, hasFailed } = await this.#relayParts(batch, signal);
      if (hasFailed) this.#wait(workspaceId, relayed > 0 ? 1 : failures + 1);
      else this.#waits.delete(workspaceId);
      return relayed;
    } catch (error) {
      // The next run begins with another workspace, should this one be the cause.
      this.#wait(workspaceId, 1);
      throw error;
    }
  }

  #wait(workspaceId: string, failures: number): void {
    const waitMs = Math.min(LAST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1));
    this.#waits.set(workspaceId, { failures, until: this.clock.in(waitMs) });
  }

  async #relayParts(batch: EventBatch, signal: AbortSignal): Promise<{ relayed: number; hasFailed: boolean }> {
    let parts: (readonly Types.ObjectId[])[] = [batch.eventIds];
    let { entryIds } = batch;
    let [relayed, failures] = [0, 0];
    while (failures < MAX_FAILURES && !signal.aborted) {
      const [part, ...others] = parts;
      if (!part) break;
      const remaining = others.flat();
      const some = { ...batch, entryIds, eventIds: part };
      try {
        entryIds = await this.#relayPart(some, remaining);
        relayed += part.length;
        parts = others;
      } catch (error) {
        if (error instanceof EventBatchSupersededError) break;
        if (isDatabaseUnavailable(error)) throw error;
        failures += 1;
        this.#recordFailure(some, error);
        if (part.length === 1) entryIds = await this.#defer(some, remaining, error);
        const middle = part.length >> 1;
        parts = part.length === 1 ? others : [part.slice(0, middle), part.slice(middle), ...others];
      }
    }
    return { relayed, hasFailed: failures > 0 };
  }

  /** @returns the entries of the remaining events */
  async #relayPart(batch: EventBatch, remaining: readonly Types.ObjectId[]): Promise<string[]> {
    let runs = 0;
    const { events, entryIds } = await this.transactions.run(async () => {
      runs += 1;
      if (runs > 1) this.metrics.eventBatchReruns.inc();
      if (runs > 1 + MAX_RERUNS) throw new EventBatchConflictError();
      const left = await this.outbox.replace(batch, remaining);
      const found = await this.outbox.readEvents(batch);
      await this.subscribers.handle(found);
      return { events: found, entryIds: left };
    });
    this.metrics.eventBatches.inc({ outcome: 'relayed' });
    for (const { type } of events) this.metrics.events.inc({ type });
    // The derived work is stored: a sweep finds it if the wake-up is lost.
    await this.subscribers
      .afterCommit(events)
      .catch((error: unknown) => this.log.error('The wake-up after relaying events failed; a sweep repeats it', error));
    return entryIds;
  }

  #recordFailure({ workspaceId, eventIds }: EventBatch, error: unknown): void {
    const isConflict = error instanceof EventBatchConflictError;
    this.metrics.eventBatches.inc({ outcome: isConflict ? 'conflict' : 'error' });
    if (eventIds.length === 1) return;
    const reason = error instanceof Error ? error.message : String(error);
    this.log.warn('A batch of events failed; each half is tried alone', {
      workspaceId,
      events: eventIds.length,
      reason,
    });
  }

  /** Takes the single event of `batch` out of the outbox. @returns the entries of the remaining events */
  async #defer(batch: EventBatch, remaining: readonly Types.ObjectId[], error: unknown): Promise<string[]> {
    const { workspaceId, eventIds, attempts } = batch;
    const dueAt = this.clock.in(DEFERRED_MS[Math.min(attempts, DEFERRED_MS.length - 1)] ?? 0);
    const entryIds = await this.transactions.run(async () => {
      const left = await this.outbox.replace(batch, remaining);
      for (const eventId of eventIds) await this.outbox.defer(batch, eventId, dueAt);
      return left;
    });
    this.metrics.eventsPutOff.inc();
    this.log.error('An event could not be relayed and is retried', error, {
      workspaceId,
      eventId: String(eventIds[0]),
      attempts: attempts + 1,
    });
    return entryIds;
  }
}
