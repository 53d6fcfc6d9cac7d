import { setTimeout as pause } from 'node:timers/promises';
import { type DueDelivery, type OpenReceiver } from './webhook-delivery.repository';
import { INITIAL_CONCURRENCY, getNextConcurrency } from './delivery-concurrency';
import { type SentAttempt } from './webhook-sender.service';

/** Deliveries that are read at once. */
const BATCH = 64;
/** While requests are under way, how often is looked whether something new is due. */
const POLL_MS = 250;
/** Attempts of a turn that are not on record: as many may be made once more when the worker dies. */
const MAX_UNRECORDED = 64;

export interface DeliveryBatch {
  /** The webhook as it is now; null when nothing may be sent to it any more. */
  receiver(): Promise<OpenReceiver | null>;
  due(receiver: OpenReceiver, limit: number): Promise<DueDelivery[]>;
  /** Makes one attempt. */
  send(receiver: OpenReceiver, delivery: DueDelivery): Promise<SentAttempt>;
  /** Writes down what came of it. */
  record(delivery: DueDelivery, made: SentAttempt): Promise<void>;
  /** Whether no further request may be begun. */
  isOver(): boolean;
}

/**
 * One turn of delivering to a webhook: several requests at a time, as many as the receiver bears, until nothing is due or the
 * turn is over. What is being written down keeps no request waiting. What was begun is waited for.
 */
export class WebhookDeliveryWindow {
  /** Attempts that are being made or written down. */
  readonly #underWay = new Map<string, Promise<void>>();
  /** Requests among them. */
  #openRequests = 0;
  #change = Promise.withResolvers<void>();
  /** How many attempts a delivery has had with ours: what was read before that is on record is not due. */
  readonly #attempted = new Map<string, number>();
  #concurrency = INITIAL_CONCURRENCY;
  #failure: unknown;

  constructor(private readonly work: DeliveryBatch) {}

  /** @throws what kept an attempt from being made or written down */
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
    // What was read gets old while the receiver takes its time: then the webhook is looked at again.
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

  /** Until a request ends or an attempt is on record, or for so long. */
  async #waitForChange(ms: number): Promise<void> {
    const stop = new AbortController();
    await Promise.race([this.#change.promise, pause(ms, undefined, { signal: stop.signal })]);
    stop.abort();
  }

  #isOver(): boolean {
    return this.#failure !== undefined || this.work.isOver();
  }
}
