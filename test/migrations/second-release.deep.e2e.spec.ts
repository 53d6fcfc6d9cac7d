import { StatsRebuildService } from '@domain/analytics';
import { EventRelayService } from '@domain/events';
import { type Config } from '@platform/config';
import { SecretStoreRegistry, SecretBoxService } from '@platform/secrets';
import { dropDatabase, testConfig } from '@testing';
import { CommandLine } from '../cli/command-line';
import { acceptedFrom, type Platform, startPlatform } from '../harness';
import { getDatabase, settleSending } from '../harness/sending';
import { readIndexes, onDatabase, SECOND_RELEASE, secondRelease, store, type StoredRelease } from './stored';

const { ordinary, secrets, secretKeys, stoppedAt } = SECOND_RELEASE;
const HOUR_MS = 3_600_000;
/** Includes stored responses of idempotent requests: their plain text is unknown. */
const WITHOUT_TEXT = 'idempotency_keys';

describe('a database of release 0.2.0', () => {
  let config: Config;
  let stored: StoredRelease;
  let platform: Platform | undefined;

  beforeAll(async () => {
    config = testConfig({ SECRET_KEYS: secretKeys });
    stored = secondRelease();
    await store(config, stored);
    await new CommandLine({ config }).json('migrate', 'up');
    const env = { SECRET_KEYS: secretKeys, MONGODB_URI: config.mongodbUri };
    platform = await startPlatform({ worker: true, env });
    platform.clock.freeze(new Date(stoppedAt));
  });
  afterAll(() => (platform ? platform.close() : dropDatabase(config)));

  const started = () => {
    if (!platform) throw new Error('The platform did not start');
    return platform;
  };
  const recount = () =>
    started()
      .app.get(StatsRebuildService, { strict: false })
      .run(ordinary.workspaceId, { campaignId: undefined, isCheck: true });

  it('has the indexes of a new database and no other', async () => {
    const fresh = await startPlatform();
    try {
      const [ours, theirs] = await Promise.all([config, fresh.config].map((one) => onDatabase(one, readIndexes)));
      expect(ours).toEqual(theirs);
    } finally {
      await fresh.close();
    }
  });

  it('decrypts every secret', async () => {
    const box = started().app.get(SecretBoxService);
    const opened: string[] = [];
    for (const sealedStore of started().app.get(SecretStoreRegistry, { strict: false }).all()) {
      for await (const { ciphertext, owner } of sealedStore.values()) {
        const text = box.open(ciphertext, owner);
        if (sealedStore.name !== WITHOUT_TEXT) opened.push(`${owner}: ${text}`);
      }
    }
    // Migration 0007 drops the consents of mailboxes that are open at a vendor.
    const kept = secrets.filter(({ collection }) => collection !== 'mailbox_oauth_sessions');
    expect(opened.toSorted()).toEqual(kept.map(({ owner, text }) => `${owner}: ${text}`).toSorted());
  });

  it('shows its records through the API', async () => {
    const refused: string[] = [];
    for (const { workspaceId, ownerKey } of [ordinary, SECOND_RELEASE.world, SECOND_RELEASE.states]) {
      const api = started()
        .api.as(ownerKey)
        .in(workspaceId)
        .with({ Authorization: `Bearer ${ownerKey}` });
      for (const path of pathsOf(workspaceId)) {
        const { status } = await api.get(path);
        if (status !== 200) refused.push(`${status} ${path}`);
      }
    }
    expect(refused).toEqual([]);
  });

  it('has figures that a recount confirms, also after the relay of the events that waited', async () => {
    expect((await recount()).differences).toEqual([]);
    const relay = started().app.get(EventRelayService, { strict: false });
    const unrelayed = stored['events']?.documents.filter(({ relayAt }) => relayAt !== undefined) ?? [];
    expect(await relay.relay()).toBe(unrelayed.length);
    expect((await recount()).differences).toEqual([]);
  });

  it('continues to send: each lead receives its remaining steps, once', async () => {
    const isOurs = ({ workspaceId }: Record<string, unknown>) => String(workspaceId) === ordinary.workspaceId;
    const mailboxes = stored['mailboxes']?.documents.filter(isOurs) ?? [];
    const before = new Set(
      stored['sends']?.documents.filter(({ state }) => state === 'sent').map(({ messageId }) => String(messageId)),
    );
    // Leads of the draft and of the paused campaign stay active, so the rounds end it.
    await settleSending(started(), started().worker!, ordinary.workspaceId, { stepMs: 4 * HOUR_MS, rounds: 24 });
    const ids = (await acceptedFrom(new Set(mailboxes.map(({ email }) => String(email))))).map(
      (mail) => mail.messageId,
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => before.has(id))).toEqual([]);
    const sends = await getDatabase(started())
      .collection('sends')
      .find({ campaignId: stored['campaigns']?.documents.find(({ name }) => name === 'Running')?._id })
      .toArray();
    const perLead = Map.groupBy(sends, ({ email }) => String(email));
    for (const name of ['ann', 'ben', 'cleo']) expect(perLead.get(`${name}.x@people.test`)).toHaveLength(3);
    for (const name of ['late.nora', 'late.otto']) expect(perLead.get(`${name}@people.test`)).toHaveLength(3);
    expect((await recount()).differences).toEqual([]);
  });

  /** Lists, and the details of each campaign, lead, mailbox and conversation of the workspace. */
  function pathsOf(workspaceId: string): string[] {
    const idsOf = (name: string) =>
      (stored[name]?.documents ?? [])
        .filter((record) => String(record['workspaceId']) === workspaceId && (record['deletedAt'] ?? null) === null)
        .map(({ _id }) => String(_id));
    const campaigns = idsOf('campaigns');
    const leads = (stored['campaign_leads']?.documents ?? []).filter(({ campaignId }) =>
      campaigns.includes(String(campaignId)),
    );
    const parts = (base: string, ...some: string[]) => some.map((part) => `${base}${part}`);
    return [
      ...['campaigns', 'mailboxes', 'events', 'suppressions', 'api-keys', 'audit', 'inbox', 'webhooks', 'agents'].map(
        (list) => `/v1/${list}?limit=100`,
      ),
      '/v1/agents/replies?limit=100',
      '/v1/agents/switch',
      '/v1/reports/recipients',
      '/v1/blacklist-tests',
      ...campaigns.flatMap((id) =>
        parts(`/v1/campaigns/${id}`, '', '/settings', '/sequence', '/leads', '/diagnostics'),
      ),
      ...leads.flatMap(({ _id, campaignId }) =>
        parts(`/v1/campaigns/${String(campaignId)}/leads/${String(_id)}`, '', '/explain'),
      ),
      ...idsOf('mailboxes').flatMap((id) => parts(`/v1/mailboxes/${id}`, '', '/settings', '/analytics')),
      ...idsOf('conversations').map((id) => `/v1/inbox/${id}`),
      ...idsOf('webhooks').flatMap((id) => parts(`/v1/webhooks/${id}`, '/health', '/deliveries')),
    ];
  }
});
