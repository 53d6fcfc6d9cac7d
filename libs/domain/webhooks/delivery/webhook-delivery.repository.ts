import { type EventRecord } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { rerunOnWriteConflict } from '@platform/database';
import { type Model, Types } from 'mongoose';
import { type AttemptTrigger, WebhookDeliveryRecord, type DeliveryState } from '../schemas/webhook-delivery.record';
import { WebhookRecord } from '../schemas/webhook.record';
import { WebhookWorkPartitionService } from '../work-partitions/webhook-work-partition.service';
import { type ReplayScope, type WebhookReplayRecord } from '../schemas/webhook-replay.record';
import { type Receiver, WebhookSenderService } from './webhook-sender.service';

/** A delivery that is due. */
export interface DueDelivery extends Pick<
  WebhookDeliveryRecord,
  '_id' | 'eventId' | 'body' | 'attemptCount' | 'manualAt'
> {
  readonly trigger: AttemptTrigger;
}

/** A webhook that currently accepts deliveries. */
export interface OpenReceiver extends Receiver {
  readonly cooldownUntil: Date | null;
}

const RECEIVER = {
  workspaceId: 1,
  url: 1,
  secret: 1,
  previousSecret: 1,
  previousSecretUntil: 1,
  timeoutMs: 1,
  cooldownUntil: 1,
} as const;

const DUE = { eventId: 1, body: 1, attemptCount: 1, manualAt: 1 } as const;

const SOME_DATE = new Date(0);

/** An event to deliver to a webhook. */
export interface NewDeliveryInput {
  readonly event: EventRecord;
  readonly webhookId: Types.ObjectId;
}

type NewDelivery = Omit<WebhookDeliveryRecord, '_id' | 'manualAt'> & { nextAttemptAt: Date };

type Named = Pick<NewDelivery, 'webhookId' | 'eventId'>;

const REPLAYED_STATES: Readonly<Record<ReplayScope, readonly DeliveryState[]>> = {
  failed: ['failed'],
  all: ['failed', 'delivered'],
};

/** Deliveries of webhooks: the due ones, and those that events and replays create. */
@Injectable()
export class WebhookDeliveryRepository {
  constructor(
    @InjectModel(WebhookRecord.name) private readonly webhooks: Model<WebhookRecord>,
    @InjectModel(WebhookDeliveryRecord.name) private readonly deliveries: Model<WebhookDeliveryRecord>,
    private readonly clock: ClockPort,
    private readonly sender: WebhookSenderService,
    private readonly partitions: WebhookWorkPartitionService,
  ) {}

  /** The active webhook; null when it is inactive or deleted. */
  async findReceiver(workspaceId: string, webhookId: string): Promise<OpenReceiver | null> {
    return this.webhooks.findOne({ _id: webhookId, workspaceId, status: 'active' }, RECEIVER).lean<OpenReceiver>();
  }

  /** Due deliveries, manual ones first, then the oldest. During a cooldown only manual ones are due. */
  async listDue({ _id, workspaceId, cooldownUntil }: OpenReceiver, limit: number): Promise<DueDelivery[]> {
    const now = this.clock.now();
    const by = (field: 'manualAt' | 'nextAttemptAt') =>
      this.deliveries
        .find({ workspaceId, webhookId: _id, [field]: { $gt: SOME_DATE, $lte: now } }, DUE)
        .sort({ [field]: 1 })
        .limit(limit)
        .lean<Omit<DueDelivery, 'trigger'>[]>();
    const isResting = cooldownUntil !== null && cooldownUntil > now;
    const [manual, automatic] = await Promise.all([by('manualAt'), isResting ? [] : by('nextAttemptAt')]);
    const manualIds = new Set(manual.map(({ _id: id }) => id.toHexString()));
    return [
      ...manual.map((delivery) => ({ ...delivery, trigger: 'manual' as const })),
      ...automatic
        .filter(({ _id: id }) => !manualIds.has(id.toHexString()))
        .map((delivery) => ({ ...delivery, trigger: 'automatic' as const })),
    ];
  }

  /** When the next delivery is due, possibly in the past; null when none is or nothing may be sent. */
  async nextAt(workspaceId: string, webhookId: string): Promise<Date | null> {
    const receiver = await this.findReceiver(workspaceId, webhookId);
    if (!receiver) return null;
    const first = async (field: 'manualAt' | 'nextAttemptAt'): Promise<Date[]> => {
      const found = await this.deliveries
        .findOne({ workspaceId, webhookId: new Types.ObjectId(webhookId), [field]: { $gt: SOME_DATE } }, { [field]: 1 })
        .sort({ [field]: 1 })
        .lean<Partial<Record<typeof field, Date>>>();
      const at = found?.[field];
      return at ? [at] : [];
    };
    const [manual, automatic] = await Promise.all([first('manualAt'), first('nextAttemptAt')]);
    const cooldown = receiver.cooldownUntil?.getTime() ?? 0;
    const times = [...manual.map(Number), ...automatic.map((at) => Math.max(at.getTime(), cooldown))];
    return times.length === 0 ? null : new Date(Math.min(...times));
  }

  /**
   * Creates the missing deliveries, due now, and schedules their partitions: one delivery per event and webhook.
   * Joins the running transaction; the caller enqueues the partitions after it.
   * @returns the number of created records
   */
  async create(inputs: readonly NewDeliveryInput[]): Promise<number> {
    if (inputs.length === 0) return 0;
    const now = this.clock.now();
    const known = await this.deliveries
      .find(
        { workspaceId: { $in: listWorkspaceIds(inputs) }, eventId: { $in: inputs.map(({ event }) => event._id) } },
        { webhookId: 1, eventId: 1 },
      )
      .setOptions({ allWorkspaces: 'the worker relays the events of all workspaces' })
      .lean<Named[]>();
    const names = new Set(known.map(getEventKey));
    const missing = inputs.filter(({ event, webhookId }) => !names.has(getEventKey({ eventId: event._id, webhookId })));
    if (missing.length === 0) return 0;
    const fresh = (await this.sender.composeBodies(missing)).map((input) => toNewDelivery(input, now));
    await rerunOnWriteConflict(() =>
      this.deliveries.insertMany(fresh, { lean: true, ordered: false, timestamps: false }),
    );
    for (const workspaceId of listWorkspaceIds(missing)) {
      const webhookIds = fresh.filter((delivery) => delivery.workspaceId.equals(workspaceId)).map(getWebhookId);
      await this.partitions.schedule(workspaceId, webhookIds, now);
    }
    return fresh.length;
  }

  /**
   * Restarts ended deliveries with the same body, keeping their attempts, and creates the missing ones. Pending
   * deliveries stay as they are. Joins the running transaction; the caller enqueues the partition after it.
   * @returns the number of started deliveries
   */
  async createForReplay(
    { _id: webhookId, workspaceId }: Pick<WebhookReplayRecord, '_id' | 'workspaceId'>,
    events: readonly EventRecord[],
    scope: ReplayScope,
  ): Promise<number> {
    if (events.length === 0) return 0;
    const made = await this.create(events.map((event) => ({ event, webhookId })));
    const nextAttemptAt = this.clock.now();
    const { modifiedCount } = await this.deliveries.updateMany(
      {
        workspaceId,
        webhookId,
        eventId: { $in: events.map(({ _id }) => _id) },
        state: { $in: [...REPLAYED_STATES[scope]] },
        body: { $ne: '' }, // an erased delivery has nothing to send
      },
      { $set: { state: 'pending', attemptsMade: 0, nextAttemptAt } },
    );
    if (modifiedCount > 0)
      await this.partitions.schedule(workspaceId.toHexString(), [webhookId.toHexString()], nextAttemptAt);
    return made + modifiedCount;
  }
}

function toNewDelivery({ event, webhookId, body }: NewDeliveryInput & { body: string }, now: Date): NewDelivery {
  const { _id, workspaceId, type, leadId } = event;
  return {
    workspaceId,
    webhookId,
    eventId: _id,
    type,
    leadId: leadId ?? null,
    body,
    state: 'pending',
    attemptsMade: 0,
    attemptCount: 0,
    nextAttemptAt: now,
    attempts: [],
    deliveredAt: null,
    countedAs: null,
    createdAt: now,
  };
}

function getEventKey({ webhookId, eventId }: Named): string {
  return `${webhookId.toHexString()}/${eventId.toHexString()}`;
}

function getWebhookId({ webhookId }: Pick<Named, 'webhookId'>): string {
  return webhookId.toHexString();
}

function listWorkspaceIds(inputs: readonly NewDeliveryInput[]): string[] {
  return [...new Set(inputs.map(({ event }) => event.workspaceId.toHexString()))];
}
