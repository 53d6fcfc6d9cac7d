import { SendReadRepository } from '@domain/sends';
import { getModelToken } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { DatabaseModule } from '@platform/database';
import { LogService } from '@platform/observability';
import { TokenSignerService } from '@platform/secrets';
import { openTestDatabase, type TestDatabase } from '@testing';
import { type Model, Types } from 'mongoose';
import { TrackingHitRecord } from '../schemas/tracking-hit.record';
import { TrackingTokenService } from '../tracking-token.service';
import { TrackingHitsService } from './tracking-hits.service';

const workspaceId = new Types.ObjectId();
const MINUTE = 60_000;

let database: TestDatabase;
let records: Model<TrackingHitRecord>;
let tokens: TrackingTokenService;
/** The number of reads of sends. */
let reads = 0;
let broken = false;
/** Marks each email as having reached its limit of records. */
let full: { hitsFullAt?: Date } = {};

const sends = {
  findTracked: (ids: readonly string[]) => {
    reads += 1;
    if (broken) throw new Error('The database is away');
    const found = ids.map(
      (id) => [id, { _id: new Types.ObjectId(id), workspaceId, links: ['https://a.test/'], ...full }] as const,
    );
    return Promise.resolve(new Map(found));
  },
} as unknown as SendReadRepository;

beforeAll(async () => {
  database = await openTestDatabase({ imports: [DatabaseModule.collections(TrackingHitRecord)] });
  records = database.module.get(getModelToken(TrackingHitRecord.name));
  tokens = new TrackingTokenService(database.module.get(TokenSignerService, { strict: false }));
  database.clock.freeze(new Date('2026-03-02T09:00:00Z'));
});
afterAll(() => database.close());

/** One of several API processes. */
const process = () =>
  new TrackingHitsService(records, sends, tokens, database.module.get(ClockPort), database.module.get(LogService));
const visitor = { method: 'GET', address: '192.0.2.1', headers: { 'user-agent': 'Mail' } };
const newId = () => new Types.ObjectId().toHexString();
const of = (sendId: string) => records.find({ workspaceId, sendId }).sort({ firstAt: 1 }).lean();

it('stores a hit before the response, due for classification after twenty seconds', async () => {
  const sendId = newId();
  expect(await process().click(tokens.click(sendId, 0), visitor)).toBe('https://a.test/');
  expect(await of(sendId)).toMatchObject([
    {
      kind: 'click',
      link: 0,
      count: 1,
      userAgent: 'Mail',
      network: '192.0.2.0/24',
      classifyAt: new Date('2026-03-02T09:00:20Z'),
      verdict: null,
    },
  ]);
});

it('counts repetitions in one record, also across processes, without a lost hit', async () => {
  const sendId = newId();
  const token = tokens.open(sendId);
  const processes = Array.from({ length: 5 }, process);
  for (let round = 0; round < 4; round += 1) {
    await Promise.all(processes.flatMap((one) => Array.from({ length: 20 }, () => one.open(token, visitor))));
  }
  expect((await of(sendId)).map(({ count }) => count)).toEqual([400]);
});

it('stores hits with another link, kind, client, method or time separately', async () => {
  const sendId = newId();
  const hits = process();
  await hits.open(tokens.open(sendId), visitor);
  await hits.open(tokens.open(sendId), { ...visitor, address: '192.0.3.1' });
  await hits.open(tokens.open(sendId), { ...visitor, method: 'HEAD' });
  await hits.open(tokens.open(sendId), { ...visitor, headers: { ...visitor.headers, purpose: 'prefetch' } });
  await hits.honeypot(tokens.honeypot(sendId), visitor);
  await hits.click(tokens.click(sendId, 0), visitor);
  database.clock.advance(MINUTE);
  await hits.open(tokens.open(sendId), visitor);
  expect((await of(sendId)).map(({ count }) => count)).toEqual([1, 1, 1, 1, 1, 1, 1]);
});

it('looks up invalid tokens like valid ones', async () => {
  const hits = process();
  const before = reads;
  await hits.open('false', visitor);
  await hits.click('false', visitor);
  expect(reads).toBe(before + 2);
});

it('reads and writes once for many concurrent requests', async () => {
  const hits = process();
  const before = reads;
  const writes = jest.spyOn(records, 'bulkWrite');
  await Promise.all(Array.from({ length: 100 }, () => hits.open(tokens.open(newId()), visitor)));
  expect(reads - before).toBe(1);
  expect(writes).toHaveBeenCalledTimes(1);
  writes.mockRestore();
});

describe('the hits of one email', () => {
  const from = (number: number, more: object = {}) => ({
    ...visitor,
    address: `198.51.${number % 250}.1`,
    headers: { 'user-agent': `Mail ${number}` },
    ...more,
  });
  const flood = async (hits: TrackingHitsService, token: string, times = 500) => {
    const answers: (string | null)[] = [];
    for (let number = 0; number < times; number += 100) {
      const some = Array.from({ length: 100 }, (_, at) => hits.click(token, from(number + at)));
      answers.push(...(await Promise.all(some)));
    }
    return answers;
  };
  const day = () => database.clock.advance(1_440 * MINUTE);

  beforeEach(() => database.clock.freeze(new Date('2026-03-02T09:00:00Z')));
  afterEach(() => {
    full = {};
  });

  it('store at most sixty new clients per minute and kind, with equal responses, and count known clients', async () => {
    const [sendId, hits] = [newId(), process()];
    const answers = await flood(hits, tokens.click(sendId, 0));
    expect(new Set(answers)).toEqual(new Set(['https://a.test/']));
    expect(await of(sendId)).toHaveLength(60);
    await hits.click(tokens.click(sendId, 0), from(0));
    expect((await of(sendId)).map(({ count }) => count).toSorted((one, other) => other - one)[0]).toBe(2);
    // Another kind, another minute and another email have their own budgets.
    await hits.open(tokens.open(sendId), from(1));
    expect(await of(sendId)).toHaveLength(61);
    database.clock.advance(MINUTE);
    await flood(hits, tokens.click(sendId, 0));
    expect(await of(sendId)).toHaveLength(121);
    const other = newId();
    await hits.click(tokens.click(other, 0), visitor);
    expect(await of(other)).toHaveLength(1);
  });

  it('store at most ten per day beyond the limit of records, with equal responses', async () => {
    const [sendId, hits] = [newId(), process()];
    full = { hitsFullAt: new Date() };
    expect(new Set(await flood(hits, tokens.click(sendId, 0)))).toEqual(new Set(['https://a.test/']));
    await hits.open(tokens.open(sendId), visitor);
    expect(await of(sendId)).toHaveLength(10);
    day();
    await hits.open(tokens.open(sendId), visitor);
    expect(await of(sendId)).toHaveLength(11);
  });
});

it('redirects to the target when the hit cannot be stored', async () => {
  const write = jest.spyOn(records, 'bulkWrite').mockRejectedValue(new Error('The database is full'));
  expect(await process().click(tokens.click(newId(), 0), visitor)).toBe('https://a.test/');
  write.mockRestore();
});

it('serves the pixel when the database cannot be read, and reports the error for a link', async () => {
  broken = true;
  await expect(process().open(tokens.open(newId()), visitor)).resolves.toBeUndefined();
  await expect(process().click(tokens.click(newId(), 0), visitor)).rejects.toThrow('The database is away');
  broken = false;
});

it('finds hits by email and by due time through an index', async () => {
  const due = records
    .find({ classifyAt: { $gt: new Date(0), $lte: new Date() } })
    .setOptions({ allWorkspaces: 'a test' })
    .sort({ classifyAt: 1 });
  const ofSend = records.find({ workspaceId, sendId: newId() }).sort({ firstAt: -1 });
  for (const query of [due, ofSend]) {
    expect(JSON.stringify(await query.explain('queryPlanner'))).not.toContain('COLLSCAN');
  }
});
