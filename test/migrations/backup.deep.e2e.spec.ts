import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dropDatabase, testConfigLike } from '@testing';
import { type Config, VERSION } from '@platform/config';
import { MaintenanceGateService } from '../../apps/worker/src/jobs';
import { activated, type Campaign, newCampaign, readCampaign } from '../campaigns/campaigns';
import { CommandLine, type Ran } from '../cli/command-line';
import { PlatformProcess } from '../faults/processes';
import { acceptedFrom, type Platform, type SeededWorkspace, startPlatform } from '../harness';
import { getDatabase, sendingRests } from '../harness/sending';
import { HealthService } from '@platform/observability';
import { QueuesService } from '@platform/queues';
import { type mongo, Types } from 'mongoose';
import { connected, type Mailbox } from '../mailboxes/sandbox';
import { dataOf } from '../workspaces/people';
import { readContents, onDatabase } from './stored';

interface Released {
  until: string | null;
  reconciled: Record<
    string,
    Record<'campaigns' | 'leads' | 'ambiguous' | 'replies' | 'arrivals', number> & { agents: boolean }
  >;
}

const HOUR_MS = 3_600_000;
/** A Monday, within the campaign’s window. */
const MONDAY = new Date('2027-03-08T09:00:00Z');
const SCHEDULE = { timezone: 'UTC', startTime: '08:00', endTime: '18:00', workingDays: [1, 2, 3, 4, 5] };
const SEQUENCE = [
  { subject: 'Hello', body: '<p>First</p>' },
  { subject: '', body: '<p>Second</p>', delay: { value: 1, unit: 'days' } },
];

describe('backup, restore and release', () => {
  let platform: Platform;
  let restored: Platform | undefined;
  let target: Config;
  let folder: string;
  let file: string;
  let workspace: SeededWorkspace;
  let deleted: string;
  let mailbox: Mailbox;
  let campaign: Campaign;
  let sentBefore: string[];
  /** Content of the database at the time of the backup. */
  let contents: Record<string, string[]>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'outreach-backup-'));
    file = join(folder, 'monday.outreach');
    platform = await startPlatform({ worker: true });
    platform.clock.freeze(MONDAY);
    workspace = await platform.seed.workspace({ credits: 20 });
    // A deleted workspace that may still be restored.
    deleted = (await platform.seed.workspace({})).workspaceId;
    const { modifiedCount } = await getDatabase(platform)
      .collection('workspaces')
      .updateOne({ _id: new Types.ObjectId(deleted) }, { $set: { deletedAt: MONDAY } });
    expect(modifiedCount).toBe(1);
    await api().post('/v1/agents').send({ name: 'Iris' }).expect(201);
    mailbox = await connected(platform, workspace, { sendGapSeconds: 0, dailySendLimit: 100 });
    campaign = await newCampaign(platform, workspace, {
      mailboxes: [mailbox._id],
      emailIntervalMinutes: 0,
      sendingSchedule: SCHEDULE,
      newLeadsPerDay: 3,
      sequence: SEQUENCE,
    });
    const leads = ['ann', 'ben', 'cleo', 'dan', 'eve', 'fay', 'gus', 'hal'].map((name) => ({
      email: `${name}@${campaign._id}.people.test`,
    }));
    await api().post(`/v1/campaigns/${campaign._id}/leads`).send({ leads }).expect(201);
    await activated(platform, workspace.workspaceId, campaign._id);
    await platform.tick();
    expect(await sendingRests(platform, workspace.workspaceId)).toBe(true);
    target = testConfigLike(platform.config, {
      MONGODB_URI: platform.config.mongodbUri.replace(/test_\w+/, `test_${randomBytes(6).toString('hex')}`),
      QUEUE_PREFIX: `test_${randomBytes(6).toString('hex')}`,
    });
    sentBefore = await given();
    expect(sentBefore).toHaveLength(3);
  }, 60_000);
  afterAll(async () => {
    await restored?.close();
    await dropDatabase(target);
    await platform.close();
    await rm(folder, { recursive: true, force: true });
  });

  const api = (of: Platform = platform) => of.api.as(workspace.key);
  const given = async () => (await acceptedFrom(new Set([mailbox.email]))).map(({ to }) => to.join()).toSorted();
  const onTarget = (...args: string[]): Promise<Ran> => new CommandLine({ config: target }).run([...args, '--json']);
  const isUntouched = async () =>
    onDatabase(target, async ({ db }) => {
      for (const { name } of await db!.listCollections().toArray()) {
        if ((await db!.collection(name).countDocuments({})) > 0) return false;
      }
      return true;
    });

  /** Creates states that a backup may contain: an email that a sender has claimed, a queued reply, and an import. */
  async function caughtOnTheirWay(of: Platform) {
    const database = getDatabase(of);
    const lead = await database.collection('campaign_leads').findOne({ status: 'active', sentCount: 0 });
    const [sent, lease] = await Promise.all([
      database.collection('sends').findOne({}),
      database.collection('mailbox_leases').findOne({}),
    ]);
    const _id = new Types.ObjectId();
    const messageId = `<${_id.toHexString()}@senders.test>`;
    const times = { sentAt: null, handoverAt: null, claimedAt: of.clock.now() };
    const about = { leadId: lead?._id, email: lead?.['email'] as string, fence: lease?.['fence'] as number };
    await database.collection('sends').insertOne({ ...sent, ...about, ...times, _id, messageId, state: 'claimed' });
    await database
      .collection('campaign_leads')
      .updateOne({ _id: lead?._id }, { $set: { sendId: _id, dueAt: null, mailboxId: sent?.['mailboxId'] as unknown } });
    const { workspaceId, mailboxId } = sent as unknown as { workspaceId: Types.ObjectId; mailboxId: Types.ObjectId };
    const { insertedId } = await database.collection('inbox_replies').insertOne({
      workspaceId,
      mailboxId,
      conversationId: new Types.ObjectId(),
      from: { name: '', address: mailbox.email },
      to: { name: '', address: about.email },
      email: about.email,
      subject: 'Re: Hello',
      text: 'Yes',
      html: null,
      messageId: `<reply.${messageId.slice(1)}`,
      references: [],
      state: 'queued',
      fence: 0,
      attempt: 0,
      dueAt: of.clock.now(),
      createdBy: { kind: 'operator', userId: null, keyId: null },
      withdrawn: null,
      createdAt: of.clock.now(),
    });
    await database.collection('lead_imports').insertOne({
      workspaceId,
      campaignId: lead?.['campaignId'] as Types.ObjectId,
      open: true,
      status: 'pending',
      createdAt: of.clock.now(),
    });
    return { send: _id, reply: insertedId };
  }

  it('writes a consistent file that only its owner can read, and overwrites none', async () => {
    const cli = new CommandLine(platform);
    const report = await cli.json<{ documents: number; keys: string[] }>('backup', file);
    contents = await onDatabase(platform.config, readContents);
    expect(report).toMatchObject({ file, keys: ['k1'] });
    expect(report.documents).toBeGreaterThan(30);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const again = await cli.run(['backup', file]);
    expect(again).toMatchObject({
      status: 1,
      stderr: `${file} exists already; a backup never overwrites a file\n`,
    });
    expect(await cli.json('restore', '--check', file)).toMatchObject({ documents: report.documents });
  });

  it('refuses a truncated file, a file with a changed bit and a foreign one, without writing', async () => {
    const bytes = await readFile(file);
    const broken = join(folder, 'broken');
    for (const make of [
      async () => (await copyFile(file, broken), truncate(broken, bytes.length - 20)),
      async () => (await copyFile(file, broken), truncate(broken, bytes.length >> 1)),
      () => writeFile(broken, flipped(bytes, bytes.length >> 1)),
      () => writeFile(broken, flipped(bytes, bytes.length - 3)),
      () => writeFile(broken, 'no backup'),
      () => writeFile(broken, ''),
    ]) {
      await make();
      const { status, stderr } = await onTarget('restore', broken);
      expect(stderr).toMatch(/^The file /);
      expect(status).toBe(1);
    }
    expect(await isUntouched()).toBe(true);
  });

  it('names the missing or different key, without writing', async () => {
    const other = randomBytes(32).toString('base64');
    for (const [keys, message] of [
      [`k2:${other}`, 'SECRET_KEYS has no key k1: data encrypted'],
      [`k1:${other}`, 'SECRET_KEYS has another key under the id k1: data encrypted'],
    ] as const) {
      const { status, stderr } = await new CommandLine({ config: target }).run(['restore', file], {
        SECRET_KEYS: keys,
      });
      expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(message) as string });
    }
    expect(await isUntouched()).toBe(true);
  });

  it('restores into an empty database only, unless deletion is allowed, and never beside live workers', async () => {
    const own = await new CommandLine(platform).run(['restore', file]);
    expect(own).toMatchObject({ status: 1, stderr: expect.stringMatching(/^The database is not empty/) as string });
    await platform.listen();
    const used = await new CommandLine(platform).run(['restore', '--drop', file]);
    expect(used).toMatchObject({ status: 1, stderr: expect.stringMatching(/^The API or a worker is using/) as string });
    expect((await readCampaign(platform, workspace.key, campaign._id)).status).toBe(200);
  });

  it('restores everything, exactly', async () => {
    // Work after the backup is not in it: the lost platform still sent to the leads of Tuesday.
    platform.clock.freeze(new Date(MONDAY.getTime() + 24 * HOUR_MS + 1));
    await platform.tick();
    expect(await sendingRests(platform, workspace.workspaceId)).toBe(true);
    await platform.worker?.close();
    expect((await given()).length).toBeGreaterThan(sentBefore.length);

    const { status, stdout } = await onTarget('restore', file);
    expect({ status, printed: JSON.parse(stdout) as object }).toMatchObject({
      status: 0,
      printed: { appVersion: VERSION },
    });
    const after = await onDatabase(target, readContents);
    expect(after).toEqual(contents);
  });

  it('blocks every process while a restore is unfinished, until it is repeated', async () => {
    await onDatabase(target, async ({ db }) => {
      await db!.collection('maintenance_modes').updateOne({}, { $set: { state: 'restoring' } });
      await db!.collection('sends').deleteMany({});
    });
    const refused = await new CommandLine({ config: target }).built(['workspaces', 'show', workspace.workspaceId]);
    expect(refused).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('The last restore of this database is incomplete: repeat it with') as string,
    });
    for (const [args, message] of [
      [['migrate', 'up'], 'The last restore of this database is incomplete: repeat it with'],
      [
        ['backup', join(folder, 'half')],
        'The last restore of this database is incomplete, so there is no complete database',
      ],
      [['restore', file], 'The last restore of this database is incomplete: repeat it with --drop'],
      [
        ['maintenance', 'start', '--backup-of', '2026-01-01T00:00:00Z'],
        'This installation is in maintenance mode already',
      ],
    ] as const) {
      const { status, stderr } = await onTarget(...args);
      expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(message) as string });
    }
    expect((await onTarget('restore', '--drop', file)).status).toBe(0);
    expect(await onDatabase(target, readContents)).toEqual(contents);
  });

  it('refuses to replace the database of a running API, and replaces it after its end', async () => {
    const running = await PlatformProcess.of('api', target);
    await running.start();
    try {
      const used = await onTarget('restore', '--drop', file);
      expect(used).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/^The API or a worker is using/) as string,
      });
      expect(await onDatabase(target, readContents)).toEqual(contents);
      expect(await running.end('SIGTERM')).toBe(0);
      expect((await onTarget('restore', '--drop', file)).status).toBe(0);
    } finally {
      await running.end('SIGKILL');
    }
  });

  it('starts with all data readable, and sends nothing', async () => {
    sentBefore = await given();
    restored = await startPlatform({
      worker: true,
      env: { MONGODB_URI: target.mongodbUri, QUEUE_PREFIX: target.queuePrefix, SECRET_KEYS: target.secretKeys },
    });
    restored.clock.freeze(new Date(MONDAY.getTime() + 26 * HOUR_MS));
    await getDatabase(restored)
      .collection('maintenance_modes')
      .updateOne({}, { $set: { since: restored.clock.now() } });
    expect((await readCampaign(restored, workspace.key, campaign._id)).status).toBe(200);
    await restored.tick();
    await restored.worker!.get(MaintenanceGateService).poll();
    // The mailbox is due, and no sender runs.
    const jobs = (await restored.app.get(QueuesService).depths(restored.clock.now()))['mailbox-send'];
    expect(jobs).toMatchObject({ waiting: 1, active: 0 });
    expect(await restored.worker!.get(HealthService).report()).toMatchObject({
      status: 'degraded',
      checks: { released: { status: 'down' } },
    });
    expect(await given()).toEqual(sentBefore);
  });

  it('ends maintenance mode with possibly sent emails reconciled, and writes to no lead twice', async () => {
    const cli = new CommandLine(restored!);
    const wrong = await cli.run(['maintenance', 'end', '--stopped-at', '2020-03-01T00:00:00Z']);
    expect(wrong.stderr).toMatch(/stopped-at must be between the backup and the restore/);
    const { send, reply } = await caughtOnTheirWay(restored!);
    const { reconciled } = await cli.json<Released>('maintenance', 'end');
    expect(reconciled[workspace.workspaceId]).toEqual({
      campaigns: 1,
      leads: 8,
      ambiguous: 1,
      replies: 1,
      agents: true,
      arrivals: 1,
    });
    expect(reconciled[deleted]).toMatchObject({ campaigns: 0, leads: 0, arrivals: 0 });
    expect((await cli.run(['maintenance', 'end'])).stderr).toMatch(/^CONFLICT: Maintenance mode is off/);
    await restored!.worker!.get(MaintenanceGateService).poll();
    const read = dataOf<{ status: string }>(await readCampaign(restored!, workspace.key, campaign._id));
    expect(read.status).toBe('paused');

    // A person resumes the campaign without a check: leads that may have got an email stay paused.
    await api(restored).post(`/v1/campaigns/${campaign._id}/resume`).send({}).expect(200);
    await restored!.tick();
    expect(await sendingRests(restored!, workspace.workspaceId)).toBe(true);
    expect(await given()).toEqual(sentBefore);
    const stateOf = async (collection: string, _id: mongo.ObjectId) =>
      (await getDatabase(restored!).collection(collection).findOne({ _id }))?.['state'] as unknown;
    expect(await stateOf('sends', send)).toBe('ambiguous');
    expect(await stateOf('inbox_replies', reply)).toBe('cancelled');
    expect(dataOf(await api(restored).get('/v1/agents/switch'))).toMatchObject({ off: true });
    const leads = dataOf<{ status: string; stopReason: string }[]>(
      await api(restored).get(`/v1/campaigns/${campaign._id}/leads?stopReason=restored`),
    );
    expect(leads).toHaveLength(8);
  });

  it('then continues with the leads that a person has confirmed', async () => {
    const everybody = dataOf<{ email: string }[]>(await api(restored).get(`/v1/campaigns/${campaign._id}/leads`));
    const lookedAt = everybody.map(({ email }) => email).find((email) => !sentBefore.includes(email)) ?? '';
    const [unwritten] = dataOf<{ _id: string }[]>(
      await api(restored).get(`/v1/campaigns/${campaign._id}/leads?search=${encodeURIComponent(lookedAt)}`),
    );
    await api(restored)
      .with({ Authorization: `Bearer ${workspace.key}` })
      .post(`/v1/campaigns/${campaign._id}/leads/action`)
      .send({ action: 'resume', leadIds: [unwritten!._id] })
      .expect(200);
    await restored!.tick();
    expect(await sendingRests(restored!, workspace.workspaceId)).toBe(true);
    expect((await given()).filter((to) => to === lookedAt)).toHaveLength(1);
  });
});

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ 4, at);
  return copy;
}
