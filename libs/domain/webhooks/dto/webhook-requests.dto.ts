import { EVENT_TYPES, type EventType } from '@domain/events';
import {
  InstantField,
  IntegerField,
  NameField,
  OneOfField,
  OneOfListField,
  PageQuery,
  UrlField,
} from '@platform/validation';
import { MAX_RETRIES } from '../delivery/delivery-schedule';
import { REPLAY_SCOPES, type ReplayScope } from '../schemas/webhook-replay.record';
import { DELIVERY_STATES, type DeliveryState } from '../schemas/webhook-delivery.record';
import { WEBHOOK_STATUSES, type WebhookStatus } from '../schemas/webhook.record';

const MAX_URL = 2_048;
const DEFAULT_RETRIES = 5;
const DEFAULT_TIMEOUT_MS = 10_000;
const LEAST_TIMEOUT_MS = 1_000;
const MOST_TIMEOUT_MS = 30_000;

const URL = 'http or https, without user name and password. It must not resolve to a private network.';
const EVENTS = 'The events to which it subscribes.';
const RETRIES = 'Retries after the first attempt.';
const TIMEOUT = 'Maximum time for a response in milliseconds.';

export class CreateWebhookRequest {
  @NameField({ about: 'For people.' })
  name!: string;

  @UrlField({ max: MAX_URL, about: URL })
  url!: string;

  @OneOfListField(EVENT_TYPES, { about: EVENTS })
  events!: EventType[];

  @IntegerField({ min: 0, max: MAX_RETRIES, default: DEFAULT_RETRIES, optional: true, about: RETRIES })
  retryAttempts: number = DEFAULT_RETRIES;

  @IntegerField({
    min: LEAST_TIMEOUT_MS,
    max: MOST_TIMEOUT_MS,
    default: DEFAULT_TIMEOUT_MS,
    optional: true,
    about: TIMEOUT,
  })
  timeoutMs: number = DEFAULT_TIMEOUT_MS;
}

/** Omitted fields stay as they are. */
export class UpdateWebhookRequest {
  @NameField({ optional: true })
  name?: string;

  @UrlField({ max: MAX_URL, optional: true, about: URL })
  url?: string;

  @OneOfListField(EVENT_TYPES, { optional: true, about: 'The events to which it subscribes from now on.' })
  events?: EventType[];

  @IntegerField({ min: 0, max: MAX_RETRIES, optional: true, about: RETRIES })
  retryAttempts?: number;

  @IntegerField({ min: LEAST_TIMEOUT_MS, max: MOST_TIMEOUT_MS, optional: true, about: TIMEOUT })
  timeoutMs?: number;

  @OneOfField(WEBHOOK_STATUSES, {
    optional: true,
    about:
      'inactive: new events create no deliveries, and pending deliveries wait. ' +
      'active: new events create deliveries again, and pending deliveries resume.',
  })
  status?: WebhookStatus;
}

export class TestWebhookRequest {
  @OneOfField(EVENT_TYPES, { optional: true, about: 'One of its subscribed events. Default: the first.' })
  event?: EventType;
}

/** Query of the deliveries; all given conditions must hold. */
export class DeliveryQuery extends PageQuery {
  @OneOfField(DELIVERY_STATES, { optional: true, about: 'Only deliveries in this state.' })
  state?: DeliveryState;

  @OneOfField(EVENT_TYPES, { optional: true, about: 'Only deliveries of events of this type.' })
  event?: EventType;

  @InstantField({ optional: true, about: 'Only deliveries created at or after this time.' })
  from?: string;

  @InstantField({ optional: true, about: 'Only deliveries created before this time; later than `from`.' })
  to?: string;
}

export class ReplayWebhookRequest {
  @InstantField({ about: 'Events that happened at or after this time, at most 30 days ago.' })
  from!: string;

  @InstantField({
    about: 'Events that happened before this time; later than `from`. Future events are not included.',
  })
  to!: string;

  @OneOfField(REPLAY_SCOPES, {
    optional: true,
    about:
      'failed: deliveries that failed, and events that were never sent. all: also deliveries that succeeded. ' +
      'Default: failed.',
  })
  scope?: ReplayScope;
}
