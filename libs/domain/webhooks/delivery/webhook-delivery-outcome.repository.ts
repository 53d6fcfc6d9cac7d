import { systemScope } from '@domain/access';
import { EventsService, type NewEvent } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { Batcher } from '@platform/concurrency';
import { TransactionService } from '@platform/database';
import { LogService } from '@platform/observability';
import { type AnyBulkWriteOperation, type Model, type Types } from 'mongoose';
import { MAX_STORED_ATTEMPTS, WebhookDeliveryRecord } from '../schemas/webhook-delivery.record';
import { type WebhookLastError, WebhookRecord } from '../schemas/webhook.record';
import { updatePeriods } from '../subscription-periods';
import { decideDelivery, type CompletedAttempt } from './delivery-decision';
import { decideReceiverState } from './receiver-state';

/** An attempt with its delivery and webhook. */
export interface AttemptOutcome {
  readonly deliveryId: Types.ObjectId;
  readonly webhookId: Types.ObjectId;
  readonly made: CompletedAttempt;
  /** The manual request that the attempt answers; null for an automatic one. */
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
  '_id' | 'workspaceId' | 'name' | 'status' | 'retryAttempts' | 'periods' | 'failingSince' | 'cooldownUntil'
>;

/** The changes of a batch of attempts to one webhook. */
interface Tally {
  readonly receiver: Receiver;
  delivered: number;
  failed: number;
  lastDeliveredAt: Date | null;
  failingSince: Date | null;
  cooldownUntil: Date | null;
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
  cooldownUntil: 1,
} as const;
const WORKER = 'the worker delivers to the webhooks of all workspaces';

/** Attempts recorded in one batch, and how long a batch waits to fill (milliseconds). */
const BATCH_SIZE = 200;
const BATCH_WAIT_MS = 10;

/** Records attempts: the delivery and its webhook's statistics and state, in one transaction. */
@Injectable()
export class WebhookDeliveryOutcomeRepository {
  readonly #batcher: Batcher<AttemptOutcome, void>;

  constructor(
    @InjectModel(WebhookDeliveryRecord.name) private readonly deliveries: Model<WebhookDeliveryRecord>,
    @InjectModel(WebhookRecord.name) private readonly webhooks: Model<WebhookRecord>,
    private readonly events: EventsService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {
    const work = async (outcomes: readonly AttemptOutcome[]): Promise<void[]> => {
      await this.#writeAll(outcomes);
      return outcomes.map(() => undefined);
    };
    this.#batcher = new Batcher(work, BATCH_SIZE, BATCH_WAIT_MS);
  }

  /** Resolves when the attempt is recorded; no effect for an erased delivery. */
  async record(outcome: AttemptOutcome): Promise<void> {
    await this.#batcher.run(outcome);
  }

  async #writeAll(outcomes: readonly AttemptOutcome[]): Promise<void> {
    const tallies = await this.transactions.run(() => this.#write(outcomes));
    for (const { receiver, disabled } of tallies) {
      if (disabled) this.log.warn('A webhook was disabled', { webhookId: String(receiver._id), reason: disabled });
    }
  }

  async #write(outcomes: readonly AttemptOutcome[]): Promise<Tally[]> {
    const deliveries = await this.deliveries
      .find({ _id: { $in: outcomes.map(({ deliveryId }) => deliveryId) } }, DELIVERY)
      .setOptions({ allWorkspaces: WORKER })
      .lean<Delivery[]>();
    const webhookIds = [...new Map(outcomes.map(({ webhookId }) => [String(webhookId), webhookId])).values()];
    const receivers = await this.webhooks
      .find({ _id: { $in: webhookIds } }, RECEIVER)
      .setOptions({ allWorkspaces: WORKER })
      .lean<Receiver[]>();
    const tallies = new Map(receivers.map((receiver) => [String(receiver._id), createTally(receiver)]));
    const known = new Map(deliveries.map((delivery) => [String(delivery._id), delivery]));
    const writes = outcomes.flatMap((outcome) => {
      const delivery = known.get(String(outcome.deliveryId));
      const tally = tallies.get(String(outcome.webhookId));
      return delivery && tally ? [applyOutcome(delivery, tally, outcome)] : [];
    });
    if (writes.length > 0) await this.deliveries.bulkWrite(writes);
    await this.#writeReceivers([...tallies.values()]);
    return [...tallies.values()];
  }

  async #writeReceivers(tallies: readonly Tally[]): Promise<void> {
    const now = this.clock.now();
    const changed = tallies.filter(isChanged);
    if (changed.length === 0) return;
    await this.webhooks.bulkWrite(changed.map((tally) => toReceiverWrite(tally, now)));
    for (const tally of changed) {
      const { receiver, disabled } = tally;
      if (!disabled) continue;
      await this.events.record(systemScope(String(receiver.workspaceId)), toDisabledEvent(tally, disabled, now));
    }
  }
}

function createTally(receiver: Receiver): Tally {
  const { failingSince, cooldownUntil } = receiver;
  return {
    receiver,
    delivered: 0,
    failed: 0,
    lastDeliveredAt: null,
    failingSince,
    cooldownUntil,
    disabled: null,
    lastError: null,
  };
}

/** Applies an attempt to `delivery` and `tally` and returns the write. */
function applyOutcome(
  delivery: Delivery,
  tally: Tally,
  { made, manualAt }: AttemptOutcome,
): AnyBulkWriteOperation<WebhookDeliveryRecord> {
  const { _id, workspaceId } = delivery;
  const decided = decideDelivery(delivery, made, tally.receiver.retryAttempts, Math.random());
  const endedAt = new Date(made.attempt.at.getTime() + made.attempt.durationMs);
  countOutcome(tally, delivery.countedAs, decided.countedAs);
  if (made.verdict.accepted) tally.lastDeliveredAt = maxDate(tally.lastDeliveredAt, endedAt);
  else tally.lastError = toLastError(made);
  const receiverState = decideReceiverState(tally, made);
  tally.failingSince = receiverState.failingSince;
  tally.cooldownUntil = receiverState.cooldownUntil;
  if (tally.receiver.status === 'active') tally.disabled ??= receiverState.disabled;

  const { state, attemptsMade, nextAttemptAt, countedAs } = decided;
  const deliveredAt = delivery.deliveredAt ?? (made.verdict.accepted ? endedAt : null);
  // A manual request that arrived during the attempt is still open.
  const isAnswered = manualAt !== null && delivery.manualAt?.getTime() === manualAt.getTime();
  const unset = { ...(nextAttemptAt ? {} : { nextAttemptAt: 1 }), ...(isAnswered ? { manualAt: 1 } : {}) } as const;
  Object.assign(delivery, { state, attemptsMade, countedAs, deliveredAt });
  if (nextAttemptAt) delivery.nextAttemptAt = nextAttemptAt;
  else delete delivery.nextAttemptAt;
  if (isAnswered) delete delivery.manualAt;
  return {
    updateOne: {
      filter: { _id, workspaceId },
      update: {
        $set: { state, attemptsMade, countedAs, deliveredAt, ...(nextAttemptAt ? { nextAttemptAt } : {}) },
        ...(Object.keys(unset).length > 0 ? { $unset: unset } : {}),
        $inc: { attemptCount: 1 },
        $push: { attempts: { $each: [made.attempt], $slice: -MAX_STORED_ATTEMPTS } },
      },
    },
  };
}

function countOutcome(tally: Tally, before: Delivery['countedAs'], after: Delivery['countedAs']): void {
  if (before === after) return;
  tally.delivered += Number(after === 'delivered') - Number(before === 'delivered');
  tally.failed += Number(after === 'failed') - Number(before === 'failed');
}

function toLastError({ attempt: { at, status, error } }: CompletedAttempt): WebhookLastError | null {
  return error && { at, status, error };
}

function maxDate(one: Date | null, other: Date): Date {
  return one && one > other ? one : other;
}

function isChanged({
  receiver,
  delivered,
  failed,
  lastDeliveredAt,
  lastError,
  failingSince,
  cooldownUntil,
  disabled,
}: Tally): boolean {
  return (
    delivered !== 0 ||
    failed !== 0 ||
    lastDeliveredAt !== null ||
    lastError !== null ||
    disabled !== null ||
    failingSince?.getTime() !== receiver.failingSince?.getTime() ||
    cooldownUntil?.getTime() !== receiver.cooldownUntil?.getTime()
  );
}

function toReceiverWrite(tally: Tally, now: Date): AnyBulkWriteOperation<WebhookRecord> {
  const { receiver, delivered, failed, lastDeliveredAt, failingSince, cooldownUntil, disabled, lastError } = tally;
  const off = disabled && {
    status: 'inactive' as const,
    disabledAt: now,
    disabledReason: disabled,
    periods: updatePeriods(receiver.periods, [], now),
  };
  return {
    updateOne: {
      filter: { _id: receiver._id, workspaceId: receiver.workspaceId },
      update: {
        $set: { failingSince, cooldownUntil, ...off, ...(lastError && { lastError }) },
        $inc: { 'stats.totalDelivered': delivered, 'stats.totalFailed': failed },
        ...(lastDeliveredAt && { $max: { 'stats.lastDeliveredAt': lastDeliveredAt } }),
      },
      timestamps: false,
    },
  };
}

/** The owner is notified by an event, which other webhooks and the event log carry. */
function toDisabledEvent(
  { receiver, failingSince }: Tally,
  reason: NonNullable<Tally['disabled']>,
  now: Date,
): NewEvent {
  const { _id, name } = receiver;
  return {
    type: 'webhook.disabled',
    dedupeKey: `webhook.disabled:${String(_id)}:${now.getTime()}`,
    about: {},
    data: { webhookId: String(_id), name, reason, failingSince: failingSince?.toISOString() ?? null },
  };
}
