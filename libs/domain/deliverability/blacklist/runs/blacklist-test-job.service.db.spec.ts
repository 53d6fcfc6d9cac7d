import { type WorkspaceScope } from '@domain/access';
import { WorkspaceRepository } from '@domain/identity';
import { QueuesService } from '@platform/queues';
import { eventually } from '@testing';
import { Types } from 'mongoose';
import { BlacklistFixture } from '../testing/blacklist-fixture';
import { BlacklistFindingRecord } from '../schemas/blacklist-finding.record';
import { BlacklistTestRecord } from '../schemas/blacklist-test.record';
import { BlacklistZonesService } from '../zones/blacklist-zones.service';
import { MailboxBlacklistStatusRepository } from './mailbox-blacklist-status.repository';
import { BlacklistTestJobRecordService } from './blacklist-test-job-record.service';
import { BlacklistTestsService } from './blacklist-tests.service';
import { SendingAddressRepository } from './sending-address.repository';

const LISTED = { A: ['127.0.0.2'], TXT: ['Seen in spam, see https://bl.test'] };
const HOUR_MS = 3_600_000;

describe('a blacklist test', () => {
  let fixture: BlacklistFixture;
  let workspace: WorkspaceScope;

  beforeAll(async () => {
    fixture = await BlacklistFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    workspace = await fixture.fresh();
  });

  it('looks up the domain, the registered domain and the addresses of the SMTP host, each once for all mailboxes', async () => {
    fixture.publish({ 'smtp.test': { A: ['5.6.7.8'], AAAA: ['2a00::1'] } });
    const ids = [
      await fixture.mailbox(workspace, 'ada@mail.acme.co.uk', 'smtp.test'),
      await fixture.mailbox(workspace, 'bob@mail.acme.co.uk', 'smtp.test'),
      await fixture.mailbox(workspace, 'eve@acme.co.uk', '5.6.7.8'),
    ];
    const test = await fixture.test(workspace, ...ids);
    expect(fixture.asked()).toEqual(
      [
        '8.7.6.5.bl.test',
        '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.a.2.bl6.test',
        'acme.co.uk.dbl.test',
        'mail.acme.co.uk.dbl.test',
        'smtp.test',
      ].toSorted(),
    );
    expect(test).toMatchObject({
      status: 'completed',
      overallSummary: { totalChecked: 3, clean: 3, blacklisted: 0 },
      progress: { done: 4, total: 4 },
      error: null,
    });
    expect(test.results[0]!.subjects).toEqual([
      { subject: 'mail.acme.co.uk', kind: 'domain', source: 'domain' },
      { subject: 'acme.co.uk', kind: 'domain', source: 'registered_domain' },
      { subject: '5.6.7.8', kind: 'ipv4', source: 'smtp_host' },
      { subject: '2a00::1', kind: 'ipv6', source: 'smtp_host' },
    ]);
  });

  it('reports where a mailbox is listed, why, and how to get delisted', async () => {
    fixture.publish({ 'bad.example.dbl.test': LISTED, '9.6.7.5.bl.test': { A: ['127.0.0.9'] } });
    const bad = await fixture.mailbox(workspace, 'ada@bad.example', '5.7.6.9');
    const good = await fixture.mailbox(workspace, 'ada@good.example', '5.7.6.1');
    const test = await fixture.test(workspace, bad, good);
    expect(test.overallSummary).toEqual({ totalChecked: 2, clean: 1, blacklisted: 1 });
    expect(test.results[0]).toMatchObject({
      mailboxId: bad,
      verdict: 'blacklisted',
      impact: 100,
      counts: { listed: 2, clear: 0, unknown: 0, zone_broken: 0 },
      listings: [
        {
          subject: 'bad.example',
          zone: 'dbl.test',
          result: 'listed',
          listing: 'abuse',
          codes: ['127.0.0.2'],
          reason: 'Seen in spam, see https://bl.test',
          weight: 100,
          removalUrl: 'https://dbl.test/out',
        },
        { subject: '5.7.6.9', zone: 'bl.test', codes: ['127.0.0.9'], reason: null, removalUrl: 'https://bl.test/out' },
      ],
    });
    expect(test.results[1]).toMatchObject({ verdict: 'clean', impact: 0, counts: { clear: 2 }, listings: [] });
    const { checks } = await fixture.get(BlacklistTestsService).checks(workspace, test._id, good);
    expect(checks).toMatchObject([
      { subject: 'good.example', zone: 'dbl.test', result: 'clear', removalUrl: null },
      { subject: '5.7.6.1', zone: 'bl.test', result: 'clear' },
    ]);
  });

  it('reports what it does not check, and why', async () => {
    fixture.publish({ 'inside.test': { A: ['10.0.0.1'] }, 'slow.test': 'timeout' });
    const ids = [
      await fixture.mailbox(workspace, 'a@acme.example', 'google'),
      await fixture.mailbox(workspace, 'b@acme.example', 'inside.test'),
      await fixture.mailbox(workspace, 'c@acme.example', 'slow.test'),
      await fixture.mailbox(workspace, 'd@acme.example', 'nowhere.test'),
      await fixture.mailbox(workspace, 'e@acme.example', '127.0.0.1'),
    ];
    const { results } = await fixture.test(workspace, ...ids);
    expect(results.map(({ notChecked }) => notChecked)).toEqual(
      ['shared_addresses', 'private_address', 'host_unanswered', 'host_unknown', 'private_address'].map((reason) => [
        { what: 'addresses', reason },
      ]),
    );
    expect(fixture.asked().filter((name) => name.endsWith('bl.test'))).toEqual(['acme.example.dbl.test']);
  });

  it('looks up the addresses from which the mailbox has sent, even those of a provider', async () => {
    const google = await fixture.mailbox(workspace, 'a@acme.example', 'google');
    const addresses = fixture.get(SendingAddressRepository);
    for (const address of ['5.5.5.1', '10.0.0.1', 'unknown', '5.5.5.2']) {
      fixture.clock.advance(1_000);
      await addresses.learn(workspace.workspaceId, google, address);
    }
    const { results } = await fixture.test(workspace, google);
    expect(results[0]).toMatchObject({
      notChecked: [],
      subjects: [
        { subject: 'acme.example' },
        { subject: '5.5.5.2', source: 'learned' },
        { subject: '5.5.5.1', source: 'learned' },
      ],
    });
  });

  it.each([
    ['a zone that lists every subject', { '*.bl.test': { A: ['127.0.0.2'] } }, 'broken', 'zone_broken'],
    ['a zone with a new owner', { '*.bl.test': { A: ['1.2.3.4'] } }, 'broken', 'zone_broken'],
    ['a zone without listings', {}, 'broken', 'zone_broken'],
    ['a zone that refuses us', { '*.bl.test': { A: ['127.255.255.254'] } }, 'refused', 'unknown'],
    ['a zone whose server refuses us', { '*.bl.test': 'refused' }, 'refused', 'unknown'],
    ['a zone that does not answer', { '*.bl.test': 'timeout' }, 'silent', 'unknown'],
    [
      'a zone with a loop of aliases',
      { '*.bl.test': { CNAME: 'loop.bl.test' }, 'loop.bl.test': { CNAME: 'loop.bl.test' } },
      'silent',
      'unknown',
    ],
  ] as const)('ignores all answers of %s, and does not query it again', async (_what, table, outcome, result) => {
    fixture.dns.zone.remove('2.0.0.127.bl.test');
    fixture.publish(table);
    const mailbox = await fixture.mailbox(workspace, 'a@acme.example', '5.6.7.8');
    const test = await fixture.test(workspace, mailbox);
    expect(test).toMatchObject({
      status: 'completed',
      overallSummary: { totalChecked: 1, clean: 1, blacklisted: 0 },
    });
    const { checks } = await fixture.get(BlacklistTestsService).checks(workspace, test._id, mailbox);
    expect(checks.find(({ zone }) => zone === 'bl.test')).toMatchObject({
      result,
      meaning: expect.any(String) as unknown,
    });
    expect(fixture.asked()).toEqual(['acme.example.dbl.test']);
    const zones = await fixture.get(BlacklistZonesService).list();
    expect(zones.find(({ zone }) => zone === 'bl.test')?.selfTest).toMatchObject({ outcome });
  });

  it('treats one refused query neither as listed nor as not listed', async () => {
    fixture.publish({ '8.7.6.5.bl.test': { A: ['127.255.255.255'] } });
    const mailbox = await fixture.mailbox(workspace, 'a@acme.example', '5.6.7.8');
    const { overallSummary, results } = await fixture.test(workspace, mailbox);
    expect(overallSummary).toEqual({ totalChecked: 1, clean: 1, blacklisted: 0 });
    expect(results[0]!.counts).toEqual({ listed: 0, clear: 1, unknown: 1, zone_broken: 0 });
  });

  it('fails with the reason when no zone answers, and records no completion', async () => {
    fixture.publish({ '*.dbl.test': 'timeout', 'test.dbl.test': 'timeout' });
    const mailbox = await fixture.mailbox(workspace, 'a@acme.example', 'google');
    const test = await fixture.test(workspace, mailbox);
    expect(test).toMatchObject({
      status: 'failed',
      overallSummary: { totalChecked: 0, clean: 0, blacklisted: 0 },
      error: { code: 'BLACKLISTS_SILENT' },
      completedAt: expect.any(String) as unknown,
      results: [{ verdict: 'unknown', counts: { unknown: 1 } }],
    });
    expect(await fixture.events(workspace, 'blacklist.completed')).toEqual([]);
  });

  it('stops querying a zone that no longer answers', async () => {
    fixture.publish({ '*.bl.test': 'timeout' });
    const hosts = Array.from({ length: 40 }, (_, at) => ({ email: `m${at}@acme.example`, smtpHost: `5.6.8.${at}` }));
    const test = await fixture.test(workspace, ...(await fixture.mailboxes(workspace, hosts)));
    expect(test).toMatchObject({ status: 'completed', progress: { done: 41, total: 41 } });
    const asked = fixture.asked().filter((name) => name.endsWith('.bl.test'));
    // Five failures in a row, and the lookups that were in flight.
    expect(asked.length).toBeGreaterThanOrEqual(5);
    expect(asked.length).toBeLessThanOrEqual(5 + 16);
  });

  it('tests each zone only from time to time', async () => {
    const mailbox = await fixture.mailbox(workspace, 'a@acme.example', '5.6.7.8');
    const selfTests = () => fixture.dns.queries.filter(({ fresh }) => fresh).length;
    await fixture.test(workspace, mailbox);
    expect(selfTests()).toBe(4);
    fixture.clock.advance(5 * HOUR_MS);
    await fixture.test(workspace, mailbox);
    expect(selfTests()).toBe(4);
    fixture.clock.advance(1.5 * HOUR_MS);
    await fixture.test(workspace, mailbox);
    expect(selfTests()).toBe(8);
  });

  it('skips deleted mailboxes, and fails when none remains', async () => {
    const mailbox = await fixture.mailbox(workspace, 'a@acme.example', 'google');
    const { _id } = await fixture.begin(workspace, mailbox);
    const mailboxes = fixture.model({ name: 'MailboxRecord' });
    await mailboxes.deleteOne({ workspaceId: workspace.workspaceId, _id: new Types.ObjectId(mailbox) });
    await fixture.run(workspace, _id);
    expect(await fixture.read(workspace, _id)).toMatchObject({
      status: 'failed',
      error: { code: 'MAILBOXES_GONE' },
      results: [{ notChecked: [{ what: 'mailbox', reason: 'mailbox_deleted' }] }],
    });
  });

  it('records one event for its completion and one for each mailbox that becomes listed', async () => {
    fixture.publish({ 'bad.example.dbl.test': LISTED });
    const mailbox = await fixture.mailbox(workspace, 'ada@bad.example', 'google');
    const first = await fixture.test(workspace, mailbox);
    await fixture.run(workspace, first._id);
    expect(await fixture.events(workspace, 'blacklist.completed')).toMatchObject([
      { data: { testId: first._id, testCode: first.testCode, totalChecked: 1, clean: 0, blacklisted: 1 } },
    ]);
    const told = [
      {
        mailboxId: new Types.ObjectId(mailbox),
        data: { mailboxId: mailbox, email: 'ada@bad.example', zones: ['dbl.test'], testId: first._id },
      },
    ];
    expect(await fixture.events(workspace, 'mailbox.blacklisted')).toMatchObject(told);
    // Still listed; then unknown, which does not end the listing; then delisted; then listed again.
    await fixture.test(workspace, mailbox);
    fixture.publish({ 'bad.example.dbl.test': { A: ['127.255.255.255'] } });
    await fixture.test(workspace, mailbox);
    fixture.publish({ 'bad.example.dbl.test': LISTED });
    await fixture.test(workspace, mailbox);
    expect(await fixture.events(workspace, 'mailbox.blacklisted')).toHaveLength(1);
    fixture.dns.zone.remove('bad.example.dbl.test');
    await fixture.test(workspace, mailbox);
    const of = () =>
      fixture
        .get(MailboxBlacklistStatusRepository)
        .find(new Types.ObjectId(workspace.workspaceId), [new Types.ObjectId(mailbox)]);
    expect((await of()).get(mailbox)).toMatchObject({ listings: [] });
    fixture.publish({ 'bad.example.dbl.test': LISTED });
    const last = await fixture.test(workspace, mailbox);
    const all = await fixture.events(workspace, 'mailbox.blacklisted');
    expect(all).toHaveLength(2);
    expect(all.map(({ data }) => data['testId'])).toContain(last._id);
    expect((await of()).get(mailbox)).toMatchObject({ listings: [{ zone: 'dbl.test', subject: 'bad.example' }] });
  });

  describe('that is interrupted', () => {
    const HOSTS = Array.from({ length: 60 }, (_, at) => ({ email: `m${at}@acme.example`, smtpHost: `5.6.9.${at}` }));

    it('keeps its findings when it must stop, and repeats no finished lookup', async () => {
      const { _id } = await fixture.begin(workspace, ...(await fixture.mailboxes(workspace, HOSTS)));
      const stop = new AbortController();
      let questions = 0;
      const never = new Promise<void>(() => undefined);
      fixture.dns.delays = ({ fresh, name }) => {
        if (!fresh && name.endsWith('bl.test') && (questions += 1) > 25) {
          if (questions === 28) stop.abort(new Error('stopping'));
          return never;
        }
        return Promise.resolve();
      };
      await expect(fixture.run(workspace, _id, stop.signal)).rejects.toThrow('stopping');
      const kept = await fixture.read(workspace, _id);
      expect(kept).toMatchObject({
        status: 'running',
        completedAt: null,
        progress: { total: 61 },
      });
      expect(kept.progress.done).toBeGreaterThanOrEqual(24);
      fixture.dns.delays = undefined;
      fixture.dns.queries.length = 0;
      await fixture.run(workspace, _id);
      expect(await fixture.read(workspace, _id)).toMatchObject({
        status: 'completed',
        progress: { done: 61, total: 61 },
      });
      // Only the lookups that were in flight are repeated.
      expect(fixture.asked()).toHaveLength(61 - kept.progress.done);
      expect(fixture.dns.queries.filter(({ fresh }) => fresh)).toEqual([]);
    });

    it('continues after its last stored finding when its worker was killed', async () => {
      const { _id } = await fixture.begin(workspace, ...(await fixture.mailboxes(workspace, HOSTS)));
      const killed = new Promise<void>(() => undefined);
      let questions = 0;
      const stuck = new Promise<void>((resolve) => {
        fixture.dns.delays = ({ fresh, name }) => {
          if (fresh || !name.endsWith('bl.test')) return Promise.resolve();
          questions += 1;
          if (questions === 41) resolve();
          return questions > 40 ? killed : Promise.resolve();
        };
      });
      // A crashed worker keeps its lease until it expires.
      void fixture.run(workspace, _id);
      await stuck;
      const findings = fixture.model<BlacklistFindingRecord>(BlacklistFindingRecord);
      const ofTest = { workspaceId: workspace.workspaceId, testId: new Types.ObjectId(_id) };
      await eventually('what was answered is written', async () => (await findings.countDocuments(ofTest)) === 40);
      fixture.dns.delays = undefined;
      fixture.dns.queries.length = 0;
      await fixture.run(workspace, _id);
      expect(fixture.asked()).toEqual([]);
      await fixture
        .model<BlacklistTestRecord>(BlacklistTestRecord)
        .updateOne({ _id, workspaceId: workspace.workspaceId }, { leaseUntil: new Date(0) });
      await fixture.run(workspace, _id);
      expect(await fixture.read(workspace, _id)).toMatchObject({
        status: 'completed',
        progress: { done: 61, total: 61 },
      });
      expect(fixture.asked()).toHaveLength(61 - 40);
      const subjects = (await findings.find(ofTest).lean<BlacklistFindingRecord[]>()).map(({ subject }) => subject);
      expect(new Set(subjects)).toHaveProperty('size', 61);
      expect(subjects).toHaveLength(61);
    });

    it('stops soon after it is cancelled, and keeps its findings', async () => {
      const { _id } = await fixture.begin(workspace, ...(await fixture.mailboxes(workspace, HOSTS)));
      let questions = 0;
      let cancelled: Promise<unknown> = Promise.resolve();
      fixture.dns.delays = async ({ fresh, name }) => {
        if (fresh || !name.endsWith('.bl.test')) return;
        questions += 1;
        if (questions === 10) cancelled = fixture.get(BlacklistTestsService).cancel(workspace, _id);
        if (questions >= 10) await cancelled;
      };
      await fixture.run(workspace, _id);
      expect(await fixture.read(workspace, _id)).toMatchObject({ status: 'cancelled' });
      // Only the lookups that were in flight.
      expect(questions).toBeLessThanOrEqual(10 + 2 * 16);
      expect(await fixture.events(workspace, 'blacklist.completed')).toEqual([]);
    });

    it('is given up when it makes no progress', async () => {
      const { _id } = await fixture.begin(workspace, await fixture.mailbox(workspace, 'a@acme.example', 'google'));
      const where = { workspaceId: workspace.workspaceId, _id: new Types.ObjectId(_id) };
      await fixture.model<BlacklistTestRecord>(BlacklistTestRecord).updateOne(where, { attempts: 20 });
      await fixture.run(workspace, _id);
      expect(await fixture.read(workspace, _id)).toMatchObject({
        status: 'failed',
        error: { code: 'BLACKLIST_TEST_STUCK' },
      });
      expect(fixture.dns.queries).toEqual([]);
    });
  });

  it('is executed once, whatever the number of workers', async () => {
    const mailbox = await fixture.mailbox(workspace, 'a@acme.example', '5.6.7.8');
    const { _id } = await fixture.begin(workspace, mailbox);
    await Promise.all([1, 2, 3].map(() => fixture.run(workspace, _id)));
    expect(fixture.asked()).toEqual(['8.7.6.5.bl.test', 'acme.example.dbl.test']);
    expect(await fixture.events(workspace, 'blacklist.completed')).toHaveLength(1);
  });

  it('is not executed for a deleted workspace, and its job is enqueued again after Redis was emptied', async () => {
    const { _id } = await fixture.begin(workspace, await fixture.mailbox(workspace, 'a@acme.example', 'google'));
    const alive = jest.spyOn(fixture.get(WorkspaceRepository), 'filterAlive').mockResolvedValue(new Set());
    await fixture.run(workspace, _id);
    expect(await fixture.get(BlacklistTestJobRecordService).sweep()).toBe(0);
    alive.mockRestore();
    expect(await fixture.read(workspace, _id)).toMatchObject({ status: 'pending', startedAt: null });
    await fixture.get(QueuesService).obliterate();
    // The workspace is restored, which the job notices after ten minutes.
    fixture.clock.advance(700_000);
    expect(await fixture.get(BlacklistTestJobRecordService).sweep()).toBeGreaterThanOrEqual(1);
    expect(await fixture.get(BlacklistTestJobRecordService).sweep()).toBe(0);
  });
});
