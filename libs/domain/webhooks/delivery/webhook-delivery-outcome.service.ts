import { systemScope } from '@domain/access';
import { EventsService, type NewEvent } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Batcher } from '@platform/concurrency';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { LogService } from '@platform/observability';
import { type AnyBulkWriteOperation, type Model, type Types } from 'mongoose';
import { ATTEMPTS_KEPT, WebhookDeliveryRecord } from '../schemas/webhook-delivery.record';
import { type WebhookLastError, WebhookRecord } from '../schemas/webhook.record';
import { periodsWith } from '../subscription-periods';
import { decide, type Made } from './delivery-decision';
import { receiverAfter } from './receiver-state';

/** An attempt and what it belongs to. */
export interface Outcome {
  readonly deliveryId: Types.ObjectId;
  readonly webhookId: Types.ObjectId;
  readonly made: Made;
  /** What a person had asked for when the attempt began, if it was made for that. */
  readonly manualAt: Date | null;
}

type Delivery = Pick<
  WebhookDeliveryRecord,
  | '_id'
  | 'workspaceId'
  | 'webhookId'
  | 'state'
  | 'attemptsMade'
  | 'countedAs'
  | 'nextAttemptAt'
  | 'manualAt'
  | 'deliveredAt'
>;
type Receiver = Pick<
  WebhookRecord,
  '_id' | 'workspaceId' | 'name' | 'status' | 'retryAttempts' | 'periods' | 'failingSince' | 'restUntil'
>;

/** What a batch of attempts makes of one webhook. */
interface Tally {
  readonly receiver: Receiver;
  delivered: number;
  failed: number;
  lastDeliveredAt: Date | null;
  failingSince: Date | null;
  restUntil: Date | null;
  disabled: 'gone' | 'failing' | null;
  lastError: WebhookLastError | null;
}

const DELIVERY = {
  workspaceId: 1,
  webhookId: 1,
  state: 1,
  attemptsMade: 1,
  countedAs: 1,
  nextAttemptAt: 1,
  manualAt: 1,
  deliveredAt: 1,
} as const;
const RECEIVER = {
  workspaceId: 1,
  name: 1,
  status: 1,
  retryAttempts: 1,
  periods: 1,
  failingSince: 1,
  restUntil: 1,
} as const;
const WORKER = 'the worker delivers to the webhooks of all workspaces';

/** Attempts that are written down together, and how long one waits for company (milliseconds). */
const AT_ONCE = 200;
const WAITS_MS = 10;

/** Writes down what came of attempts: the delivery, its webhook's figures and state, in one transaction. */
@Injectable()
export class WebhookDeliveryOutcomeService {
  readonly #batcher: Batcher<Outcome, void>;

  constructor(
    @InjectModel(WebhookDeliveryRecord.name) private readonly deliveries: Model<WebhookDeliveryRecord>,
    @InjectModel(WebhookRecord.name) private readonly webhooks: Model<WebhookRecord>,
    private readonly events: EventsService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {
    const work = async (outcomes: readonly Outcome[]): Promise<void[]> => {
      await this.#writeAll(outcomes);
      return outcomes.map(() => undefined);
    };
    this.#batcher = new Batcher(work, AT_ONCE, WAITS_MS);
  }

  /** Resolves when it is on record; without effect for a delivery that was erased. */
  async record(outcome: Outcome): Promise<void> {
    await this.#batcher.run(outcome);
  }

  async #writeAll(outcomes: readonly Outcome[]): Promise<void> {
    const tallies = await this.transactions.run(() => this.#write(outcomes));
    for (const { receiver, disabled } of tallies) {
      if (disabled) this.log.warn('A webhook was disabled', { webhookId: String(receiver._id), reason: disabled });
    }
  }

  async #write(outcomes: readonly Outcome[]): Promise<Tally[]> {
    const deliveries = await this.deliveries
      .find({ _id: { $in: outcomes.map(({ deliveryId }) => deliveryId) } }, DELIVERY)
      .setOptions({ allWorkspaces: WORKER })
      .lean<Delivery[]>();
    const webhookIds = [...new Map(outcomes.map(({ webhookId }) => [String(webhookId), webhookId])).values()];
    const receivers = await this.webhooks
      .find({ _id: { $in: webhookIds } }, RECEIVER)
      .setOptions({ allWorkspaces: WORKER })
      .lean<Receiver[]>();
    const tallies = new Map(receivers.map((receiver) => [String(receiver._id), tallyOf(receiver)]));
    const known = new Map(deliveries.map((delivery) => [String(delivery._id), delivery]));
    const writes = outcomes.flatMap((outcome) => {
      const delivery = known.get(String(outcome.deliveryId));
      const tally = tallies.get(String(outcome.webhookId));
      return delivery && tally ? [written(delivery, tally, outcome)] : [];
    });
    if (writes.length > 0) await this.deliveries.bulkWrite(writes);
    await this.#writeReceivers([...tallies.values()]);
    return [...tallies.values()];
  }

  async #writeReceivers(tallies: readonly Tally[]): Promise<void> {
    const now = this.clock.now();
    const changed = tallies.filter(isChanged);
    if (changed.length === 0) return;
    await this.webhooks.bulkWrite(changed.map((tally) => receiverWrite(tally, now)));
    for (const tally of changed) {
      const { receiver, disabled } = tally;
      if (!disabled) continue;
      await this.events.record(systemScope(String(receiver.workspaceId)), told(tally, disabled, now));
    }
  }
}

function tallyOf(receiver: Receiver): Tally {
  const { failingSince, restUntil } = receiver;
  return {
    receiver,
    delivered: 0,
    failed: 0,
    lastDeliveredAt: null,
    failingSince,
    restUntil,
    disabled: null,
    lastError: null,
  };
}

/** What the attempt makes of the delivery, as a write; `delivery` and `tally` become what they are after it. */
function written(
  delivery: Delivery,
  tally: Tally,
  { made, manualAt }: Outcome,
): AnyBulkWriteOperation<WebhookDeliveryRecord> {
  const { _id, workspaceId } = delivery;
  const decided = decide(delivery, made, tally.receiver.retryAttempts, Math.random());
  const endedAt = new Date(made.attempt.at.getTime() + made.attempt.durationMs);
  count(tally, delivery.countedAs, decided.countedAs);
  if (made.verdict.accepted) tally.lastDeliveredAt = later(tally.lastDeliveredAt, endedAt);
  else tally.lastError = lastErrorOf(made);
  const standing = receiverAfter(tally, made);
  tally.failingSince = standing.failingSince;
  tally.restUntil = standing.restUntil;
  if (tally.receiver.status === 'active') tally.disabled ??= standing.disabled;

  const { state, attemptsMade, nextAttemptAt, countedAs } = decided;
  const deliveredAt = delivery.deliveredAt ?? (made.verdict.accepted ? endedAt : null);
  // Asked for again while the attempt was under way: that one is still to be made.
  const isAnswered = manualAt !== null && delivery.manualAt?.getTime() === manualAt.getTime();
  const gone = { ...(nextAttemptAt ? {} : { nextAttemptAt: 1 }), ...(isAnswered ? { manualAt: 1 } : {}) } as const;
  Object.assign(delivery, { state, attemptsMade, countedAs, deliveredAt });
  if (nextAttemptAt) delivery.nextAttemptAt = nextAttemptAt;
  else delete delivery.nextAttemptAt;
  if (isAnswered) delete delivery.manualAt;
  return {
    updateOne: {
      filter: { _id, workspaceId },
      update: {
        $set: { state, attemptsMade, countedAs, deliveredAt, ...(nextAttemptAt ? { nextAttemptAt } : {}) },
        ...(Object.keys(gone).length > 0 ? { $unset: gone } : {}),
        $inc: { attemptCount: 1 },
        $push: { attempts: { $each: [made.attempt], $slice: -ATTEMPTS_KEPT } },
      },
    },
  };
}

function count(tally: Tally, before: Delivery['countedAs'], after: Delivery['countedAs']): void {
  if (before === after) return;
  tally.delivered += Number(after === 'delivered') - Number(before === 'delivered');
  tally.failed += Number(after === 'failed') - Number(before === 'failed');
}

function lastErrorOf({ attempt: { at, status, error } }: Made): WebhookLastError | null {
  return error && { at, status, error };
}

function later(one: Date | null, other: Date): Date {
  return one && one > other ? one : other;
}

function isChanged({
  receiver,
  delivered,
  failed,
  lastDeliveredAt,
  lastError,
  failingSince,
  restUntil,
  disabled,
}: Tally): boolean {
  return (
    delivered !== 0 ||
    failed !== 0 ||
    lastDeliveredAt !== null ||
    lastError !== null ||
    disabled !== null ||
    failingSince?.getTime() !== receiver.failingSince?.getTime() ||
    restUntil?.getTime() !== receiver.restUntil?.getTime()
  );
}

function receiverWrite(tally: Tally, now: Date): AnyBulkWriteOperation<WebhookRecord> {
  const { receiver, delivered, failed, lastDeliveredAt, failingSince, restUntil, disabled, lastError } = tally;
  const off = disabled && {
    status: 'inactive' as const,
    disabledAt: now,
    disabledReason: disabled,
    periods: periodsWith(receiver.periods, [], now),
  };
  return {
    updateOne: {
      filter: { _id: receiver._id, workspaceId: receiver.workspaceId },
      update: {
        $set: { failingSince, restUntil, ...off, ...(lastError && { lastError }) },
        $inc: { 'stats.totalDelivered': delivered, 'stats.totalFailed': failed },
        ...(lastDeliveredAt && { $max: { 'stats.lastDeliveredAt': lastDeliveredAt } }),
      },
      timestamps: false,
    },
  };
}

/** The owner is told by an event: other webhooks and the event log show it. */
function told({ receiver, failingSince }: Tally, reason: NonNullable<Tally['disabled']>, now: Date): NewEvent {
  const { _id, name } = receiver;
  return {
    type: 'webhook.disabled',
    dedupeKey: `webhook.disabled:${String(_id)}:${now.getTime()}`,
    about: {},
    data: { webhookId: String(_id), name, reason, failingSince: failingSince?.toISOString() ?? null },
  };
}
