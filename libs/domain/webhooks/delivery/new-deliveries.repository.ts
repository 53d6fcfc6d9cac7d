import { type EventRecord } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { rerunOnWriteConflict } from '@platform/database';
import { type Model, Types } from 'mongoose';
import { WebhookWorkPartitionService } from '../work-partitions/webhook-work-partition.service';
import { WebhookMessagesService } from './webhook-messages.service';
import { WebhookDeliveryRecord } from '../schemas/webhook-delivery.record';

/** An event that a webhook is to be told of. */
export interface NewDeliveryInput {
  readonly event: EventRecord;
  readonly webhookId: Types.ObjectId;
}

type NewDelivery = Omit<WebhookDeliveryRecord, '_id' | 'manualAt'> & { nextAttemptAt: Date };
type Named = Pick<NewDelivery, 'webhookId' | 'eventId'>;

/** Makes deliveries: one for an event and a webhook, however often it is asked for. */
@Injectable()
export class NewDeliveriesRepository {
  constructor(
    @InjectModel(WebhookDeliveryRecord.name) private readonly deliveries: Model<WebhookDeliveryRecord>,
    private readonly messages: WebhookMessagesService,
    private readonly lanes: WebhookWorkPartitionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Makes those that there are none of yet, due now, and plans their lanes. Joins the running transaction; the caller
   * announces the lanes after it.
   * @returns how many were made
   */
  async make(tellings: readonly NewDeliveryInput[]): Promise<number> {
    if (tellings.length === 0) return 0;
    const now = this.clock.now();
    const known = await this.deliveries
      .find(
        { workspaceId: { $in: workspacesOf(tellings) }, eventId: { $in: tellings.map(({ event }) => event._id) } },
        { webhookId: 1, eventId: 1 },
      )
      .setOptions({ allWorkspaces: 'the worker hands on the events of all workspaces' })
      .lean<Named[]>();
    const names = new Set(known.map(nameOf));
    const untold = tellings.filter(({ event, webhookId }) => !names.has(nameOf({ eventId: event._id, webhookId })));
    if (untold.length === 0) return 0;
    const fresh = (await this.messages.written(untold)).map((telling) => deliveryOf(telling, now));
    await rerunOnWriteConflict(() =>
      this.deliveries.insertMany(fresh, { lean: true, ordered: false, timestamps: false }),
    );
    for (const workspaceId of workspacesOf(untold)) {
      const webhookIds = fresh.filter((delivery) => delivery.workspaceId.equals(workspaceId)).map(webhookOf);
      await this.lanes.schedule(workspaceId, webhookIds, now);
    }
    return fresh.length;
  }
}

function deliveryOf({ event, webhookId, body }: NewDeliveryInput & { body: string }, now: Date): NewDelivery {
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

function nameOf({ webhookId, eventId }: Named): string {
  return `${webhookId.toHexString()}/${eventId.toHexString()}`;
}

function webhookOf({ webhookId }: Pick<Named, 'webhookId'>): string {
  return webhookId.toHexString();
}

function workspacesOf(tellings: readonly NewDeliveryInput[]): string[] {
  return [...new Set(tellings.map(({ event }) => event.workspaceId.toHexString()))];
}
