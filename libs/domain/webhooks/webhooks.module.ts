import { AuditModule } from '@domain/audit';
import { CampaignsModule } from '@domain/campaigns';
import { EventsModule } from '@domain/events';
import { MailboxesModule } from '@domain/mailboxes';
import { WorkspacesModule } from '@domain/identity';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { OutboundModule } from '@platform/outbound';
import { WebhookDeliveryOutcomeService } from './delivery/webhook-delivery-outcome.service';
import { WebhookDeliveryRepository } from './delivery/webhook-delivery.repository';
import { WebhookDeliveryService } from './delivery/webhook-delivery.service';
import { WebhookSenderService } from './delivery/webhook-sender.service';
import { NewDeliveriesRepository } from './delivery/new-deliveries.repository';
import { WebhookEventListener } from './fan-out/webhook-event.listener';
import { WebhookWorkQueue } from './work-partitions/webhook-work.queue';
import { WebhookWorkPartitionService } from './work-partitions/webhook-work-partition.service';
import { DisabledWebhooksService } from './disabled-webhooks.service';
import { ReplayDeliveriesRepository } from './delivery/replay-deliveries.repository';
import { ReplayRunsService } from './replay-runs.service';
import { ReplayStepsService } from './replay-steps.service';
import { WebhookDeliveriesService } from './webhook-deliveries.service';
import { WebhookErasureService } from './webhook-erasure.service';
import { WebhookOperatorService } from './webhook-operator.service';
import { WebhookRecountService } from './webhook-recount.service';
import { WebhookRedeliveryService } from './webhook-redelivery.service';
import { WebhookReplayQueue } from './webhook-replay.queue';
import { WebhookReplayService } from './webhook-replay.service';
import { WebhookSecretListener } from './webhook-secret.listener';
import { WebhookCreationService } from './webhook-creation.service';
import { WebhookDeletionService } from './webhook-deletion.service';
import { WebhookHealthService } from './webhook-health.service';
import { WebhookRotationService } from './webhook-rotation.service';
import { WebhooksService } from './webhooks.service';
import { WebhookTestService } from './webhook-test.service';
import { WebhookUpdateService } from './webhook-update.service';
import { WebhookMessagesService } from './delivery/webhook-messages.service';
import { WebhookDeliveryRecord } from './schemas/webhook-delivery.record';
import { WebhookWorkPartitionRecord } from './schemas/webhook-work-partition.record';
import { WebhookReplayRecord } from './schemas/webhook-replay.record';
import { WebhookRecord } from './schemas/webhook.record';

const offered = [
  WebhookWorkPartitionService,
  WebhookDeliveryService,
  WebhooksService,
  WebhookCreationService,
  WebhookUpdateService,
  WebhookDeletionService,
  WebhookRotationService,
  WebhookTestService,
  WebhookHealthService,
  WebhookDeliveriesService,
  WebhookRedeliveryService,
  WebhookReplayService,
  ReplayRunsService,
  DisabledWebhooksService,
  WebhookErasureService,
  WebhookOperatorService,
  WebhookRecountService,
];

@Module({
  imports: [
    DatabaseModule.collections(WebhookRecord, WebhookWorkPartitionRecord, WebhookDeliveryRecord, WebhookReplayRecord),
    EventsModule,
    CampaignsModule,
    MailboxesModule,
    AuditModule,
    WorkspacesModule,
    OutboundModule,
  ],
  providers: [
    ...offered,
    WebhookWorkQueue,
    NewDeliveriesRepository,
    WebhookMessagesService,
    WebhookEventListener,
    WebhookSenderService,
    WebhookDeliveryRepository,
    WebhookDeliveryOutcomeService,
    WebhookReplayQueue,
    ReplayStepsService,
    ReplayDeliveriesRepository,
    WebhookSecretListener,
  ],
  exports: offered,
})
export class WebhooksModule {}
