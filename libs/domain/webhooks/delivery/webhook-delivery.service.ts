import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { MetricsService } from '@platform/observability';
import { Types } from 'mongoose';
import { type WorkPartitionLease } from '../work-partitions/webhook-partition-lease';
import { type RunWebhookPartition } from '../work-partitions/webhook-work.queue';
import { WebhookWorkPartitionService } from '../work-partitions/webhook-work-partition.service';
import { WebhookDeliveryOutcomeService } from './webhook-delivery-outcome.service';
import { type DueDelivery, type OpenReceiver, WebhookDeliveryRepository } from './webhook-delivery.repository';
import { WebhookDeliveryWindow } from './webhook-delivery-window';
import { type MadeNow, WebhookSenderService } from './webhook-sender.service';

/** A lane is held for so long, renewed several times in that time: what a worker had that dies is late by so much. */
const LEASE_MS = 20_000;
const RENEW_MS = 5_000;
/** Then other webhooks have their turn, in case many wait. */
const TURN_MS = 30_000;
/** How soon is looked again whether a workspace that was deleted is there again. */
const DELETED_MS = 600_000;

/**
 * Delivers what is due to a webhook: one worker at a time, by a lease. A worker that dies leaves what it had under way as it
 * was: the next one makes the attempt again (at least once).
 */
@Injectable()
export class WebhookDeliveryService {
  constructor(
    private readonly lanes: WebhookWorkPartitionService,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly sender: WebhookSenderService,
    private readonly outcomes: WebhookDeliveryOutcomeService,
    private readonly workspaces: WorkspaceRepository,
    private readonly metrics: MetricsService,
    private readonly clock: ClockPort,
  ) {}

  /** Without effect while another worker delivers to it. `signal` ends requests that are under way as well. */
  async run({ webhookId }: RunWebhookPartition, signal: AbortSignal): Promise<void> {
    const lane = await this.lanes.acquire(webhookId, LEASE_MS);
    if (!lane) return;
    const { workspaceId } = lane;
    if (!(await this.workspaces.filterAlive([workspaceId])).has(workspaceId)) {
      // It may be restored; what waits goes on then.
      await this.lanes.complete(lane, this.clock.in(DELETED_MS));
      return;
    }
    await this.#deliver(lane, signal);
    await this.lanes.complete(lane, await this.deliveries.nextAt(workspaceId, webhookId));
  }

  async #deliver(lane: WorkPartitionLease, signal: AbortSignal): Promise<void> {
    const { workspaceId, webhookId } = lane;
    const until = performance.now() + TURN_MS;
    let isLost = false;
    const renewing = setInterval(() => {
      void this.lanes
        .renew(lane, LEASE_MS)
        .catch(() => false)
        .then((isHeld) => (isLost ||= !isHeld));
    }, RENEW_MS);
    try {
      await new WebhookDeliveryWindow({
        receiver: () => this.deliveries.receiver(workspaceId, webhookId),
        due: (receiver, limit) => this.deliveries.due(receiver, limit),
        send: (receiver, delivery) => this.#send(receiver, delivery, signal),
        record: (delivery, made) => this.#record(lane, delivery, made),
        over: () => isLost || signal.aborted || performance.now() > until,
      }).run();
    } finally {
      clearInterval(renewing);
    }
  }

  async #send(receiver: OpenReceiver, delivery: DueDelivery, signal: AbortSignal): Promise<MadeNow> {
    const { eventId, body, trigger } = delivery;
    const made = await this.sender.send(receiver, { id: eventId.toHexString(), body }, trigger, signal);
    this.metrics.webhookAttempts.observe({ outcome: outcomeOf(made) }, made.attempt.durationMs / 1_000);
    return made;
  }

  async #record({ webhookId }: WorkPartitionLease, delivery: DueDelivery, made: MadeNow): Promise<void> {
    const { _id: deliveryId, manualAt = null } = delivery;
    await this.outcomes.record({ deliveryId, webhookId: new Types.ObjectId(webhookId), made, manualAt });
  }
}

function outcomeOf({ verdict: { accepted, status } }: MadeNow): string {
  if (accepted) return 'accepted';
  return status === null ? 'unanswered' : 'refused';
}
