import { AuditModule } from '@domain/audit';
import { CampaignsModule } from '@domain/campaigns';
import { EventsModule } from '@domain/events';
import { MailboxesModule } from '@domain/mailboxes';
import { WorkspacesModule } from '@domain/workspaces';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { OutboundModule } from '@platform/outbound';
import { DeliveryOutcomes } from './delivery/delivery.outcomes.service';
import { DueDeliveries } from './delivery/due.deliveries.service';
import { LaneTurns } from './delivery/lane.turns.service';
import { WebhookSender } from './delivery/webhook.sender.service';
import { NewDeliveries } from './fan-out/new.deliveries.service';
import { WebhookFanOut } from './fan-out/webhook.fan-out.service';
import { LaneQueue } from './lanes/lanes.queue';
import { Lanes } from './lanes/lanes.service';
import { DisabledWebhooks } from './manage/disabled.webhooks.service';
import { ReplayDeliveries } from './manage/replay.deliveries.service';
import { ReplayRuns } from './manage/replay.runs.service';
import { ReplaySteps } from './manage/replay.steps.service';
import { WebhookDeliveries } from './manage/webhook.deliveries.service';
import { WebhookErasure } from './manage/webhook.erasure.service';
import { WebhookOversight } from './manage/webhook.oversight.service';
import { WebhookRecount } from './manage/webhook.recount.service';
import { WebhookRedelivery } from './manage/webhook.redelivery.service';
import { ReplayQueue } from './manage/webhook.replays.queue';
import { WebhookReplays } from './manage/webhook.replays.service';
import { WebhookSealed } from './manage/webhook.sealed';
import { WebhookCreation } from './manage/webhooks.creation.service';
import { WebhookDeletion } from './manage/webhooks.deletion.service';
import { WebhookHealth } from './manage/webhooks.health.service';
import { WebhookRotation } from './manage/webhooks.rotation.service';
import { WebhooksService } from './manage/webhooks.service';
import { WebhookTest } from './manage/webhooks.test.service';
import { WebhookUpdate } from './manage/webhooks.update.service';
import { WebhookMessages } from './message/webhook.messages.service';
import { WebhookDeliveryRecord } from './schemas/webhook-delivery.record';
import { WebhookLaneRecord } from './schemas/webhook-lane.record';
import { WebhookReplayRecord } from './schemas/webhook-replay.record';
import { WebhookRecord } from './schemas/webhook.record';

const offered = [
  Lanes,
  LaneTurns,
  WebhooksService,
  WebhookCreation,
  WebhookUpdate,
  WebhookDeletion,
  WebhookRotation,
  WebhookTest,
  WebhookHealth,
  WebhookDeliveries,
  WebhookRedelivery,
  WebhookReplays,
  ReplayRuns,
  DisabledWebhooks,
  WebhookErasure,
  WebhookOversight,
  WebhookRecount,
];

@Module({
  imports: [
    DatabaseModule.collections(WebhookRecord, WebhookLaneRecord, WebhookDeliveryRecord, WebhookReplayRecord),
    EventsModule,
    CampaignsModule,
    MailboxesModule,
    AuditModule,
    WorkspacesModule,
    OutboundModule,
  ],
  providers: [
    ...offered,
    LaneQueue,
    NewDeliveries,
    WebhookMessages,
    WebhookFanOut,
    WebhookSender,
    DueDeliveries,
    DeliveryOutcomes,
    ReplayQueue,
    ReplaySteps,
    ReplayDeliveries,
    WebhookSealed,
  ],
  exports: offered,
})
export class WebhooksModule {}
