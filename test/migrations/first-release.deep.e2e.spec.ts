import { type Config } from '@platform/config';
import { testConfig, dropDatabase } from '@testing';
import { StatsRebuildService } from '@domain/analytics';
import { getEventViolations } from '../../libs/domain/events/testing';
import { readCampaign } from '../campaigns/campaigns';
import { CommandLine } from '../cli/command-line';
import { PlatformProcess } from '../faults/processes';
import { acceptedFrom, type Platform, startPlatform } from '../harness';
import { getDatabase, settleSending } from '../harness/sending';
import { dataOf } from '../workspaces/people';
import { FIRST_RELEASE, firstRelease, readIndexes, onDatabase, store, type StoredRelease } from './stored';

interface Status {
  applied: string[];
  pending: { name: string; required: boolean; left: number }[];
  unknown: string[];
}

const { workspaceKey, workspaceId, ownerKey, secretKeys } = FIRST_RELEASE;
const HOUR_MS = 3_600_000;
const NAMES = [
  '0001-owner-of-campaigns',
  '0002-what-events-tell',
  '0003-days-of-campaigns',
  '0004-indexes-without-readers',
  '0005-names-of-the-glossary',
  '0006-mailbox-leases',
  '0007-oauth-sessions',
  '0008-event-outbox',
  '0009-job-records',
];

describe('a database of release 0.1.0', () => {
  let config: Config;
  let stored: StoredRelease;
  let cli: CommandLine;
  let env: Record<string, string>;
  let platform: Platform | undefined;

  beforeAll(async () => {
    config = testConfig({ SECRET_KEYS: secretKeys });
    env = { SECRET_KEYS: secretKeys, MONGODB_URI: config.mongodbUri };
    stored = firstRelease();
    cli = new CommandLine({ config });
    await store(config, stored);
  });
  afterAll(() => (platform ? platform.close() : dropDatabase(config)));

  const started = () => {
    if (!platform) throw new Error('The platform did not start');
    return platform;
  };
  const idsOf = (collection: string, where: (record: Record<string, unknown>) => boolean = () => true) =>
    (stored[collection]?.documents ?? []).filter(where).map(({ _id }) => String(_id));
  const isOurs = (record: Record<string, unknown>) => String(record['workspaceId']) === workspaceId;

  it('is refused by every current process, which names the missing migrations', async () => {
    for (const app of ['api', 'worker'] as const) {
      const refused = await PlatformProcess.of(app, config);
      await expect(refused.start()).rejects.toThrow('have to run first. Make a backup, then run `outreach migrate up`');
    }
    const { status, stderr } = await cli.built(['workspaces', 'show', workspaceId]);
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^The database belongs to an older release: the migrations 0001-owner-of-campaigns, 0002-what-events-tell, 0003/,
    );
    // No process has created a collection in it.
    expect(await onDatabase(config, async ({ db }) => (await db!.listCollections().toArray()).length)).toBeLessThan(
      Object.keys(stored).length + 5,
    );
  });

  it('shows the pending changes beforehand, and a dry run changes nothing', async () => {
    const dry = await cli.json<Status>('migrate', 'up', '--dry-run');
    expect(dry.pending).toEqual([
      { name: NAMES[0], why: expect.any(String) as string, required: true, left: 6 },
      { name: NAMES[1], why: expect.any(String) as string, required: true, left: expect.any(Number) as number },
      { name: NAMES[2], why: expect.any(String) as string, required: true, left: 4 },
      { name: NAMES[3], why: expect.any(String) as string, required: false, left: 6 },
      { name: NAMES[4], why: expect.any(String) as string, required: true, left: expect.any(Number) as number },
      { name: NAMES[5], why: expect.any(String) as string, required: true, left: expect.any(Number) as number },
      { name: NAMES[6], why: expect.any(String) as string, required: true, left: expect.any(Number) as number },
      { name: NAMES[7], why: expect.any(String) as string, required: true, left: 0 },
      { name: NAMES[8], why: expect.any(String) as string, required: true, left: 0 },
    ]);
    const { status, stdout } = await cli.run(['migrate', 'status', '--json']);
    expect({ status, printed: JSON.parse(stdout) as Status }).toEqual({ status: 1, printed: dry });
  });

  it('is migrated by one command, whose second run changes nothing', async () => {
    const { ran } = await cli.json<{ ran: { name: string; changed: number }[] }>('migrate', 'up');
    expect(ran.map(({ name }) => name)).toEqual(NAMES);
    // This release had no relay, no imports and no blacklist tests.
    expect(ran.filter(({ changed }) => changed === 0).map(({ name }) => name)).toEqual([NAMES[7], NAMES[8]]);
    expect(await cli.json('migrate', 'up')).toEqual({ ran: [] });
    expect(await cli.json<Status>('migrate', 'status')).toEqual({ applied: NAMES, pending: [], unknown: [] });
  });

  it('then works with the current platform, with exactly the indexes of a new database', async () => {
    platform = await startPlatform({ worker: true, env });
    platform.clock.freeze(FIRST_RELEASE.stoppedAt);
    const fresh = await startPlatform();
    try {
      const [ours, theirs] = await Promise.all([config, fresh.config].map((one) => onDatabase(one, readIndexes)));
      expect(ours).toEqual(theirs);
    } finally {
      await fresh.close();
    }
  });

  it('shows all its records to every existing key, in the current response shapes', async () => {
    const api = started()
      .api.as(workspaceKey)
      .with({ Authorization: `Bearer ${workspaceKey}` });
    const campaigns = idsOf('campaigns', (record) => isOurs(record) && record['deletedAt'] === null);
    const leads = stored['campaign_leads']?.documents.filter(isOurs) ?? [];
    const mailboxes = idsOf('mailboxes', isOurs);
    const paths = [
      ...['campaigns', 'mailboxes', 'events', 'suppressions', 'api-keys', 'audit', 'credits/ledger'].map(
        (list) => `/v1/${list}?limit=100`,
      ),
      ...['analytics/overview', 'agents', 'webhooks'].map((list) => `/v1/${list}`),
      ...campaigns.flatMap((id) =>
        ['', '/settings', '/sequence', '/sequence/versions', '/leads', '/leads/imports', '/diagnostics'].map(
          (part) => `/v1/campaigns/${id}${part}`,
        ),
      ),
      ...leads
        .filter(({ campaignId }) => campaigns.includes(String(campaignId)))
        .flatMap(({ _id, campaignId }) =>
          ['', '/explain'].map((part) => `/v1/campaigns/${String(campaignId)}/leads/${String(_id)}${part}`),
        ),
      ...mailboxes.flatMap((id) => ['', '/settings', '/analytics'].map((part) => `/v1/mailboxes/${id}${part}`)),
    ];
    const refused: string[] = [];
    for (const path of paths) {
      const { status } = await api.get(path);
      if (status !== 200) refused.push(`${status} ${path}`);
    }
    const asOwner = started().api.as(ownerKey);
    for (const part of ['', '/members', '/invitations']) {
      const { status } = await asOwner.get(`/v1/workspaces/${workspaceId}${part}`);
      if (status !== 200) refused.push(`${status} ${part}`);
    }
    expect(refused).toEqual([]);
    const listed = dataOf<{ _id: string }[]>(await api.get('/v1/campaigns?limit=100')).map(({ _id }) => _id);
    expect(listed.toSorted()).toEqual(campaigns.toSorted());
  });

  it('has events in their current form, and figures that a recount confirms', async () => {
    const events = await getDatabase(started()).collection('events').find().toArray();
    expect(getEventViolations(events as never)).toEqual([]);
    for (const workspace of idsOf('workspaces')) {
      const { differences } = await rebuild(workspace);
      expect(differences).toEqual([]);
    }
  });

  it('continues to send: each lead gets its remaining steps, once', async () => {
    const [running = ''] = idsOf('campaigns', ({ name }) => name === 'Running');
    const [paused = ''] = idsOf('campaigns', ({ name }) => name === 'Paused');
    const before = new Set(idsOf('sends', ({ state }) => state === 'sent'));
    const senders = new Set(stored['mailboxes']?.documents.map(({ email }) => String(email)));
    started().clock.freeze(new Date('2026-11-24T09:00:00Z'));
    await started().api.as(workspaceKey).post(`/v1/campaigns/${paused}/resume`).send({}).expect(200);
    const isSettled = await settleSending(started(), started().worker!, workspaceId, { stepMs: 4 * HOUR_MS });
    expect(isSettled).toBe(true);

    const accepted = await acceptedFrom(senders);
    const sends = await getDatabase(started())
      .collection('sends')
      .find({ state: { $in: ['sent', 'sent_unconfirmed'] } })
      .toArray();
    const ofToday = sends.filter(({ _id }) => !before.has(_id.toHexString()));
    const messageIds = (some: typeof sends) => some.map(({ messageId }) => String(messageId));
    const ids = accepted.map(({ messageId }) => messageId);
    // Once each; no unexplained email, and only those missing that a server may already have got.
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !messageIds(ofToday).includes(id))).toEqual([]);
    expect(messageIds(ofToday.filter(({ state }) => state === 'sent')).filter((id) => !ids.includes(id))).toEqual([]);
    const steps = (campaign: string) => {
      const emails = sends
        .filter(({ campaignId }) => String(campaignId) === campaign)
        .map(({ email }) => String(email));
      const perLead = Map.groupBy(emails, (email) => email.split('@')[0]);
      return Object.fromEntries([...perLead].map(([lead, { length }]) => [lead, length]));
    };
    expect(steps(running)).toEqual({
      ann: 3,
      ben: 3,
      cleo: 3,
      'drop-after-dot-stored.fay': 3,
      'greylist-twice.eve': 3,
      'late.nora': 3,
      'late.otto': 3,
    });
    expect(steps(paused)).toEqual({ jim: 3, kim: 3, pia: 3 });
    expect(dataOf<{ status: string }>(await readCampaign(started(), workspaceKey, paused)).status).toBe('completed');
    expect((await rebuild(workspaceId)).differences).toEqual([]);
  });

  const rebuild = (workspace: string) =>
    started().app.get(StatsRebuildService, { strict: false }).run(workspace, { campaignId: undefined, isCheck: true });
});
