import { EventsService } from '@domain/events';
import { HISTORY_DAYS, HealthEntryRecord } from '../schemas/health-entry.record';
import { HealthFixture, wellKept, withSpf } from '../testing';
import { DomainHealthService } from './domain-health.service';

const HOUR = 3_600_000;

let fixture: HealthFixture;
let domain: string;

beforeAll(async () => {
  fixture = await HealthFixture.open();
});
afterAll(() => fixture.engine.close());
beforeEach(async () => {
  await fixture.fresh();
  domain = fixture.domain();
});

const broken = (name = domain) => withSpf(name, 'v=spf1 -all', 'v=spf1 ~all');

/** Sets what the next scheduled check finds. */
async function finds(zone: Parameters<HealthFixture['dns']['zone']['change']>[0]): Promise<void> {
  fixture.dns.zone.change(zone);
  fixture.engine.clock.freeze((await fixture.healthOf(domain)).nextCheckAt);
  await fixture.work();
}

describe('events', () => {
  it('do not report the first check, even when something fails', async () => {
    fixture.dns.zone.change(broken());
    await fixture.mailboxes(domain);
    await fixture.work();
    expect(await fixture.healthOf(domain)).toMatchObject({ statuses: { spf: 'fail' } });
    expect(await fixture.told()).toEqual([]);
  });

  it('report for each mailbox of the domain when a check starts and stops failing', async () => {
    const ids = await fixture.mailboxes(domain, 2);
    await fixture.work();
    await finds(broken());
    const at = fixture.engine.clock.now();
    const began = await fixture.told();
    expect(began.map(({ mailboxId }) => String(mailboxId)).toSorted()).toEqual(ids.toSorted());
    expect(began[0]).toMatchObject({
      at,
      data: {
        email: expect.stringContaining(`@${domain}`) as string,
        domain,
        check: 'spf',
        from: 'pass',
        to: 'fail',
        healthScore: 70,
        problems: [expect.stringMatching(/^[a-z_]+$/)],
      },
    });
    await finds(wellKept(domain));
    const [, , mended] = await fixture.told();
    expect(mended?.data).toMatchObject({ check: 'spf', from: 'fail', to: 'pass', healthScore: 100, problems: [] });
    expect(await fixture.told()).toHaveLength(4);
  });

  it('are not recorded as long as nothing changes', async () => {
    await fixture.mailboxes(domain);
    await fixture.work();
    await finds(broken());
    await finds(broken());
    expect(await fixture.told()).toHaveLength(1);
  });

  it('do not report unknown results, nor the change to or from them', async () => {
    await fixture.mailboxes(domain);
    await fixture.work();
    fixture.silence(domain);
    await finds({});
    expect(await fixture.healthOf(domain)).toMatchObject({ statuses: { spf: 'unknown' } });
    await finds(wellKept(domain));
    expect(await fixture.told()).toEqual([]);
  });

  it('report a failure that began while the result was unknown', async () => {
    await fixture.mailboxes(domain);
    await fixture.work();
    fixture.silence(domain);
    await finds({});
    await finds(broken());
    expect((await fixture.told()).map(({ data }) => data)).toMatchObject([{ check: 'spf', from: 'pass', to: 'fail' }]);
  });

  it('are recorded once, even when another run repeats them after a crash', async () => {
    await fixture.mailboxes(domain, 3);
    await fixture.work();
    const write = jest.spyOn(fixture.engine.get(EventsService), 'recordAll');
    write.mockImplementationOnce(async (...given) => {
      write.mockRestore();
      await fixture.engine.get(EventsService).recordAll(...given);
      throw new Error('killed');
    });
    await expect(finds(broken())).rejects.toThrow('killed');
    expect(await fixture.told()).toHaveLength(3);
    const stored = await fixture.healthOf(domain);
    expect(stored.pendingEvents).not.toBeNull();
    await fixture.engine.get(DomainHealthService).notifyMailboxes(stored);
    fixture.engine.clock.advance(5 * 60_000);
    await fixture.work();
    expect(await fixture.told()).toHaveLength(3);
    expect((await fixture.healthOf(domain)).pendingEvents).toBeNull();
  });

  it('carry the time of the check, however late they are recorded', async () => {
    await fixture.mailboxes(domain);
    await fixture.work();
    jest.spyOn(fixture.engine.get(DomainHealthService), 'notifyMailboxes').mockRejectedValueOnce(new Error('killed'));
    await expect(finds(broken())).rejects.toThrow('killed');
    jest.restoreAllMocks();
    const at = fixture.engine.clock.now();
    fixture.engine.clock.advance(HOUR);
    await fixture.work();
    expect(await fixture.told()).toMatchObject([{ at }]);
  });

  it('are recorded for each of many mailboxes', async () => {
    await fixture.manyMailboxes(domain, 1_100);
    await fixture.work();
    await finds(broken());
    const told = await fixture.told();
    expect(new Set(told.map(({ mailboxId }) => String(mailboxId))).size).toBe(1_100);
    expect(told).toHaveLength(1_100);
  });
});

describe('the history', () => {
  it('has the first check, each change, and the first of each day', async () => {
    await fixture.mailboxes(domain);
    await fixture.work();
    const checkAt = async (time: string) => {
      fixture.engine.clock.freeze(new Date(time));
      await fixture.engine.get(DomainHealthService).examineNow(await fixture.healthOf(domain), { force: false });
    };
    fixture.dns.zone.change(broken());
    const times = ['2026-11-25T13:00Z', '2026-11-25T23:59:59.999Z', '2026-11-26T00:00:10Z', '2026-11-26T12:00Z'];
    for (const time of times) await checkAt(time);
    expect(await fixture.entriesOf(domain)).toMatchObject([
      { healthScore: 100, transitions: [] },
      { healthScore: 70, transitions: [{ check: 'spf', from: 'pass', to: 'fail' }] },
      { healthScore: 70, transitions: [], createdAt: new Date('2026-11-26T00:00:10Z') },
    ]);
  });

  it('has an entry for an unknown result although the score stays', async () => {
    await fixture.mailboxes(domain);
    await fixture.work();
    fixture.dns.zone.change({ [`_dmarc.${domain}`]: 'servfail' });
    fixture.engine.clock.advance(HOUR);
    await fixture.engine.get(DomainHealthService).examineNow(await fixture.healthOf(domain), { force: false });
    expect(await fixture.entriesOf(domain)).toMatchObject([
      { healthScore: 100, statuses: { dmarc: 'pass' } },
      { healthScore: 100, statuses: { dmarc: 'unknown' }, transitions: [] },
    ]);
  });

  it('is found by an index, and expires after 90 days', async () => {
    const { workspaceId } = fixture.workspace;
    const entries = fixture.engine.model<HealthEntryRecord>(HealthEntryRecord);
    const plan = await entries.find({ workspaceId, domain }).sort({ createdAt: -1, _id: -1 }).limit(26).explain();
    expect(JSON.stringify(plan)).toContain('"indexName":"workspaceId_1_domain_1_createdAt_-1__id_-1"');
    const indexes = await entries.collection.indexes();
    const seconds = indexes.flatMap(({ expireAfterSeconds }) => expireAfterSeconds ?? []);
    expect(seconds).toEqual([HISTORY_DAYS * 86_400]);
  });
});
