import { setTimeout as pause } from 'node:timers/promises';
import { type DueDelivery, type OpenReceiver } from './due.deliveries.service';
import { FIRST_WIDTH, widthAfter } from './delivery.pace';
import { type MadeNow } from './webhook.sender.service';

/** Deliveries that are read at once. */
const BATCH = 64;
/** While requests are under way, how often is looked whether something new is due. */
const LOOK_MS = 250;

export interface LaneWork {
  /** The webhook as it is now; null when nothing may be sent to it any more. */
  receiver(): Promise<OpenReceiver | null>;
  due(receiver: OpenReceiver, limit: number): Promise<DueDelivery[]>;
  /** Makes one attempt and writes down what came of it. */
  attempt(receiver: OpenReceiver, delivery: DueDelivery): Promise<MadeNow>;
  /** Whether no further request may be begun. */
  over(): boolean;
}

/**
 * One turn of delivering to a webhook: several requests at a time, as many as the receiver bears, until nothing is due or the
 * turn is over. Requests that were begun are waited for.
 */
export class LaneRun {
  readonly #underWay = new Map<string, Promise<void>>();
  /** How many attempts a delivery has had with ours: what was read before that is on record is not due. */
  readonly #attempted = new Map<string, number>();
  #width = FIRST_WIDTH;
  #failure: unknown;

  constructor(private readonly work: LaneWork) {}

  /** @throws what kept an attempt from being made or written down */
  async run(): Promise<void> {
    try {
      while (!this.#over()) {
        const receiver = await this.work.receiver();
        const due = receiver ? this.#fresh(await this.work.due(receiver, BATCH)) : [];
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
      while (this.#underWay.size >= this.#width && !this.#over()) {
        if (performance.now() > until) return;
        await this.#company(LOOK_MS);
      }
      if (this.#over()) return;
      this.#attempt(receiver, delivery);
    }
  }

  #attempt(receiver: OpenReceiver, delivery: DueDelivery): void {
    const id = delivery._id.toHexString();
    this.#attempted.set(id, delivery.attemptCount + 1);
    const began = performance.now();
    const attempt = this.work
      .attempt(receiver, delivery)
      .then(({ verdict: { hung } }) => {
        this.#width = widthAfter(this.#width, { hung, tookMs: performance.now() - began });
      })
      .catch((error: unknown) => void (this.#failure ??= error))
      .finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, attempt);
  }

  #fresh(due: readonly DueDelivery[]): DueDelivery[] {
    return due.filter(({ _id, attemptCount }) => {
      const id = _id.toHexString();
      return !this.#underWay.has(id) && attemptCount >= (this.#attempted.get(id) ?? 0);
    });
  }

  /** Until a request ends, or for so long. */
  async #company(ms: number): Promise<void> {
    const stop = new AbortController();
    await Promise.race([...this.#underWay.values(), pause(ms, undefined, stop)]);
    stop.abort();
  }

  #over(): boolean {
    return this.#failure !== undefined || this.work.over();
  }
}
