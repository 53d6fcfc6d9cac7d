import { CRM_TYPES, type CrmType } from '@adapters/crm';
import { DEEP, eventually } from '@testing';
import { SlackServer } from '../../libs/adapters/chat/testing';
import { activated } from '../campaigns/campaigns';
import { type Platform, startPlatform, violations } from '../harness';
import { JOBS } from '../integrations/crm';
import { closeVendors, type CrmVendor, envOf, startVendors } from './crm-vendors';
import { CrmCustomer, POSTED_EVENTS } from './crm-customer';
import { type SyncDetails } from './crm-responses';

/** Changes of a lead are pushed a minute later. */
const PUSHED_MS = 61_000;
const DIGEST_MS = 5 * 60_000;
/** The longest delay before the sweep runs a CRM’s partition. */
const SWEEP_MS = 5_000;
/**
 * A CRM that is connected by consent and has every feature, and one with a key that has neither opt-outs nor
 * duplicates.
 */
const PLAYED: readonly CrmType[] = DEEP ? CRM_TYPES : ['salesforce', 'attio'];
const NOTHING = { created: 0, updated: 0, unchanged: 0, conflict: 0, skipped: 0, failed: 0 };

describe('a campaign for the people of a CRM, whose outcomes are written to the CRM', () => {
  let vendors: readonly CrmVendor[];
  let slack: SlackServer;
  let platform: Platform;
  const customers = new Map<CrmType, CrmCustomer>();

  beforeAll(async () => {
    vendors = await startVendors(new Date());
    slack = await SlackServer.start();
    platform = await startPlatform({ env: { ...envOf(vendors), ...slack.env }, worker: true });
    for (const vendor of vendors.filter(({ type }) => PLAYED.includes(type))) {
      const customer = await CrmCustomer.of(platform, vendor, slack);
      customer.populate();
      customers.set(vendor.type, customer);
    }
    await platform.listen();
  }, 120_000);
  afterAll(async () => {
    await platform.close();
    await closeVendors(vendors);
    await slack.close();
  });

  const of = (type: CrmType): CrmCustomer => customers.get(type)!;

  it.each(PLAYED)('%s accepts the credentials and the field mapping', async (type) => {
    const customer = of(type);
    await customer.connect();
    const { title, own } = customer.vendor;
    const rules = [
      { lead: 'jobTitle', crm: title, direction: 'both', overwrite: 'always' },
      { lead: 'stage', crm: own, direction: 'push', overwrite: 'always' },
    ];
    await customer.api.put(`/v1/integrations/crm/${type}/mapping`).send({ rules }).expect(200);
    expect(await customer.integration()).toEqual({
      enabled: true,
      status: 'connected',
      lastSyncAt: null,
      totalPulled: 0,
      totalPushed: 0,
    });
  });

  it.each(PLAYED)('%s provides its people: each address once, without people who opted out', async (type) => {
    const customer = of(type);
    const { hasOptOut, hasDuplicates } = customer.vendor;
    const pulled = await customer.synced({ jobType: 'pull', campaignId: customer.campaignId });
    const created = hasDuplicates ? 3 : 2;
    expect(pulled).toMatchObject({
      status: 'completed',
      importedCount: created,
      counts: { ...NOTHING, created, conflict: Number(hasDuplicates), skipped: Number(hasOptOut) },
    });
    const leads = await customer.read<Record<string, unknown>[]>(`/v1/campaigns/${customer.campaignId}/leads?limit=10`);
    const expected = customer.leads.filter((email) => email !== customer.ours);
    expect(leads.map(({ email, jobTitle }) => `${String(email)} ${String(jobTitle)}`).toSorted()).toEqual(
      expected.map((email) => `${email} Engineer`).toSorted(),
    );
    const suppressed = await customer.read<{ value: string }[]>('/v1/suppressions?source=crm');
    expect(suppressed.map(({ value }) => value)).toEqual(hasOptOut ? [customer.optedOut] : []);
  });

  it.each(PLAYED)('%s receives its missing leads, and the progress of all leads', async (type) => {
    const customer = of(type);
    const { server, title } = customer.vendor;
    const lead = { email: customer.ours, firstName: 'Grace', lastName: 'Hopper', jobTitle: 'Admiral' };
    await customer.api.post(`/v1/campaigns/${customer.campaignId}/leads`).send(lead).expect(201);
    const size = server.store.size;
    const pushed = await customer.synced({ jobType: 'push' });
    expect(pushed.counts).toEqual({ ...NOTHING, created: 1, updated: customer.leads.length - 1 });
    expect(server.store.size).toBe(size + 1);
    expect(server.store.withEmail(customer.ours)).toMatchObject([{ fields: { [title]: 'Admiral' } }]);
    expect(customer.stages()).toEqual(Object.fromEntries(customer.leads.map((email) => [email, 'new'])));
  });

  describe('after the campaign’s emails', () => {
    beforeAll(async () => {
      for (const { api, vendor, workspace, campaignId } of customers.values()) {
        const activities = ['email.sent', 'email.replied', 'email.positive_reply'];
        const automation = { activities, pushOn: ['email.positive_reply'] };
        await api.put(`/v1/integrations/crm/${vendor.type}/automation`).send(automation).expect(200);
        await activated(platform, workspace.workspaceId, campaignId);
      }
    });

    it.each(PLAYED)('%s has each email and each reply once in its timelines', async (type) => {
      const customer = of(type);
      const expected = [...customer.leads.map(() => 'email.sent'), 'email.replied', 'email.positive_reply'].toSorted();
      const recorded = async () => (await customer.activities()).filter(({ state }) => state === 'recorded');
      await eventually('everything is in the timelines', async () => {
        await customer.settle();
        return (await recorded()).length >= expected.length;
      });
      expect((await customer.activities()).map(({ event }) => event).toSorted()).toEqual(expected);
      for (const email of customer.leads.filter((one) => one !== customer.glad)) {
        expect(customer.timeline(email)).toEqual([expect.stringContaining('Email sent: Your roadmap')]);
      }
      // Mail has a resolution of one second: a reply within the second of its email has no order.
      const entries = customer
        .timeline(customer.glad)
        .map((text) => /Email sent|Reply received|Positive reply/.exec(text)?.[0]);
      expect(new Set(entries)).toEqual(new Set(['Email sent', 'Reply received', 'Positive reply']));
      expect(entries).toHaveLength(3);
    });

    it.each(PLAYED)('%s moves the person with a positive reply to another stage automatically', async (type) => {
      const customer = of(type);
      await eventually('the stage is pushed', async () => {
        if (customer.stages()[customer.glad] === 'positive') return true;
        await customer.settle(PUSHED_MS);
        return false;
      });
      const { [customer.glad]: _glad, ...others } = customer.stages();
      expect(new Set(Object.values(others))).toEqual(new Set(['new']));
    });

    it.each(PLAYED)('%s receives the stages of the others, and pushed values are not pulled back', async (type) => {
      const customer = of(type);
      const { hasOptOut, hasDuplicates } = customer.vendor;
      const people = customer.leads.length;
      const pushed = await customer.synced({ jobType: 'push' });
      expect(pushed.counts).toEqual({ ...NOTHING, updated: people - 1, unchanged: 1 });
      const { [customer.glad]: glad, ...others } = customer.stages();
      expect([glad, ...new Set(Object.values(others))]).toEqual(['positive', 'contacted']);

      const before = customer.changes();
      const pulled = await customer.synced({ jobType: 'pull', campaignId: customer.campaignId });
      expect(pulled.counts).toEqual({
        ...NOTHING,
        unchanged: people,
        conflict: Number(hasDuplicates),
        skipped: Number(hasOptOut),
      });
      const again = await customer.synced({ jobType: 'push', full: true });
      expect(again.counts).toEqual({ ...NOTHING, unchanged: people });
      expect(customer.changes()).toEqual(before);
    });

    it.each(PLAYED)('%s is shown with the totals of its syncs', async (type) => {
      const customer = of(type);
      const jobs = await customer.read<SyncDetails[]>(`${JOBS}?limit=100`);
      const sum = (field: 'importedCount' | 'pushedCount') => jobs.reduce((total, job) => total + job[field], 0);
      const people = customer.leads.length;
      expect(await customer.integration()).toEqual({
        enabled: true,
        status: 'connected',
        lastSyncAt: expect.any(String) as unknown,
        totalPulled: people - 1,
        totalPushed: 2 * people,
      });
      expect([sum('importedCount'), sum('pushedCount')]).toEqual([people - 1, 2 * people]);
    });
  });

  it.each(PLAYED)('%s is disconnected when its consent is revoked, and continues after a new consent', async (type) => {
    const customer = of(type);
    customer.revoke();
    const id = await customer.begin({ jobType: 'push', full: true });
    await eventually(
      'the connection is disconnected',
      async () => (await customer.integration())['status'] === 'disconnected',
    );
    expect(await customer.details(id)).toMatchObject({ completedAt: null, processedRecords: 0 });
    const gone = await customer.read<object[]>('/v1/events?type=integration.disconnected');
    expect(gone).toMatchObject([{ data: { name: type, code: expect.any(String) as unknown } }]);

    await customer.connect();
    // The sweep finds work that waits for a restored connection.
    await eventually('the sync is over', async () => {
      await customer.settle(SWEEP_MS);
      return (await customer.details(id)).completedAt !== null;
    });
    const after = await customer.details(id);
    expect(after).toMatchObject({ status: 'completed', counts: { ...NOTHING, unchanged: customer.leads.length } });
    expect(await customer.integration()).toMatchObject({ status: 'connected' });
    expect(await violations(platform, customer.workspace.workspaceId, { settled: true })).toEqual([]);
  });

  it.each(PLAYED)('webhooks and Slack receive each event of %s', async (type) => {
    const customer = of(type);
    const completed = await customer.read<unknown[]>(`${JOBS}?limit=100&status=completed`);
    const expected = [...completed.map(() => 'crm.sync_completed'), 'integration.disconnected'].toSorted();
    await eventually('all events are posted', async () => {
      await customer.settle(DIGEST_MS);
      return (await customer.slack.posts('?state=posted&limit=100')).length >= expected.length;
    });
    const posts = await customer.slack.posts('?limit=100');
    expect(posts.map(({ event }) => event).toSorted()).toEqual(expected);
    expect((await customer.hook.deliveries('?limit=100')).map(({ event }) => event).toSorted()).toEqual(expected);
    expect(POSTED_EVENTS.every((event) => expected.includes(event))).toBe(true);
    expect(platform.logged()).not.toContain('canary');
  });
});
