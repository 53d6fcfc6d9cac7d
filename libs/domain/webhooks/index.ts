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
export { type RunWebhookPartition } from './work-partitions/webhook-work.queue';
export { WebhookWorkPartitionService } from './work-partitions/webhook-work-partition.service';
export { DisabledWebhooksService } from './disabled-webhooks.service';
export { ReplayRunsService } from './replay-runs.service';
export { WebhookDeliveriesService } from './webhook-deliveries.service';
export { WebhookErasureService } from './webhook-erasure.service';
export { WebhookOperatorService } from './webhook-operator.service';
export { WebhookRecountService } from './webhook-recount.service';
export { WebhookRedeliveryService } from './webhook-redelivery.service';
export { type ReplayWebhook } from './webhook-replay.queue';
export { WebhookReplayService } from './webhook-replay.service';
export { WebhookCreationService } from './webhook-creation.service';
export { WebhookDeletionService } from './webhook-deletion.service';
export { WebhookHealthService } from './webhook-health.service';
export { WebhookRotationService } from './webhook-rotation.service';
export { WebhooksService } from './webhooks.service';
export { WebhookTestService } from './webhook-test.service';
export { WebhookUpdateService } from './webhook-update.service';
export { messageSchema } from './message/message-shape';
export { sampleEvent } from './message/sample-event';
export { WebhooksModule } from './webhooks.module';
