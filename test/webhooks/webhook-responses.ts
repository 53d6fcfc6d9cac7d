import { type EventType } from '@domain/events';

export interface Webhook {
  _id: string;
  workspaceId: string;
  name: string;
  url: string;
  events: EventType[];
  secret: string;
  retryAttempts: number;
  timeoutMs: number;
  status: 'active' | 'inactive';
  createdBy: string;
  createdAt: string;
  updatedAt: string;
}

export interface ListedWebhook extends Webhook {
  stats: { totalDelivered: number; totalFailed: number; lastDeliveredAt: string | null };
}

export interface Delivery {
  _id: string;
  webhookId: string;
  eventId: string;
  event: EventType;
  state: 'pending' | 'delivered' | 'failed';
  attemptCount: number;
  lastStatus: number | null;
  lastError: { code: string; message: string } | null;
  nextAttemptAt: string | null;
  redeliveryRequestedAt: string | null;
  deliveredAt: string | null;
  createdAt: string;
}

export interface DeliveryDetail extends Delivery {
  body: string;
  attempts: {
    at: string;
    trigger: 'automatic' | 'manual';
    durationMs: number;
    status: number | null;
    error: { code: string; message: string } | null;
    response: string;
    truncated: boolean;
  }[];
}

export interface Replay {
  _id: string;
  webhookId: string;
  from: string;
  to: string;
  scope: 'failed' | 'all';
  scheduled: number;
  startedAt: string;
  completedAt: string | null;
}

export interface Health {
  webhookId: string;
  status: 'active' | 'inactive';
  disabledAt: string | null;
  disabledReason: 'person' | 'gone' | 'failing' | null;
  failingSince: string | null;
  cooldownUntil: string | null;
  previousSecretUntil: string | null;
  pending: number;
  oldestPendingAt: string | null;
  nextAttemptAt: string | null;
  lastError: { at: string; status: number | null; code: string; message: string } | null;
  stats: ListedWebhook['stats'];
  replay: Replay | null;
}
