import { SendTracking } from '@domain/sends';
import { getModelToken } from '@nestjs/mongoose';
import { Clock } from '@platform/clock';
import { DatabaseModule } from '@platform/database';
import { Log } from '@platform/observability';
import { TokenSigner } from '@platform/secrets';
import { openTestDatabase, type TestDatabase } from '@testing';
import { type Model, Types } from 'mongoose';
import { TrackingHitRecord } from '../schemas/tracking-hit.record';
import { TrackingTokens } from '../tracking.tokens';
import { TrackingHits } from './tracking.hits.service';

const workspaceId = new Types.ObjectId();
const MINUTE = 60_000;

let database: TestDatabase;
let records: Model<TrackingHitRecord>;
let tokens: TrackingTokens;
/** How often sends were looked for. */
let looks = 0;
let broken = false;

const sends = {
  byIds: (ids: readonly string[]) => {
    looks += 1;
    if (broken) throw new Error('The database is away');
    const found = ids.map(
      (id) => [id, { _id: new Types.ObjectId(id), workspaceId, links: ['https://a.test/'] }] as const,
    );
    return Promise.resolve(new Map(found));
  },
} as unknown as SendTracking;

beforeAll(async () => {
  database = await openTestDatabase({ imports: [DatabaseModule.collections(TrackingHitRecord)] });
  records = database.module.get(getModelToken(TrackingHitRecord.name));
  tokens = new TrackingTokens(database.module.get(TokenSigner, { strict: false }));
  await records.syncIndexes();
  database.clock.freeze(new Date('2026-03-02T09:00:00Z'));
});
afterAll(() => database.close());

/** One process of several. */
const process = () => new TrackingHits(records, sends, tokens, database.module.get(Clock), database.module.get(Log));
const visitor = { method: 'GET', address: '192.0.2.1', headers: { 'user-agent': 'Mail' } };
const newId = () => new Types.ObjectId().toHexString();
const of = (sendId: string) => records.find({ workspaceId, sendId }).sort({ firstAt: 1 }).lean();

it('stores a hit before it is answered, to be judged when its ten seconds and ten more are over', async () => {
  const sendId = newId();
  expect(await process().click(tokens.click(sendId, 0), visitor)).toBe('https://a.test/');
  expect(await of(sendId)).toMatchObject([
    {
      kind: 'click',
      link: 0,
      count: 1,
      userAgent: 'Mail',
      network: '192.0.2.0/24',
      judgeAt: new Date('2026-03-02T09:00:20Z'),
      verdict: null,
    },
  ]);
});

it('keeps the same again in the same record, of however many processes, and loses none', async () => {
  const sendId = newId();
  const token = tokens.open(sendId);
  const processes = Array.from({ length: 5 }, process);
  for (let round = 0; round < 4; round += 1) {
    await Promise.all(processes.flatMap((one) => Array.from({ length: 20 }, () => one.open(token, visitor))));
  }
  expect((await of(sendId)).map(({ count }) => count)).toEqual([400]);
});

it('keeps hits apart by link, kind, client, manner and time', async () => {
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

it('looks for false tokens like for good ones', async () => {
  const hits = process();
  const before = looks;
  await hits.open('false', visitor);
  await hits.click('false', visitor);
  expect(looks).toBe(before + 2);
});

it('asks and writes once for many who come together', async () => {
  const hits = process();
  const before = looks;
  const writes = jest.spyOn(records, 'bulkWrite');
  await Promise.all(Array.from({ length: 100 }, () => hits.open(tokens.open(newId()), visitor)));
  expect(looks - before).toBe(1);
  expect(writes).toHaveBeenCalledTimes(1);
  writes.mockRestore();
});

it('lets people get where their link leads when the hit cannot be written', async () => {
  const write = jest.spyOn(records, 'bulkWrite').mockRejectedValue(new Error('The database is full'));
  expect(await process().click(tokens.click(newId(), 0), visitor)).toBe('https://a.test/');
  write.mockRestore();
});

it('shows the pixel when nothing can be read, and says so of a link', async () => {
  broken = true;
  await expect(process().open(tokens.open(newId()), visitor)).resolves.toBeUndefined();
  await expect(process().click(tokens.click(newId(), 0), visitor)).rejects.toThrow('The database is away');
  broken = false;
});

it('is found by its email and by its time without a scan', async () => {
  const due = records
    .find({ judgeAt: { $gt: new Date(0), $lte: new Date() } })
    .setOptions({ allWorkspaces: 'a test' })
    .sort({ judgeAt: 1 });
  const ofSend = records.find({ workspaceId, sendId: newId() }).sort({ firstAt: -1 });
  for (const query of [due, ofSend]) {
    expect(JSON.stringify(await query.explain('queryPlanner'))).not.toContain('COLLSCAN');
  }
});
