import { AuditModule } from '@domain/audit';
import { CampaignsModule } from '@domain/campaigns';
import { EventsModule } from '@domain/events';
import { WorkspacesModule } from '@domain/identity';
import { MailboxesModule } from '@domain/mailboxes';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { OutboundModule } from '@platform/outbound';
import { WebhookDeliveryOutcomeRepository } from './delivery/webhook-delivery-outcome.repository';
import { WebhookDeliveryRepository } from './delivery/webhook-delivery.repository';
import { WebhookDeliveryService } from './delivery/webhook-delivery.service';
import { WebhookSenderService } from './delivery/webhook-sender.service';
import { WebhookEventListener } from './fan-out/webhook-event.listener';
import { WebhookWorkQueue } from './work-partitions/webhook-work.queue';
import { WebhookWorkPartitionService } from './work-partitions/webhook-work-partition.service';
import { WebhookHealthService } from './webhook-health.service';
import { WebhookReplayService } from './webhook-replay.service';
import { WebhookDeliveriesService } from './webhook-deliveries.service';
import { WebhookErasureService } from './webhook-erasure.service';
import { WebhookOperatorService } from './webhook-operator.service';
import { WebhookReplayQueue } from './webhook-replay.queue';
import { WebhookSecretListener } from './webhook-secret.listener';
import { WebhooksService } from './webhooks.service';
import { WebhookDeliveryRecord } from './schemas/webhook-delivery.record';
import { WebhookWorkPartitionRecord } from './schemas/webhook-work-partition.record';
import { WebhookReplayRecord } from './schemas/webhook-replay.record';
import { WebhookRecord } from './schemas/webhook.record';

const offered = [
  WebhookWorkPartitionService,
  WebhookDeliveryService,
  WebhooksService,
  WebhookDeliveriesService,
  WebhookHealthService,
  WebhookReplayService,
  WebhookErasureService,
  WebhookOperatorService,
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
    WebhookDeliveryRepository,
    WebhookSenderService,
    WebhookEventListener,
    WebhookDeliveryOutcomeRepository,
    WebhookReplayQueue,
    WebhookSecretListener,
  ],
  exports: offered,
})
export class WebhooksModule {}
