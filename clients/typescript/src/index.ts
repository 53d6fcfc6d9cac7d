export { createOutreach, type Outreach } from './outreach.ts';
export { type CallOptions, type Listing, type OutreachOptions, type Page } from './call-types.ts';
export { ApiError, type ApiErrorCode, ConnectionError, type ErrorDetail, OutreachError } from './errors.ts';
export { type SignedMessage, verifyWebhook, WebhookSignatureError } from './webhooks.ts';
export { type ErrorCode, type WebhookMessage } from './generated/operations.gen.ts';
/** The schemas of the API: `api.CampaignResponse`, `api.CreateCampaignRequest`. */
export type * as api from './generated/types.gen.ts';
