import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { MetricsService } from '@platform/observability';
import { Types } from 'mongoose';
import { type WorkPartitionLease } from '../work-partitions/webhook-partition-lease';
import { type RunWebhookPartition } from '../work-partitions/webhook-work.queue';
import { WebhookWorkPartitionService } from '../work-partitions/webhook-work-partition.service';
import { WebhookDeliveryOutcomeRepository } from './webhook-delivery-outcome.repository';
import { type DueDelivery, type OpenReceiver, WebhookDeliveryRepository } from './webhook-delivery.repository';
import { WebhookDeliveryWindow } from './webhook-delivery-window';
import { type SentAttempt, WebhookSenderService } from './webhook-sender.service';

/** Lease time, renewed several times within it: the delay after a worker crash. */
const LEASE_MS = 20_000;
const RENEW_MS = 5_000;
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

  /** No effect while another worker holds the lease. `signal` also aborts open requests. */
  async run({ webhookId }: RunWebhookPartition, signal: AbortSignal): Promise<void> {
    const lease = await this.partitions.acquire(webhookId, LEASE_MS);
    if (!lease) return;
    const { workspaceId } = lease;
    if (!(await this.workspaces.filterAlive([workspaceId])).has(workspaceId)) {
      // It may be restored; waiting work then continues.
      await this.partitions.complete(lease, this.clock.in(DELETED_WORKSPACE_RETRY_MS));
      return;
    }
    await this.#deliver(lease, signal);
    await this.partitions.complete(lease, await this.deliveries.nextAt(workspaceId, webhookId));
  }

  async #deliver(lease: WorkPartitionLease, signal: AbortSignal): Promise<void> {
    const { workspaceId, webhookId } = lease;
    const until = performance.now() + RUN_MS;
    let isLost = false;
    const renewing = setInterval(() => {
      void this.partitions
        .renew(lease, LEASE_MS)
        .catch(() => false)
        .then((isHeld) => (isLost ||= !isHeld));
    }, RENEW_MS);
    try {
      await new WebhookDeliveryWindow({
        receiver: () => this.deliveries.findReceiver(workspaceId, webhookId),
        due: (receiver, limit) => this.deliveries.listDue(receiver, limit),
        send: (receiver, delivery) => this.#send(receiver, delivery, signal),
        record: (delivery, made) => this.#record(lease, delivery, made),
        isOver: () => isLost || signal.aborted || performance.now() > until,
      }).run();
    } finally {
      clearInterval(renewing);
    }
  }

  async #send(receiver: OpenReceiver, delivery: DueDelivery, signal: AbortSignal): Promise<SentAttempt> {
    const { eventId, body, trigger } = delivery;
    const made = await this.sender.send(receiver, { id: eventId.toHexString(), body }, trigger, signal);
    this.metrics.webhookAttempts.observe({ outcome: getAttemptOutcome(made) }, made.attempt.durationMs / 1_000);
    return made;
  }

  async #record({ webhookId }: WorkPartitionLease, delivery: DueDelivery, made: SentAttempt): Promise<void> {
    const { _id: deliveryId, manualAt = null } = delivery;
    await this.outcomes.record({ deliveryId, webhookId: new Types.ObjectId(webhookId), made, manualAt });
  }
}

function getAttemptOutcome({ verdict: { accepted, status } }: SentAttempt): string {
  if (accepted) return 'accepted';
  return status === null ? 'unanswered' : 'refused';
}
