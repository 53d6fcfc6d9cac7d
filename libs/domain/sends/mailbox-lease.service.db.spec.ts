import { type MailboxLease } from './mailbox-lease';
import { id, SendsFixture } from './testing/sends-fixture';

const MINUTE = 60_000;
const START = new Date('2026-03-02T09:00:00Z');
const at = (minutes: number): Date => new Date(START.getTime() + minutes * MINUTE);

let fixture: SendsFixture;
const workspaceId = id();
let mailboxId: string;

beforeAll(async () => {
  fixture = await SendsFixture.open();
  await fixture.reachable();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  fixture.clock.freeze(START);
  mailboxId = id();
  await fixture.queue.obliterate({ force: true });
});

const stored = (mailbox = mailboxId) => fixture.leaseRecords.findOne({ _id: mailbox, workspaceId }).lean();
const nextAt = async () => (await stored())?.nextAt ?? null;
const jobIds = async () => (await fixture.queue.getJobs(['delayed', 'waiting'])).map((job) => job.id);
const acquire = async (): Promise<MailboxLease> => {
  const lease = await fixture.leases.acquire(mailboxId);
  if (!lease) throw new Error('not taken');
  return lease;
};
const expire = () =>
  fixture.leaseRecords.updateOne({ _id: mailboxId, workspaceId }, { $set: { leaseUntil: new Date(Date.now() - 1) } });

describe('scheduling a run', () => {
  it('schedules the first run of a mailbox, with a job for that moment', async () => {
    await fixture.leases.scheduleNow(workspaceId, [mailboxId], at(5));
    expect(await stored()).toMatchObject({ nextAt: at(5), fence: 0, dayUsed: 0, slots: [], stopped: null });
    const [job] = await fixture.queue.getJobs(['delayed']);
    expect(job).toMatchObject({ data: { workspaceId, partitionId: mailboxId }, opts: { delay: 5 * MINUTE } });
  });

  it('moves the run if it is earlier, leaves it if it is later, and adds one job per run', async () => {
    await fixture.leases.scheduleNow(workspaceId, [mailboxId], at(5));
    await fixture.leases.scheduleNow(workspaceId, [mailboxId, mailboxId], at(7));
    expect(await nextAt()).toEqual(at(5));
    expect(await jobIds()).toHaveLength(1);
    await fixture.leases.scheduleNow(workspaceId, [mailboxId], at(1));
    expect(await nextAt()).toEqual(at(1));
  });

  it('schedules a run for an idle mailbox', async () => {
    await fixture.leases.scheduleNow(workspaceId, [mailboxId]);
    await fixture.leases.complete(await acquire(), null);
    expect(await nextAt()).toBeNull();
    await fixture.leases.scheduleNow(workspaceId, [mailboxId], at(3));
    expect(await nextAt()).toEqual(at(3));
  });

  it('keeps the budget, the lease and the reason for which the mailbox is stopped', async () => {
    await fixture.leases.scheduleNow(workspaceId, [mailboxId]);
    const lease = await acquire();
    await fixture.leases.writeBudget(lease, {
      lastSentAt: at(0),
      sentBefore: null,
      day: '2026-03-02',
      dayUsed: 3,
      dayWarmup: 1,
      slots: [],
      recent: [],
    });
    await fixture.leases.stop(workspaceId, mailboxId, { code: '550', message: 'policy' });
    await fixture.leases.scheduleNow(workspaceId, [mailboxId]);
    expect(await stored()).toMatchObject({ dayUsed: 3, holder: lease.holder, fence: 1, stopped: { code: '550' } });
  });

  it('ten times at once for a new mailbox schedules one run', async () => {
    for (let round = 0; round < 5; round++) {
      const mailbox = id();
      await Promise.all(
        Array.from({ length: 10 }, (_each, index) => fixture.leases.scheduleNow(workspaceId, [mailbox], at(index))),
      );
      expect((await stored(mailbox))?.nextAt).toEqual(at(0));
    }
  });

  it('in ten concurrent transactions schedules the earliest requested time', async () => {
    await Promise.all(
      Array.from({ length: 10 }, (_each, index) =>
        fixture.transactions.run(() => fixture.leases.schedule(workspaceId, [mailboxId], at(10 - index))),
      ),
    );
    expect(await nextAt()).toEqual(at(1));
  });

  it('in a transaction that fails schedules nothing', async () => {
    const failing = fixture.transactions.run(async () => {
      await fixture.leases.schedule(workspaceId, [mailboxId], at(1));
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect(await stored()).toBeNull();
  });

  it('works for thousands of mailboxes', async () => {
    const many = Array.from({ length: 3_000 }, id);
    await fixture.leases.scheduleNow(workspaceId, many, at(2));
    expect(await fixture.leaseRecords.countDocuments({ workspaceId, _id: { $in: many }, nextAt: at(2) })).toBe(3_000);
    expect(await fixture.queue.getJobCountByTypes('delayed')).toBe(3_000);
  });

  it('with its job is refused inside a transaction', async () => {
    const run = (work: () => Promise<unknown>) => fixture.transactions.run(work);
    await expect(run(() => fixture.leases.scheduleNow(workspaceId, [mailboxId]))).rejects.toThrow(
      'inside a transaction',
    );
    await expect(run(() => fixture.leases.enqueue(workspaceId, [mailboxId]))).rejects.toThrow('inside a transaction');
  });
});

describe('a mailbox lease', () => {
  beforeEach(() => fixture.leases.scheduleNow(workspaceId, [mailboxId]));

  it('is acquired by one of twenty concurrent workers', async () => {
    const acquired = await Promise.all(Array.from({ length: 20 }, () => fixture.leases.acquire(mailboxId)));
    expect(acquired.filter((lease) => lease !== null)).toHaveLength(1);
    expect(acquired.find((lease) => lease !== null)).toMatchObject({
      workspaceId,
      mailboxId,
      fence: 1,
      plannedFor: START,
    });
  });

  it('is acquired by one of twenty workers after its holder’s lease has expired', async () => {
    await acquire();
    await expire();
    const acquired = await Promise.all(Array.from({ length: 20 }, () => fixture.leases.acquire(mailboxId)));
    const won = acquired.filter((lease) => lease !== null);
    expect(won).toHaveLength(1);
    expect(won[0]?.fence).toBe(2);
  });

  it('is refused for a mailbox without a scheduled run, and for an invalid id', async () => {
    expect(await fixture.leases.acquire(id())).toBeNull();
    expect(await fixture.leases.acquire('nonsense')).toBeNull();
  });

  it('contains the budget that was used before', async () => {
    const budget = {
      lastSentAt: at(-1),
      sentBefore: at(-2),
      day: '2026-03-02',
      dayUsed: 2,
      dayWarmup: 1,
      slots: [{ at: at(-5), used: 2 }],
      recent: [at(-1)],
    };
    const first = await acquire();
    expect(first).toMatchObject({ lastSentAt: null, day: '', dayUsed: 0, slots: [], recent: [], stopped: null });
    expect(await fixture.leases.writeBudget(first, budget)).toBe(true);
    await fixture.leases.complete(first, START);
    expect(await acquire()).toMatchObject(budget);
    const states = await fixture.leases.findStates(workspaceId, [mailboxId, id()]);
    expect([...states.keys()]).toEqual([mailboxId]);
    expect(states.get(mailboxId)).toMatchObject(budget);
    expect((await fixture.leases.findStates(id(), [mailboxId])).size).toBe(0);
  });

  it('is extended by its holder', async () => {
    const lease = await acquire();
    await expire();
    expect(await fixture.leases.renew(lease)).toBe(true);
    expect(await fixture.leases.acquire(mailboxId)).toBeNull();
  });

  it('that was lost can be neither renewed, nor charged, nor completed', async () => {
    const late = await acquire();
    await expire();
    const current = await acquire();
    const used = { day: 'late', dayUsed: 9, dayWarmup: 0, slots: [], recent: [] };
    const budget = { lastSentAt: at(0), sentBefore: null, ...used };
    expect(await fixture.leases.renew(late)).toBe(false);
    expect(await fixture.leases.writeBudget(late, budget)).toBe(false);
    expect(await fixture.leases.complete(late, at(99))).toBe(false);
    expect(await stored()).toMatchObject({ holder: current.holder, fence: 2, day: '' });
    expect(await fixture.leases.complete(current, at(1))).toBe(true);
  });

  it('that was completed is over for its holder too', async () => {
    const lease = await acquire();
    await fixture.leases.complete(lease, at(1));
    expect(await fixture.leases.renew(lease)).toBe(false);
    expect(await fixture.leases.complete(lease, at(2))).toBe(false);
    expect(await nextAt()).toEqual(at(1));
  });

  it('is completed with the next run and its job', async () => {
    await fixture.queue.obliterate({ force: true });
    await fixture.leases.complete(await acquire(), at(2));
    expect(await nextAt()).toEqual(at(2));
    expect(await jobIds()).toHaveLength(1);
  });

  it('is completed without a next run or job if nothing is to be done', async () => {
    await fixture.queue.obliterate({ force: true });
    await fixture.leases.complete(await acquire(), null);
    expect(await nextAt()).toBeNull();
    expect(await jobIds()).toEqual([]);
  });

  it.each([
    ['the holder schedules no run', null, 1],
    ['the holder schedules a later run', 5, 1],
    ['the holder schedules an earlier run', 0.5, 0.5],
  ])('keeps the earlier time if a run is requested meanwhile: %s', async (_what, planned, expected) => {
    const lease = await acquire();
    await fixture.leases.scheduleNow(workspaceId, [mailboxId], at(1));
    await fixture.leases.complete(lease, planned === null ? null : at(planned));
    expect(await nextAt()).toEqual(at(expected));
  });

  it('schedules a run that is requested meanwhile, although its own run was due earlier', async () => {
    fixture.clock.advance(MINUTE);
    const lease = await acquire(); // Scheduled for START, a minute ago.
    await fixture.leases.scheduleNow(workspaceId, [mailboxId]);
    await fixture.leases.complete(lease, null);
    expect(await nextAt()).toEqual(at(1));
    // A job of its own, even if the job that was enqueued during the run is active now.
    expect(await jobIds()).toContain(`partition-${mailboxId}-${at(1).getTime()}-2`);
  });

  it('ignores a request that an earlier run has already observed', async () => {
    await fixture.leases.complete(await acquire(), at(1));
    await fixture.leases.complete(await acquire(), at(9));
    expect(await nextAt()).toEqual(at(9));
  });

  it('that races with requests, each after the last run, is never completed without observing them', async () => {
    for (let round = 0; round < 30; round++) {
      const lease = await acquire();
      await Promise.all([
        fixture.leases.scheduleNow(workspaceId, [mailboxId], at(1)),
        fixture.leases.complete(lease, round % 2 ? at(30) : null),
      ]);
      expect(await nextAt()).toEqual(at(1));
      await fixture.leases.complete(await acquire(), null);
    }
  });
});

describe('a stop', () => {
  it('remains until it is cleared', async () => {
    await fixture.leases.scheduleNow(workspaceId, [mailboxId]);
    expect(await fixture.leases.clearStop(workspaceId, mailboxId)).toBe(false);
    await fixture.leases.stop(workspaceId, mailboxId, { code: '554', message: 'Blocked' });
    expect((await acquire()).stopped).toEqual({ code: '554', message: 'Blocked', at: START });
    expect(await fixture.leases.clearStop(id(), mailboxId)).toBe(false);
    expect(await fixture.leases.clearStop(workspaceId, mailboxId)).toBe(true);
    expect((await stored())?.stopped).toBeNull();
  });
});
