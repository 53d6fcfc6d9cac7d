import type { Fixture, Workspace } from './fixture.mts';
import { interleave, request, type Sample, type Target } from './load.mts';
import { type Goal, heading, showGoals, showSamples } from './report.mts';
import { ratio } from './statistics.mts';
import { type Server, settling } from './processes.mts';

const API = 'dist/apps/api/src/main.js';

export interface Stage {
  fixture: Fixture;
  /** With 10 000 audit entries. */
  large: Workspace;
  /** With 100. */
  small: Workspace;
  rounds: number;
  seconds: number;
  /** Whether the import of a million rows is also measured. */
  largeImport: boolean;
  /** Fewer messages, for a quick run of the mail benches. */
  short: boolean;
}

/** Reads one record through guard, validation and mapping, compared with a constant behind the same guard in the same process. */
export async function oneRecord({ fixture, large, rounds, seconds }: Stage): Promise<Goal[]> {
  heading('One record: GET /v1/workspaces/{id}, against a constant behind the same guard');
  const server = await fixture.api('tools/bench/api.mts');
  const headers = { 'x-api-key': large.key };
  const samples = await interleave(
    {
      constant: { server, headers, path: `/v1/bench/constant/${large.workspaceId}` },
      record: { server, headers, path: `/v1/workspaces/${large.workspaceId}` },
    },
    { rounds, seconds },
  );
  await server.stop();
  showSamples('constant', samples.constant);
  showSamples('record', samples.record);
  return showGoals([
    {
      what: 'requests/s of the record / of the constant',
      value: ratio('requestsPerSecond', samples.record, samples.constant),
      bound: { atLeast: 0.5 },
    },
    {
      what: 'p99 of the record / of the constant',
      value: ratio('p99Ms', samples.record, samples.constant),
      bound: { below: 5 },
    },
  ]);
}

/** Reads a page of 100 with all additions of the platform, compared with the page and its total with the bare driver. */
export async function listOfHundred({ fixture, large, small, rounds, seconds }: Stage): Promise<Goal[]> {
  heading('A list of 100: GET /v1/audit?limit=100, against the same page and count with the bare driver on node:http');
  const [server, bare] = [await fixture.api(API), await fixture.bareDriver()];
  const platform = ({ key }: Workspace): Target => {
    return { server, headers: { 'x-api-key': key }, path: '/v1/audit?limit=100' };
  };
  const driver = ({ workspaceId }: Workspace): Target => ({ server: bare, path: `/?workspace=${workspaceId}` });
  const samples = await interleave(
    { bareSmall: driver(small), small: platform(small), bareLarge: driver(large), large: platform(large) },
    { rounds, seconds },
  );
  await Promise.all([server.stop(), bare.stop()]);
  showSamples('100 of 100, bare driver', samples.bareSmall);
  showSamples('100 of 100, platform', samples.small);
  showSamples('100 of 10 000, bare driver', samples.bareLarge);
  showSamples('100 of 10 000, platform', samples.large);
  console.log(
    '  Both read 101 and, where there are more, count them. The platform also reads key and workspace, counts the',
  );
  console.log('  request in Redis, checks, maps, signs a cursor, sets the security headers, logs and measures.');
  const goal = (what: string, subject: Sample[], denominator: Sample[]): Goal => {
    return { what, value: ratio('requestsPerSecond', subject, denominator), bound: { atLeast: 0.6 } };
  };
  return showGoals([
    goal('requests/s of 100 of 100 / bare driver', samples.small, samples.bareSmall),
    goal('requests/s of 100 of 10 000 / bare driver', samples.large, samples.bareLarge),
  ]);
}

/** The last page of 10 000 costs as much as the first one. */
export async function deepPage({ fixture, large, rounds, seconds }: Stage): Promise<Goal[]> {
  heading('Deep pages: page 100 of 10 000 records, against page 1');
  const server = await fixture.api(API);
  const headers = { 'x-api-key': large.key };
  const first = '/v1/audit?limit=100';
  const last = await pathOfPage(server, headers, first, 100);
  const samples = await interleave(
    { first: { server, headers, path: first }, last: { server, headers, path: last } },
    { rounds, seconds },
  );
  await server.stop();
  showSamples('page 1', samples.first);
  showSamples('page 100', samples.last);
  const value = ratio('requestsPerSecond', samples.first, samples.last);
  return showGoals([{ what: 'time of page 100 / of page 1', value, bound: { atMost: 1.3 } }]);
}

/** Memory of the API after 10 000, 50 000 and 100 000 mixed reads. */
export async function memory({ fixture, small }: Stage): Promise<Goal[]> {
  heading('Memory of the API after mixed reads (one record, members, balance, a list of 25)');
  const server = await fixture.api(API, settling);
  const record = `/v1/workspaces/${small.workspaceId}`;
  const paths = [record, `${record}/members`, '/v1/credits/balance', '/v1/audit'];
  const settled: number[] = [];
  let highest = 0;
  for (const [done, amount] of [
    [10_000, 10_000],
    [50_000, 40_000],
    [100_000, 50_000],
  ] as const) {
    // prettier-ignore
    const { requestsPerSecond } = await request(server, paths, { 'x-api-key': small.key }, amount);
    const busy = server.residentMib();
    const rested = await server.settledMib();
    settled.push(rested);
    highest = Math.max(highest, busy);
    const rate = `${requestsPerSecond.toFixed(0)} requests/s`;
    console.log(`  after ${done} requests: ${busy.toFixed(0)} MiB, settled ${rested.toFixed(0)} MiB   (${rate})`);
  }
  await server.stop();
  const [, atHalf = Number.NaN, atEnd = Number.NaN] = settled;
  return showGoals([
    { what: 'resident memory, maximum', value: highest, bound: { below: 200 }, unit: ' MiB' },
    { what: 'settled after 100 000 / after 50 000', value: atEnd / atHalf, bound: { atMost: 1.1 } },
  ]);
}

/** Follows the cursors to a page. */
async function pathOfPage(server: Server, headers: Record<string, string>, first: string, page: number) {
  let path = first;
  for (let reached = 1; reached < page; reached++) {
    const answer = await fetch(server.url + path, { headers });
    const { pagination } = (await answer.json()) as { pagination?: { nextCursor: string | null } };
    if (!pagination?.nextCursor) throw new Error(`There is no page ${reached + 1}`);
    path = `${first}&cursor=${encodeURIComponent(pagination.nextCursor)}`;
  }
  return path;
}
