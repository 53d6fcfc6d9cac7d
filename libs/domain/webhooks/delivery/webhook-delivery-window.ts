import { setTimeout as pause } from 'node:timers/promises';
import { type DueDelivery, type OpenReceiver } from './webhook-delivery.repository';
import { FIRST_WIDTH, widthAfter } from './delivery-pace';
import { type MadeNow } from './webhook-sender.service';

/** Deliveries that are read at once. */
const BATCH = 64;
/** While requests are under way, how often is looked whether something new is due. */
const LOOK_MS = 250;
/** Attempts of a turn that are not on record: as many may be made once more when the worker dies. */
const MOST_UNWRITTEN = 64;

export interface DeliveryBatch {
  /** The webhook as it is now; null when nothing may be sent to it any more. */
  receiver(): Promise<OpenReceiver | null>;
  due(receiver: OpenReceiver, limit: number): Promise<DueDelivery[]>;
  /** Makes one attempt. */
  send(receiver: OpenReceiver, delivery: DueDelivery): Promise<MadeNow>;
  /** Writes down what came of it. */
  record(delivery: DueDelivery, made: MadeNow): Promise<void>;
  /** Whether no further request may be begun. */
  over(): boolean;
}

/**
 * One turn of delivering to a webhook: several requests at a time, as many as the receiver bears, until nothing is due or the
 * turn is over. What is being written down keeps no request waiting. What was begun is waited for.
 */
export class WebhookDeliveryWindow {
  /** Attempts that are being made or written down. */
  readonly #underWay = new Map<string, Promise<void>>();
  /** Requests among them. */
  #asking = 0;
  #change = Promise.withResolvers<void>();
  /** How many attempts a delivery has had with ours: what was read before that is on record is not due. */
  readonly #attempted = new Map<string, number>();
  #width = FIRST_WIDTH;
  #failure: unknown;

  constructor(private readonly work: DeliveryBatch) {}

  /** @throws what kept an attempt from being made or written down */
  async run(): Promise<void> {
    try {
      while (!this.#over()) {
        const receiver = await this.work.receiver();
        const due = receiver ? this.#fresh(await this.work.due(receiver, BATCH + this.#underWay.size)) : [];
        if (receiver && due.length > 0) await this.#begin(receiver, due);
        else if (this.#underWay.size === 0) break;
        else await this.#company(LOOK_MS);
      }
    } finally {
      await Promise.all(this.#underWay.values());
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #begin(receiver: OpenReceiver, due: readonly DueDelivery[]): Promise<void> {
    // What was read gets old while the receiver takes its time: then the webhook is looked at again.
    const until = performance.now() + LOOK_MS;
    for (const delivery of due) {
      while (this.#isFull() && !this.#over()) {
        if (performance.now() > until) return;
        await this.#company(LOOK_MS);
      }
      if (this.#over()) return;
      this.#attempt(receiver, delivery);
    }
  }

  #isFull(): boolean {
    return this.#asking >= this.#width || this.#underWay.size >= MOST_UNWRITTEN;
  }

  #attempt(receiver: OpenReceiver, delivery: DueDelivery): void {
    const id = delivery._id.toHexString();
    this.#attempted.set(id, delivery.attemptCount + 1);
    const attempt = this.#make(receiver, delivery)
      .catch((error: unknown) => void (this.#failure ??= error))
      .finally(() => {
        this.#underWay.delete(id);
        this.#tell();
      });
    this.#underWay.set(id, attempt);
  }

  async #make(receiver: OpenReceiver, delivery: DueDelivery): Promise<void> {
    const made = await this.#send(receiver, delivery);
    await this.work.record(delivery, made);
  }

  async #send(receiver: OpenReceiver, delivery: DueDelivery): Promise<MadeNow> {
    const began = performance.now();
    this.#asking += 1;
    try {
      const made = await this.work.send(receiver, delivery);
      this.#width = widthAfter(this.#width, { hung: made.verdict.hung, tookMs: performance.now() - began });
      return made;
    } finally {
      this.#asking -= 1;
      this.#tell();
    }
  }

  #fresh(due: readonly DueDelivery[]): DueDelivery[] {
    return due.filter(({ _id, attemptCount }) => {
      const id = _id.toHexString();
      return !this.#underWay.has(id) && attemptCount >= (this.#attempted.get(id) ?? 0);
    });
  }

  #tell(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers<void>();
  }

  /** Until a request ends or an attempt is on record, or for so long. */
  async #company(ms: number): Promise<void> {
    const stop = new AbortController();
    await Promise.race([this.#change.promise, pause(ms, undefined, { signal: stop.signal })]);
    stop.abort();
  }

  #over(): boolean {
    return this.#failure !== undefined || this.work.over();
  }
}
