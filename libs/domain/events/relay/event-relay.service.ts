import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { isDatabaseUnavailable, type Lease, LeaseService, TransactionService } from '@platform/database';
import { LogService, MetricsService } from '@platform/observability';
import { type Model } from 'mongoose';
import { EVENT_TYPES } from '../event-types';
import { EventRecord } from '../schemas/event.record';
import { EventSubscriberRegistry } from './event-subscriber.registry';

const BATCH = 500;
/** Longer than a transaction may take; a worker that dies keeps the others waiting for so long. */
const LEASE_MS = 20_000;
/** When an event is tried again that a subscriber could not take. */
const AGAIN_MS = 60_000;
const NEVER = new Date(0);

/** Somebody else has handed on a part of the batch. */
class HandedOnElsewhere extends Error {}

/**
 * Hands events to their subscribers, each exactly once: what they write and the mark that an event was handed on are one
 * transaction. What is to be handed on is asked from MongoDB every time (an index of nothing else), so nothing is lost with
 * Redis or a worker. One worker at a time does it, for speed only: two would be right, too, and undo each other's work.
 */
@Injectable()
export class EventRelayService {
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
   * Hands on all that is due, oldest first. An event that cannot be taken is logged and tried again a minute later.
   * @returns how many were handed on; 0 while another worker does it
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

  async #relayAll(lease: Lease, signal?: AbortSignal): Promise<number> {
    let handedOn = 0;
    for (;;) {
      const due = await this.#due();
      if (due.length > 0) handedOn += await this.#handOnOrPutOff(due);
      if (due.length < BATCH || signal?.aborted) return handedOn;
      if (!(await this.leases.renew(lease, LEASE_MS))) return handedOn;
    }
  }

  async #isAnyDue(): Promise<boolean> {
    const due = await this.events
      .exists({ relayAt: { $gt: NEVER, $lte: this.clock.now() } })
      .setOptions({ allWorkspaces: 'the worker hands on the events of all workspaces' });
    return due !== null;
  }

  async #due(): Promise<EventRecord[]> {
    return this.events
      .find({ relayAt: { $gt: NEVER, $lte: this.clock.now() } })
      .setOptions({ allWorkspaces: 'the worker hands on the events of all workspaces' })
      .sort({ relayAt: 1 })
      .limit(BATCH)
      .lean<EventRecord[]>();
  }

  /** Together; when that fails one by one, so that one bad event holds up no other. */
  async #handOnOrPutOff(batch: readonly EventRecord[]): Promise<number> {
    try {
      await this.#handOn(batch);
      return batch.length;
    } catch (error) {
      if (error instanceof HandedOnElsewhere && batch.length === 1) return 0;
      if (isDatabaseUnavailable(error)) throw error;
      if (batch.length === 1) {
        await this.#putOff(batch[0], error);
        return 0;
      }
    }
    let handedOn = 0;
    for (const event of batch) handedOn += await this.#handOnOrPutOff([event]);
    return handedOn;
  }

  async #handOn(batch: readonly EventRecord[]): Promise<void> {
    await this.transactions.run(async () => {
      const { matchedCount } = await this.events
        .updateMany({ _id: { $in: batch.map(({ _id }) => _id) }, relayAt: { $gt: NEVER } }, { $unset: { relayAt: 1 } })
        .setOptions({ allWorkspaces: 'the worker hands on the events of all workspaces' });
      if (matchedCount !== batch.length) throw new HandedOnElsewhere('Another worker hands on the same events');
      await this.subscribers.handle(batch);
    });
    for (const { type } of batch) this.metrics.events.inc({ type });
    // What was written is on record: whoever was not woken finds it later.
    await this.subscribers
      .afterCommit(batch)
      .catch((error: unknown) => this.log.error('Nobody was woken for events that were handed on', error));
  }

  async #putOff(event: EventRecord | undefined, error: unknown): Promise<void> {
    if (!event) return;
    const { _id, workspaceId, type } = event;
    this.metrics.eventsPutOff.inc();
    this.log.error('An event could not be handed on; it is tried again', error, { eventId: _id.toHexString(), type });
    await this.events.updateOne(
      { _id, workspaceId, relayAt: { $gt: NEVER } },
      { $set: { relayAt: new Date(this.clock.now().getTime() + AGAIN_MS) } },
    );
  }
}
