export { WebhookDeliveryService } from './delivery/webhook-delivery.service';
export { WebhookHealthResponse, ReplayResponse } from './dto/webhook-health.dto';
export { DeliveryDetailResponse, DeliveryResponse, WebhookTestResponse } from './dto/webhook-delivery.dto';
export { ListedWebhookResponse, WebhookResponse } from './dto/webhook.dto';
export { WEBHOOK_EXAMPLES } from './dto/webhook-examples';
export {
  CreateWebhookRequest,
  DeliveryQuery,
  ReplayWebhookRequest,
  TestWebhookRequest,
  UpdateWebhookRequest,
} from './dto/webhook-requests.dto';
export { WebhookWorkPartitionService } from './work-partitions/webhook-work-partition.service';
export { WebhookHealthService } from './webhook-health.service';
export { WebhookReplayService } from './webhook-replay.service';
export { WebhookDeliveriesService } from './webhook-deliveries.service';
export { WebhookErasureService } from './webhook-erasure.service';
export { WebhookOperatorService } from './webhook-operator.service';
export { type ReplayWebhook } from './webhook-replay.queue';
export { WebhooksService } from './webhooks.service';
export { getMessageSchema } from './message/message-shape';
export { createSampleEvent } from './message/sample-event';
export { WebhooksModule } from './webhooks.module';
export { WEBHOOKS_PERSONAL_DATA } from './webhook-personal-data';
