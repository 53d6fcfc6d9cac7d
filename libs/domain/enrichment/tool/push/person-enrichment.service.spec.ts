import { FakeClock } from '@testing';
import { Types } from 'mongoose';
import { type ItemOutcome, type EnrichmentJobRef, type WorkItem } from '../../item-handlers/item-handler';
import { WorkImpossibleError } from '../../item-handlers/item-handler.errors';
import { type EnrichmentToolRecord } from '../schemas/enrichment-tool.record';
import { PersonEnrichmentService } from './person-enrichment.service';
import { type Round } from './enrichment-row-push.service';

const NOW = new Date('2026-11-25T12:00:00.000Z');
const forever = new AbortController().signal;
const workspaceId = new Types.ObjectId();
const job = { workspaceId, expiresAt: new Date('2026-12-02T12:00:00.000Z') } as EnrichmentJobRef;
const items = (count: number): WorkItem[] =>
  Array.from({ length: count }, (_, at) => ({
    _id: new Types.ObjectId(),
    workspaceId,
    jobId: new Types.ObjectId(),
    email: `p${at}@example.com`,
    leadId: null,
    attempts: 0,
    createdAt: NOW,
  }));
const HANDED: ItemOutcome = { kind: 'handed', until: NOW };

describe('a chunk of rows', () => {
  let atOnce = 0;
  let mostAtOnce = 0;
  let tool: Partial<EnrichmentToolRecord> | null;
  /** The outcome of a row. */
  let handOver: (item: WorkItem, round: Round) => Promise<ItemOutcome>;
  const error = jest.fn();
  let work: PersonEnrichmentService;
  beforeEach(() => {
    error.mockReset();
    [atOnce, mostAtOnce] = [0, 0];
    tool = { enabled: true, cooldownUntil: null };
    handOver = () => Promise.resolve(HANDED);
    const tables = {
      findInUse: () => Promise.resolve(tool),
      openTable: () => ({ webhookUrl: 'https://x/', authToken: null }),
    };
    const rows = {
      handOver: async (item: WorkItem, _person: unknown, round: Round) => {
        mostAtOnce = Math.max(mostAtOnce, (atOnce += 1));
        await new Promise((done) => setImmediate(done));
        return handOver(item, round).finally(() => (atOnce -= 1));
      },
    };
    const clock = new FakeClock();
    clock.freeze(NOW);
    const leads = { listPeople: () => Promise.resolve([]) };
    work = new PersonEnrichmentService(tables as never, rows as never, leads as never, clock, {
      error,
    } as never);
  });

  it('is sent with limited concurrency', async () => {
    const all = items(20);
    const outcomes = await work.run(all, job, forever);
    expect([...outcomes.keys()]).toEqual(all.map(({ _id }) => _id.toHexString()));
    expect(mostAtOnce).toBe(4);
  });

  it('records its completed rows when the worker has to stop', async () => {
    const stop = new AbortController();
    const all = items(12);
    handOver = ({ _id }, { signal }) => {
      if (_id.equals(all[5]!._id)) stop.abort(new Error('going'));
      return signal.aborted ? Promise.reject(signal.reason as Error) : Promise.resolve(HANDED);
    };
    const outcomes = await work.run(all, job, stop.signal);
    expect(outcomes.size).toBeGreaterThanOrEqual(4);
    expect(outcomes.size).toBeLessThan(12);
    expect(new Set(outcomes.values())).toEqual(new Set([HANDED]));
  });

  it('completes all running rows before the job fails', async () => {
    const [first] = items(1);
    handOver = (_item, round) => {
      if (round.stoppedBy) return Promise.reject(round.stoppedBy);
      round.stoppedBy = new WorkImpossibleError('TOOL_NOT_USABLE', 'no');
      return Promise.reject(round.stoppedBy);
    };
    await expect(work.run([first!, ...items(7)], job, forever)).rejects.toMatchObject({ code: 'TOOL_NOT_USABLE' });
    expect(atOnce).toBe(0);
  });

  it('is recorded without a row that failed unexpectedly, and does not send the others again', async () => {
    const all = items(6);
    handOver = ({ _id }) =>
      _id.equals(all[2]!._id) ? Promise.reject(new TypeError('a mistake of ours')) : Promise.resolve(HANDED);
    const outcomes = await work.run(all, job, forever);
    const others = all.filter((_, at) => at !== 2);
    expect([...outcomes.keys()]).toEqual(others.map(({ _id }) => _id.toHexString()));
    expect(error).toHaveBeenCalledTimes(1);
  });

  it.each([
    [new Date(NOW.getTime() + 1), new Date(NOW.getTime() + 1)],
    [NOW, null],
    [null, null],
  ])('knows the cooldown of its tool until %s', async (cooldownUntil, expected) => {
    tool = { enabled: true, cooldownUntil };
    const rests: (Date | null)[] = [];
    handOver = (_item, round) => {
      rests.push(round.cooldownUntil);
      return Promise.resolve(HANDED);
    };
    await work.run(items(1), job, forever);
    expect(rests).toEqual([expected]);
    expect(await work.cooldownUntil(workspaceId.toHexString())).toEqual(cooldownUntil);
  });

  it('needs a tool', async () => {
    tool = null;
    await expect(work.requireReady(workspaceId.toHexString())).rejects.toMatchObject({
      code: 'ENRICHMENT_TOOL_NOT_CONFIGURED',
    });
    await expect(work.run(items(1), job, forever)).rejects.toMatchObject({ code: 'TOOL_NOT_CONFIGURED' });
    expect(await work.cooldownUntil(workspaceId.toHexString())).toBeNull();
  });

  it('is the work of jobs about people', () => {
    expect(work.type).toBe('person_enrichment');
    expect(work.onExpired()).toEqual({ kind: 'failed', reason: 'tool_unavailable' });
  });
});
