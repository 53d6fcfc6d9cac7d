import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Model, Types } from 'mongoose';
import { type AttemptTrigger, WebhookDeliveryRecord } from '../schemas/webhook-delivery.record';
import { WebhookRecord } from '../schemas/webhook.record';
import { type Receiver } from './webhook-sender.service';

/** A delivery that an attempt is to be made of. */
export interface DueDelivery extends Pick<
  WebhookDeliveryRecord,
  '_id' | 'eventId' | 'body' | 'attemptCount' | 'manualAt'
> {
  readonly trigger: AttemptTrigger;
}

/** A webhook that something may be sent to, as it is right now. */
export interface OpenReceiver extends Receiver {
  readonly restUntil: Date | null;
}

const RECEIVER = {
  workspaceId: 1,
  url: 1,
  secret: 1,
  formerSecret: 1,
  formerSecretUntil: 1,
  timeoutMs: 1,
  restUntil: 1,
} as const;
const DUE = { eventId: 1, body: 1, attemptCount: 1, manualAt: 1 } as const;
const SOME_DATE = new Date(0);

/** What is due to one webhook, and when something will be. */
@Injectable()
export class WebhookDeliveryRepository {
  constructor(
    @InjectModel(WebhookRecord.name) private readonly webhooks: Model<WebhookRecord>,
    @InjectModel(WebhookDeliveryRecord.name) private readonly deliveries: Model<WebhookDeliveryRecord>,
    private readonly clock: ClockPort,
  ) {}

  /** null when nothing may be sent to it: it is inactive, or deleted. */
  async receiver(workspaceId: string, webhookId: string): Promise<OpenReceiver | null> {
    return this.webhooks.findOne({ _id: webhookId, workspaceId, status: 'active' }, RECEIVER).lean<OpenReceiver>();
  }

  /** Due now, what persons asked for first, then what has waited longest. A webhook that rests gets only what they asked for. */
  async due({ _id, workspaceId, restUntil }: OpenReceiver, limit: number): Promise<DueDelivery[]> {
    const now = this.clock.now();
    const by = (field: 'manualAt' | 'nextAttemptAt') =>
      this.deliveries
        .find({ workspaceId, webhookId: _id, [field]: { $gt: SOME_DATE, $lte: now } }, DUE)
        .sort({ [field]: 1 })
        .limit(limit)
        .lean<Omit<DueDelivery, 'trigger'>[]>();
    const isResting = restUntil !== null && restUntil > now;
    const [manual, automatic] = await Promise.all([by('manualAt'), isResting ? [] : by('nextAttemptAt')]);
    const asked = new Set(manual.map(({ _id: id }) => id.toHexString()));
    return [
      ...manual.map((delivery) => ({ ...delivery, trigger: 'manual' as const })),
      ...automatic
        .filter(({ _id: id }) => !asked.has(id.toHexString()))
        .map((delivery) => ({ ...delivery, trigger: 'automatic' as const })),
    ];
  }

  /** When something is due next, in the past if it is by now; null while nothing is, or nothing may be sent. */
  async nextAt(workspaceId: string, webhookId: string): Promise<Date | null> {
    const receiver = await this.receiver(workspaceId, webhookId);
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
    const rest = receiver.restUntil?.getTime() ?? 0;
    const times = [...manual.map(Number), ...automatic.map((at) => Math.max(at.getTime(), rest))];
    return times.length === 0 ? null : new Date(Math.min(...times));
  }
}
