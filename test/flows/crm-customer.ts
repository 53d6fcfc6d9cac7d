import { randomUUID } from 'node:crypto';
import { type ApiClient, eventually } from '@testing';
import { type SlackServer } from '../../libs/adapters/chat/testing';
import { newCampaign } from '../campaigns/campaigns';
import { type Platform, type SeededWorkspace } from '../harness';
import { JOBS, type SyncJob } from '../integrations/crm';
import { SlackUser } from '../integrations/slack';
import { connected } from '../mailboxes/sandbox';
import { Hook } from '../webhooks/webhooks';
import { dataOf } from '../workspaces/people';
import { CRM_KEY, type CrmVendor } from './crm-vendors';
import { type SyncDetails, type Activity } from './crm-responses';

const ALWAYS = { timezone: 'UTC', startTime: '00:00', endTime: '23:59', workingDays: [1, 2, 3, 4, 5, 6, 7] };

/** Events that are posted to chat about a CRM. */
export const POSTED_EVENTS = ['crm.sync_completed', 'integration.disconnected'] as const;

/** A customer with a CRM, a campaign for its people, a webhook and a Slack connection. */
export class CrmCustomer {
  readonly #mark = randomUUID().slice(0, 8);
  /** Replies positively to the first email. */
  readonly glad = `reply-positive.${this.#mark}@prospects.test`;
  readonly silent = `silent.${this.#mark}@people.test`;
  readonly twin = `twin.${this.#mark}@people.test`;
  readonly optedOut = `opted-out.${this.#mark}@people.test`;
  /** A lead that is in the CRM only after a push. */
  readonly ours = `ours.${this.#mark}@people.test`;

  private constructor(
    readonly platform: Platform,
    readonly vendor: CrmVendor,
    readonly workspace: SeededWorkspace,
    readonly campaignId: string,
    readonly hook: Hook,
    readonly slack: SlackUser,
  ) {}

  static async of(platform: Platform, vendor: CrmVendor, slackServer: SlackServer): Promise<CrmCustomer> {
    const workspace = await platform.seed.workspace();
    const mailbox = await connected(platform, workspace, { sendGapSeconds: 0, dailySendLimit: 100 });
    const { _id } = await newCampaign(platform, workspace, {
      mailboxes: [mailbox._id],
      emailIntervalMinutes: 0,
      sendingSchedule: ALWAYS,
      stopOnReply: true,
      sequence: [{ subject: 'Your roadmap', body: '<p>First</p>' }],
    });
    const hook = await Hook.make(platform, workspace, { events: POSTED_EVENTS });
    const slack = new SlackUser(platform, slackServer, workspace);
    await slack.set({ webhookUrl: slackServer.webhook(), events: POSTED_EVENTS, mode: 'digest', everyMinutes: 5 });
    return new CrmCustomer(platform, vendor, workspace, _id, hook, slack);
  }

  get api(): ApiClient {
    return this.platform.api.as(this.workspace.key);
  }

  /** Addresses of the leads, after the pull from the CRM and one addition. */
  get leads(): string[] {
    return [this.glad, this.silent, this.ours, ...(this.vendor.hasDuplicates ? [this.twin] : [])];
  }

  async read<T>(path: string): Promise<T> {
    return dataOf<T>(await this.api.get(path).expect(200));
  }

  /** Connects the CRM as people do: with a key, or by consent at the vendor. */
  async connect(): Promise<void> {
    const { type, server, consents } = this.vendor;
    if (consents === null) {
      server.tokens.add(CRM_KEY);
      await this.api.put(`/v1/integrations/${type}`).send({ apiKey: CRM_KEY }).expect(200);
      return;
    }
    const { authUrl } = dataOf<{ authUrl: string }>(
      await this.api.post(`/v1/integrations/crm/${type}/oauth`).send({}).expect(201),
    );
    await this.platform.api.get(consents.consent(authUrl)).expect(200);
  }

  /** Revokes the platform’s access at the vendor. */
  revoke(): void {
    this.vendor.server.tokens.clear();
    this.vendor.consents?.refreshTokens.clear();
  }

  /** People in the CRM before the first sync. */
  populate(): void {
    const { server, title, needs, hasOptOut, hasDuplicates } = this.vendor;
    const add = (email: string, isOptedOut = false): void =>
      void server.store.add({ emails: [email], fields: { ...needs, [title]: 'Engineer' }, isOptedOut });
    add(this.glad);
    add(this.silent);
    if (hasOptOut) add(this.optedOut, true);
    if (hasDuplicates) [1, 2].forEach(() => add(this.twin));
  }

  async begin(body: Readonly<Record<string, unknown>>): Promise<string> {
    const begun = await this.api.post(`/v1/integrations/crm/${this.vendor.type}/sync`).send(body).expect(202);
    return dataOf<SyncJob>(begun).id;
  }

  details(id: string): Promise<SyncDetails> {
    return this.read<SyncDetails>(`${JOBS}/${id}/details`);
  }

  async ended(id: string): Promise<SyncDetails> {
    await eventually('the sync is over', async () => (await this.details(id)).completedAt !== null);
    return this.details(id);
  }

  async synced(body: Readonly<Record<string, unknown>>): Promise<SyncDetails> {
    return this.ended(await this.begin(body));
  }

  /** Values of the custom field in the CRM, by address. */
  stages(): Record<string, unknown> {
    const { server, own } = this.vendor;
    return Object.fromEntries(this.leads.map((email) => [email, server.store.withEmail(email)[0]?.fields[own]]));
  }

  /** Time of the last change of each person in the CRM. */
  changes(): string[] {
    return [...this.vendor.server.store.people()].map(({ id, updatedAt }) => `${id} ${updatedAt.toISOString()}`);
  }

  /** Timeline of a person in the CRM, oldest first, as text. */
  timeline(email: string): string[] {
    const { store } = this.vendor.server;
    const [person] = store.withEmail(email);
    return store.activities.flatMap(({ personId, body }) => (personId === person?.id ? [JSON.stringify(body)] : []));
  }

  activities(): Promise<Activity[]> {
    return this.read<Activity[]>(`/v1/integrations/crm/${this.vendor.type}/activities?limit=100`);
  }

  async integration(): Promise<Readonly<Record<string, unknown>>> {
    const { crm } = await this.read<{ crm: Record<string, Record<string, unknown>> }>('/v1/integrations');
    return crm[this.vendor.type]!;
  }

  /** Advances the clock by the shortest interval of all waiting work. */
  async settle(ms = 2_000): Promise<void> {
    this.platform.clock.advance(ms);
    await this.platform.tick();
    await this.platform.drain();
  }
}
