import mongoose from 'mongoose';
import { type Crowd, Crowds, LEADS } from './crowds.mts';
import { type Goal, heading, showGoals } from './report.mts';
import { median, quantile } from './statistics.mts';
import type { Stage } from './subjects.mts';

const SIZE = 1_000_000;
const LIMIT = 100;
const PAGE = 5_000;
const REQUESTS = 300;
const WARM = 20;

interface Page {
  data: { email: string }[];
  pagination: { total: number; nextCursor: string | null };
}

/** Page 5 000 of a million leads costs as much as page 1. */
export async function pages({ fixture }: Stage): Promise<Goal[]> {
  heading(`Lists: page ${PAGE} of ${SIZE} leads (limit ${LIMIT}), against page 1`);
  const crowds = await Crowds.of(fixture);
  const crowd = await crowds.sized(SIZE);
  const first = `/v1/campaigns/${crowd.campaignId}/leads?limit=${LIMIT}`;
  const deep = await walkTo(crowds, crowd, first);
  const times = { first: [] as number[], deep: [] as number[], bareFirst: [] as number[], bareDeep: [] as number[] };
  const last = (await read(crowds, deep)).data[0]?.email;
  const found = await fixture.database.collection(LEADS).findOne({ email: last });
  const { ObjectId } = mongoose.mongo;
  const ids = { workspaceId: new ObjectId(crowds.workspace.workspaceId), campaignId: new ObjectId(crowd.campaignId) };
  const bare = (before: mongoose.mongo.Document | null) => createBareRequest(fixture.database, ids, before);
  for (let request = -WARM; request < REQUESTS; request++) {
    const took = {
      first: await timed(() => read(crowds, first)),
      deep: await timed(() => read(crowds, deep)),
      bareFirst: await timed(() => bare(null)),
      bareDeep: await timed(() => bare(found)),
    };
    if (request < 0) continue;
    for (const name of ['first', 'deep', 'bareFirst', 'bareDeep'] as const) times[name].push(took[name]);
  }
  for (const [name, all] of Object.entries(times)) {
    console.log(`  ${name.padEnd(10)} p50 ${median(all).toFixed(1)} ms, p95 ${quantile(all, 0.95).toFixed(1)} ms`);
  }
  return showGoals([
    {
      what: `time of page ${PAGE} / of page 1`,
      value: median(times.deep) / median(times.first),
      bound: { atMost: 1.3 },
    },
  ]);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function read(crowds: Crowds, path: string): Promise<Page> {
  const answer = await fetch(crowds.api.url + path, { headers: crowds.key });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  const page = (await answer.json()) as Page;
  if (page.data.length !== LIMIT || page.pagination.total !== SIZE) {
    throw new Error(`${page.data.length} leads of ${page.pagination.total} instead of ${LIMIT} of ${SIZE}`);
  }
  return page;
}

/** The same page with the bare driver: the cost of a round trip and the index. */
async function createBareRequest(database: mongoose.mongo.Db, ids: object, before: mongoose.mongo.Document | null) {
  const [createdAt, _id] = [before?.['createdAt'] as Date, before?.['_id'] as mongoose.mongo.ObjectId];
  const place = before
    ? { createdAt: { $lte: createdAt }, $or: [{ createdAt: { $lt: createdAt } }, { _id: { $lt: _id } }] }
    : {};
  const found = await database
    .collection(LEADS)
    .find({ ...ids, ...place })
    .sort({ createdAt: -1, _id: -1 })
    .limit(LIMIT + 1)
    .toArray();
  if (found.length !== LIMIT + 1) throw new Error(`${found.length} leads from the bare driver`);
}

/** Follows the cursors and checks that every lead comes once, newest first, without gaps. */
async function walkTo(crowds: Crowds, { leads }: Crowd, first: string): Promise<string> {
  const seen = new Set<number>();
  let path = first;
  for (let page = 1; page < PAGE; page++) {
    const { data, pagination } = await read(crowds, path);
    for (const { email } of data) seen.add(Number(/^p(\d+)@/.exec(email)?.[1]));
    if (!pagination.nextCursor) throw new Error(`There is no page ${page + 1}`);
    path = `${first}&cursor=${encodeURIComponent(pagination.nextCursor)}`;
  }
  const { data } = await read(crowds, path);
  for (const { email } of data) seen.add(Number(/^p(\d+)@/.exec(email)?.[1]));
  const expected = PAGE * LIMIT;
  const oldest = [...seen].reduce((least, serial) => Math.min(least, serial), leads);
  if (seen.size !== expected || oldest !== leads - expected) {
    throw new Error(
      `${PAGE} pages showed ${seen.size} leads down to ${oldest}, not ${expected} to ${leads - expected}`,
    );
  }
  return path;
}
