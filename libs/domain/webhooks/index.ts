export { LaneTurns } from './delivery/lane.turns.service';
export { WebhookHealthResponse, ReplayResponse } from './dto/webhook-health.dto';
export { DeliveryDetailResponse, DeliveryResponse, WebhookTestResponse } from './dto/webhook-delivery.dto';
export { ListedWebhookResponse, WebhookResponse } from './dto/webhook.dto';
export { WEBHOOK_EXAMPLES } from './dto/webhook.examples';
export {
  CreateWebhookRequest,
  DeliveryQuery,
  ReplayWebhookRequest,
  TestWebhookRequest,
  UpdateWebhookRequest,
} from './dto/webhook.requests';
export { type WebhookLane } from './lanes/lanes.queue';
export { Lanes } from './lanes/lanes.service';
export { DisabledWebhooks } from './manage/disabled.webhooks.service';
export { ReplayRuns } from './manage/replay.runs.service';
export { WebhookDeliveries } from './manage/webhook.deliveries.service';
export { WebhookErasure } from './manage/webhook.erasure.service';
export { WebhookOversight } from './manage/webhook.oversight.service';
export { WebhookRecount } from './manage/webhook.recount.service';
export { WebhookRedelivery } from './manage/webhook.redelivery.service';
export { type ReplayWebhook } from './manage/webhook.replays.queue';
export { WebhookReplays } from './manage/webhook.replays.service';
export { WebhookCreation } from './manage/webhooks.creation.service';
export { WebhookDeletion } from './manage/webhooks.deletion.service';
export { WebhookHealth } from './manage/webhooks.health.service';
export { WebhookRotation } from './manage/webhooks.rotation.service';
export { WebhooksService } from './manage/webhooks.service';
export { WebhookTest } from './manage/webhooks.test.service';
export { WebhookUpdate } from './manage/webhooks.update.service';
export { messageSchema } from './message/message.shape';
export { sampleEvent } from './message/sample.event';
export { WebhooksModule } from './webhooks.module';
