import {
  type CreateWebhookRequest,
  type ReplayWebhookRequest,
  type TestWebhookRequest,
  type UpdateWebhookRequest,
} from './webhook-requests.dto';

/** Example bodies for the API documentation. */
export const WEBHOOK_EXAMPLES: {
  create: CreateWebhookRequest;
  update: UpdateWebhookRequest;
  test: TestWebhookRequest;
  replay: ReplayWebhookRequest;
} = {
  create: {
    name: 'CRM',
    url: 'https://crm.example.com/hooks/outreach',
    events: ['email.replied', 'email.positive_reply', 'email.unsubscribed'],
    retryAttempts: 5,
    timeoutMs: 10_000,
  },
  update: { events: ['email.replied'], status: 'active' },
  test: { event: 'email.replied' },
  replay: { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z', scope: 'failed' },
};
