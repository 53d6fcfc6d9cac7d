import { setTimeout as pause } from 'node:timers/promises';
import { type DueDelivery, type OpenReceiver } from './webhook-delivery.repository';
import { INITIAL_CONCURRENCY, getNextConcurrency } from './delivery-concurrency';
import { type SentAttempt } from './webhook-sender.service';

/** Deliveries read per batch. */
const BATCH = 64;
/** Interval of the check for new due deliveries while requests are open. */
const POLL_MS = 250;
/** Maximum number of unrecorded attempts; a crash can repeat that many. */
const MAX_UNRECORDED = 64;

export interface DeliveryBatch {
  /** The current webhook; null when nothing may be sent to it. */
  receiver(): Promise<OpenReceiver | null>;
  due(receiver: OpenReceiver, limit: number): Promise<DueDelivery[]>;
  /** Makes one attempt. */
  send(receiver: OpenReceiver, delivery: DueDelivery): Promise<SentAttempt>;
  /** Records the result. */
  record(delivery: DueDelivery, made: SentAttempt): Promise<void>;
  /** Whether no further request may start. */
  isOver(): boolean;
}

/**
 * Delivers the due events of one webhook, with as many concurrent requests as the receiver handles, until nothing is
 * due or the run is over. Recording does not block requests. Started requests are awaited.
 */
export class WebhookDeliveryWindow {
  /** Attempts in progress, until they are recorded. */
  readonly #underWay = new Map<string, Promise<void>>();
  /** Requests among them. */
  #openRequests = 0;
  #change = Promise.withResolvers<void>();
  /** Attempts per delivery including ours: a delivery read before its attempt was recorded is not due. */
  readonly #attempted = new Map<string, number>();
  #concurrency = INITIAL_CONCURRENCY;
  #failure: unknown;

  constructor(private readonly work: DeliveryBatch) {}

  /** @throws the first error of making or recording an attempt */
  async run(): Promise<void> {
    try {
      while (!this.#isOver()) {
        const receiver = await this.work.receiver();
        const due = receiver ? this.#filterNew(await this.work.due(receiver, BATCH + this.#underWay.size)) : [];
        if (receiver && due.length > 0) await this.#begin(receiver, due);
        else if (this.#underWay.size === 0) break;
        else await this.#waitForChange(POLL_MS);
      }
    } finally {
      await Promise.all(this.#underWay.values());
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #begin(receiver: OpenReceiver, due: readonly DueDelivery[]): Promise<void> {
    // The batch becomes stale while the receiver is slow: the webhook is then read again.
    const until = performance.now() + POLL_MS;
    for (const delivery of due) {
      while (this.#isFull() && !this.#isOver()) {
        if (performance.now() > until) return;
        await this.#waitForChange(POLL_MS);
      }
      if (this.#isOver()) return;
      this.#attempt(receiver, delivery);
    }
  }

  #isFull(): boolean {
    return this.#openRequests >= this.#concurrency || this.#underWay.size >= MAX_UNRECORDED;
  }

  #attempt(receiver: OpenReceiver, delivery: DueDelivery): void {
    const id = delivery._id.toHexString();
    this.#attempted.set(id, delivery.attemptCount + 1);
    const attempt = this.#make(receiver, delivery)
      .catch((error: unknown) => void (this.#failure ??= error))
      .finally(() => {
        this.#underWay.delete(id);
        this.#signalChange();
      });
    this.#underWay.set(id, attempt);
  }

  async #make(receiver: OpenReceiver, delivery: DueDelivery): Promise<void> {
    const made = await this.#send(receiver, delivery);
    await this.work.record(delivery, made);
  }

  async #send(receiver: OpenReceiver, delivery: DueDelivery): Promise<SentAttempt> {
    const began = performance.now();
    this.#openRequests += 1;
    try {
      const made = await this.work.send(receiver, delivery);
      this.#concurrency = getNextConcurrency(this.#concurrency, {
        hung: made.verdict.hung,
        tookMs: performance.now() - began,
      });
      return made;
    } finally {
      this.#openRequests -= 1;
      this.#signalChange();
    }
  }

  #filterNew(due: readonly DueDelivery[]): DueDelivery[] {
    return due.filter(({ _id, attemptCount }) => {
      const id = _id.toHexString();
      return !this.#underWay.has(id) && attemptCount >= (this.#attempted.get(id) ?? 0);
    });
  }

  #signalChange(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers<void>();
  }

  /** Waits until a request ends or an attempt is recorded, or for `ms`. */
  async #waitForChange(ms: number): Promise<void> {
    const stop = new AbortController();
    await Promise.race([this.#change.promise, pause(ms, undefined, { signal: stop.signal })]);
    stop.abort();
  }

  #isOver(): boolean {
    return this.#failure !== undefined || this.work.isOver();
  }
}
