import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Lease, LeaseService, TransactionService, isDatabaseUnavailable } from '@platform/database';
import { LogService, MetricsService } from '@platform/observability';
import { type Model } from 'mongoose';
import { EVENT_TYPES } from '../event-types';
import { EventRecord } from '../schemas/event.record';
import { EventSubscriberRegistry } from './event-subscriber.registry';

const BATCH = 500;

/** Longer than a transaction may take: if a worker crashes, the others wait this long. */
const LEASE_MS = 20_000;

/** Delay before the relay retries an event that a subscriber failed to handle. */
const AGAIN_MS = 60_000;

const NEVER = new Date(0);

/** Another worker has relayed a part of the batch. */
class RelayedElsewhereError extends Error {}

/** Interval between two polls for due events. */
const POLL_MS = 200;

/**
 * Relays events to their subscribers, each exactly once: one transaction writes what a subscriber derives and marks the
 * event as relayed. MongoDB alone decides which events are due, through an index of only these, so losing Redis or a
 * worker loses no event. The lease only saves work: two concurrent relays would be correct but would conflict with each
 * other.
 */
@Injectable()
export class EventRelayService implements OnModuleDestroy {
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<unknown> | undefined;
  /** Logs the first failure only, and not each failed poll after it. */
  #failing = false;

  constructor(
    @InjectModel(EventRecord.name) private readonly events: Model<EventRecord>,
    private readonly subscribers: EventSubscriberRegistry,
    private readonly transactions: TransactionService,
    private readonly leases: LeaseService,
    private readonly clock: ClockPort,
    private readonly metrics: MetricsService,
    private readonly log: LogService,
  ) {
    for (const type of EVENT_TYPES) metrics.events.inc({ type }, 0);
  }

  /**
   * Relays all due events, oldest first. An event that a subscriber cannot handle is logged and retried a minute later.
   * @returns the number of relayed events; 0 while another worker holds the lease
   */
  async relay(signal?: AbortSignal): Promise<number> {
    if (!(await this.#isAnyDue())) return 0;
    const lease = await this.leases.acquire('event-relay', LEASE_MS);
    if (!lease) return 0;
    try {
      return await this.#relayAll(lease, signal);
    } finally {
      await this.leases.release(lease);
    }
  }

  start(): void {
    this.#timer = setInterval(() => this.#poll(), POLL_MS);
  }

  /** Starts no further run and waits for the current one. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await this.#polling;
  }

  async onModuleDestroy(): Promise<void> {
    await this.stop();
  }

  async #relayAll(lease: Lease, signal?: AbortSignal): Promise<number> {
    let relayed = 0;
    for (;;) {
      const due = await this.#due();
      if (due.length > 0) relayed += await this.#relayOrDefer(due);
      if (due.length < BATCH || signal?.aborted) return relayed;
      if (!(await this.leases.renew(lease, LEASE_MS))) return relayed;
    }
  }

  async #isAnyDue(): Promise<boolean> {
    const due = await this.events
      .exists({ relayAt: { $gt: NEVER, $lte: this.clock.now() } })
      .setOptions({ allWorkspaces: 'the worker relays the events of all workspaces' });
    return due !== null;
  }

  async #due(): Promise<EventRecord[]> {
    return this.events
      .find({ relayAt: { $gt: NEVER, $lte: this.clock.now() } })
      .setOptions({ allWorkspaces: 'the worker relays the events of all workspaces' })
      .sort({ relayAt: 1 })
      .limit(BATCH)
      .lean<EventRecord[]>();
  }

  /**
   * Relays the batch in one transaction. If that fails, relays events one by one, so that one bad event delays no
   * other.
   */
  async #relayOrDefer(batch: readonly EventRecord[]): Promise<number> {
    try {
      await this.#relayBatch(batch);
      return batch.length;
    } catch (error) {
      if (error instanceof RelayedElsewhereError && batch.length === 1) return 0;
      if (isDatabaseUnavailable(error)) throw error;
      if (batch.length === 1) {
        await this.#defer(batch[0], error);
        return 0;
      }
    }
    let relayed = 0;
    for (const event of batch) relayed += await this.#relayOrDefer([event]);
    return relayed;
  }

  async #relayBatch(batch: readonly EventRecord[]): Promise<void> {
    await this.transactions.run(async () => {
      const { matchedCount } = await this.events
        .updateMany({ _id: { $in: batch.map(({ _id }) => _id) }, relayAt: { $gt: NEVER } }, { $unset: { relayAt: 1 } })
        .setOptions({ allWorkspaces: 'the worker relays the events of all workspaces' });
      if (matchedCount !== batch.length) throw new RelayedElsewhereError('Another worker relays the same events');
      await this.subscribers.handle(batch);
    });
    for (const { type } of batch) this.metrics.events.inc({ type });
    // The derived work is stored: a sweep finds it if the wake-up is lost.
    await this.subscribers
      .afterCommit(batch)
      .catch((error: unknown) => this.log.error('The wake-up after relaying events failed; a sweep repeats it', error));
  }

  async #defer(event: EventRecord | undefined, error: unknown): Promise<void> {
    if (!event) return;
    const { _id, workspaceId, type } = event;
    this.metrics.eventsPutOff.inc();
    this.log.error('An event could not be relayed and is retried', error, { eventId: _id.toHexString(), type });
    await this.events.updateOne(
      { _id, workspaceId, relayAt: { $gt: NEVER } },
      { $set: { relayAt: new Date(this.clock.now().getTime() + AGAIN_MS) } },
    );
  }

  #poll(): void {
    this.#polling ??= this.#relayDue().finally(() => (this.#polling = undefined));
  }

  async #relayDue(): Promise<void> {
    try {
      await this.relay(this.#stopping.signal);
      this.#failing = false;
    } catch (error) {
      if (this.#failing) return;
      this.#failing = true;
      this.log.warn('Events are not relayed; the relay retries', {
        reason: error instanceof Error ? error.message : String(error),
      });
    }
  }
}
