import { EventRelayService, type EventType } from '@domain/events';
import { WebhookWorkPartitionService } from '@domain/webhooks';
import { eventually } from '@testing';
import { type Platform, type SeededWorkspace } from '../harness';
import { dataOf } from '../workspaces/people';
import { type Webhook, type Health, type ListedWebhook, type Delivery, type DeliveryDetail } from './webhook-responses';
import { happened, recordsOf } from './webhook-records';

export const SECRET = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) as unknown as string;
const LATE_MS = 5_000;

/** An address without a receiver. */
export const NOWHERE = 'http://127.0.0.1:9/hook';

/** A body that creates a webhook. */
export function subscribing(more: object = {}) {
  return { name: 'CRM', url: NOWHERE, events: ['email.sent', 'email.replied'], ...more };
}

/** A webhook in the response to its creation. */
export async function newWebhook(platform: Platform, workspace: SeededWorkspace, more: object = {}): Promise<Webhook> {
  return dataOf(await platform.api.as(workspace.key).post('/v1/webhooks').send(subscribing(more)));
}

/** Operations of a person on one webhook. */
export class Hook {
  private constructor(
    private readonly platform: Platform,
    private readonly workspace: SeededWorkspace,
    readonly made: Webhook,
  ) {}

  static async make(platform: Platform, workspace: SeededWorkspace, more: object = {}): Promise<Hook> {
    return new Hook(platform, workspace, await newWebhook(platform, workspace, more));
  }

  get path(): string {
    return `/v1/webhooks/${this.made._id}`;
  }

  get api() {
    return this.platform.api.as(this.workspace.key);
  }

  async read(): Promise<Webhook> {
    return dataOf(await this.api.get(this.path));
  }

  async update(changes: object): Promise<Webhook> {
    return dataOf(await this.api.patch(this.path).send(changes));
  }

  delete() {
    return this.api.with({ Authorization: `Bearer ${this.workspace.key}` }).delete(this.path);
  }

  async health(): Promise<Health> {
    return dataOf(await this.api.get(`${this.path}/health`));
  }

  async stats(): Promise<ListedWebhook['stats']> {
    const listed = dataOf<ListedWebhook[]>(await this.api.get('/v1/webhooks?limit=100'));
    return listed.find(({ _id }) => _id === this.made._id)!.stats;
  }

  /** Its deliveries, newest first. */
  async deliveries(query = ''): Promise<Delivery[]> {
    return dataOf(await this.api.get(`${this.path}/deliveries${query}`));
  }

  async delivery(deliveryId: string): Promise<DeliveryDetail> {
    return dataOf(await this.api.get(`${this.path}/deliveries/${deliveryId}`));
  }

  redeliver(deliveryId: string) {
    return this.api.post(`${this.path}/deliveries/${deliveryId}/redeliver`);
  }

  /** Records events in its workspace; returns their ids. */
  async happen(count = 1, type: EventType = 'email.sent', at?: Date): Promise<string[]> {
    return happened(this.platform, this.workspace, { count, type, ...(at && { at }) });
  }

  /** Relays all events, and makes all due deliveries. */
  async deliver(): Promise<void> {
    const relay = this.platform.app.get(EventRelayService, { strict: false });
    const { workspaceId } = this.workspace;
    await eventually('all events are relayed', async () => {
      await relay.relay();
      return (await recordsOf(this.platform, 'EventOutboxRecord').exists({ workspaceId })) === null;
    });
    // Runs only the sweep of deliveries of the worker’s ticker.
    await this.platform.worker?.get(WebhookWorkPartitionService, { strict: false }).sweep();
    await this.platform.drain();
  }

  /** Advances the clock past the delivery’s next attempt by schedule, and makes that attempt. */
  async attemptNext(deliveryId: string): Promise<DeliveryDetail> {
    const { nextAttemptAt } = await this.delivery(deliveryId);
    const { clock } = this.platform;
    // The sweep finds late work.
    clock.advance(Date.parse(nextAttemptAt!) - clock.now().getTime() + LATE_MS);
    await this.deliver();
    return this.delivery(deliveryId);
  }
}

/** Time after `from`, in seconds. */
export function secondsAfter(from: Date | string, at: string | null): number {
  if (at === null) throw new Error('There is no such time');
  return Math.round((Date.parse(at) - new Date(from).getTime()) / 1_000);
}
