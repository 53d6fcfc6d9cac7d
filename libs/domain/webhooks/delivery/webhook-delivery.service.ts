import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { MetricsService } from '@platform/observability';
import { type RunWorkPartition } from '@platform/work-partitions';
import { Types } from 'mongoose';
import { WebhookWorkPartitionService } from '../work-partitions/webhook-work-partition.service';
import { WebhookDeliveryOutcomeRepository } from './webhook-delivery-outcome.repository';
import { type DueDelivery, type OpenReceiver, WebhookDeliveryRepository } from './webhook-delivery.repository';
import { WebhookDeliveryWindow } from './webhook-delivery-window';
import { type SentAttempt, WebhookSenderService } from './webhook-sender.service';

/** Maximum time of one run, so that other webhooks are not starved. */
const RUN_MS = 30_000;
/** How soon a deleted workspace is checked again: it may be restored. */
const DELETED_WORKSPACE_RETRY_MS = 600_000;

/**
 * Delivers the due events of a webhook, one worker at a time, under a lease. If a worker crashes, the next one
 * repeats its open attempts (at least once).
 */
@Injectable()
export class WebhookDeliveryService {
  constructor(
    private readonly partitions: WebhookWorkPartitionService,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly sender: WebhookSenderService,
    private readonly outcomes: WebhookDeliveryOutcomeRepository,
    private readonly workspaces: WorkspaceRepository,
    private readonly metrics: MetricsService,
    private readonly clock: ClockPort,
  ) {}

  /** No effect while another worker holds the lease. `stopping` also aborts open requests. */
  async run({ partitionId }: RunWorkPartition, stopping: AbortSignal): Promise<void> {
    await this.partitions.run(partitionId, stopping, async ({ workspaceId }, signal) => {
      if (!(await this.workspaces.filterAlive([workspaceId])).has(workspaceId)) {
        // It may be restored; waiting work then continues.
        return this.clock.in(DELETED_WORKSPACE_RETRY_MS);
      }
      const until = performance.now() + RUN_MS;
      await new WebhookDeliveryWindow({
        receiver: () => this.deliveries.findReceiver(workspaceId, partitionId),
        due: (receiver, limit) => this.deliveries.listDue(receiver, limit),
        // The receiver may have an open request already: its answer counts also after the loss of the lease.
        send: (receiver, delivery) => this.#send(receiver, delivery, stopping),
        record: (delivery, made) => this.#record(partitionId, delivery, made),
        isOver: () => signal.aborted || performance.now() > until,
      }).run();
      return this.deliveries.nextAt(workspaceId, partitionId);
    });
  }

  async #send(receiver: OpenReceiver, delivery: DueDelivery, signal: AbortSignal): Promise<SentAttempt> {
    const { eventId, body, trigger } = delivery;
    const made = await this.sender.send(receiver, { id: eventId.toHexString(), body }, trigger, signal);
    this.metrics.webhookAttempts.observe({ outcome: getAttemptOutcome(made) }, made.attempt.durationMs / 1_000);
    return made;
  }

  async #record(webhookId: string, delivery: DueDelivery, made: SentAttempt): Promise<void> {
    const { _id: deliveryId, manualAt = null } = delivery;
    await this.outcomes.record({ deliveryId, webhookId: new Types.ObjectId(webhookId), made, manualAt });
  }
}

function getAttemptOutcome({ verdict: { accepted, status } }: SentAttempt): string {
  if (accepted) return 'accepted';
  return status === null ? 'unanswered' : 'refused';
}
