import { WorkspaceEntryRepository } from '@domain/workspaces';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { MetricsService } from '@platform/observability';
import { Types } from 'mongoose';
import { type Lane } from '../lanes/lane';
import { type WebhookLane } from '../lanes/lanes.queue';
import { Lanes } from '../lanes/lanes.service';
import { DeliveryOutcomes } from './delivery.outcomes.service';
import { type DueDelivery, DueDeliveries, type OpenReceiver } from './due.deliveries.service';
import { LaneRun } from './lane.run';
import { type MadeNow, WebhookSender } from './webhook.sender.service';

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
export class LaneTurns {
  constructor(
    private readonly lanes: Lanes,
    private readonly deliveries: DueDeliveries,
    private readonly sender: WebhookSender,
    private readonly outcomes: DeliveryOutcomes,
    private readonly workspaces: WorkspaceEntryRepository,
    private readonly metrics: MetricsService,
    private readonly clock: ClockPort,
  ) {}

  /** Without effect while another worker delivers to it. `signal` ends requests that are under way as well. */
  async run({ webhookId }: WebhookLane, signal: AbortSignal): Promise<void> {
    const lane = await this.lanes.take(webhookId, LEASE_MS);
    if (!lane) return;
    const { workspaceId } = lane;
    if (!(await this.workspaces.alive([workspaceId])).has(workspaceId)) {
      // It may be restored; what waits goes on then.
      await this.lanes.end(lane, this.clock.in(DELETED_MS));
      return;
    }
    await this.#deliver(lane, signal);
    await this.lanes.end(lane, await this.deliveries.nextAt(workspaceId, webhookId));
  }

  async #deliver(lane: Lane, signal: AbortSignal): Promise<void> {
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
      await new LaneRun({
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

  async #record({ webhookId }: Lane, delivery: DueDelivery, made: MadeNow): Promise<void> {
    const { _id: deliveryId, manualAt = null } = delivery;
    await this.outcomes.record({ deliveryId, webhookId: new Types.ObjectId(webhookId), made, manualAt });
  }
}

function outcomeOf({ verdict: { accepted, status } }: MadeNow): string {
  if (accepted) return 'accepted';
  return status === null ? 'unanswered' : 'refused';
}
