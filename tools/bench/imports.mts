import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse';
import mongoose from 'mongoose';
import { Crowds, LEADS, newLead } from './crowds.mts';
import type { Fixture } from './fixture.mts';
import { MailSandbox } from './mail.mts';
import type { Server } from './processes.mts';
import { type Goal, heading, showGoals } from './report.mts';
import { median } from './statistics.mts';
import type { Stage } from './subjects.mts';
import { until } from './mail-waiting.mts';

const { ObjectId } = mongoose.mongo;
const ROWS = 200_000;
const LARGE_ROWS = 1_000_000;
const ROUNDS = 3;
const BATCH = 1_000;
const COPY = 'bare_import';
const LIMIT_MS = 900_000;

/** Every hundredth row repeats the address of the previous row, every two-hundredth has none. */
const isDuplicate = (row: number): boolean => row % 100 === 99;
const isInvalid = (row: number): boolean => row % 200 === 50;

interface File {
  readonly path: string;
  readonly rows: number;
  readonly counts: { rows: number; created: number; duplicate: number; invalidAddress: number };
}

interface Import {
  _id: string;
  status: string;
  counts: Record<string, number>;
  completedAt: string | null;
}

interface Sample {
  readonly perSecond: number;
  readonly cpuMs: number;
}

/** Imports a CSV file through API and worker, compared with csv-parse and insertMany with the same indexes. */
export async function imports({ fixture, largeImport }: Stage): Promise<Goal[]> {
  heading(`CSV import of ${ROWS} rows, against csv-parse and native insertMany with the same indexes`);
  const crowds = await Crowds.of(fixture);
  const folder = await mkdtemp(join(tmpdir(), 'bench-import-'));
  const worker = await fixture.worker([], MailSandbox.given().trust);
  try {
    const idle = worker.residentMib();
    const goals = await small(fixture, crowds, worker, await createFile(folder, ROWS));
    const peak = worker.peakMib();
    console.log(`  worker: ${idle.toFixed(0)} MiB before, ${peak.toFixed(0)} MiB at its highest`);
    goals.push({ what: 'worker at its highest', value: peak, bound: { below: 300 }, unit: ' MiB' });
    if (largeImport) goals.push(await large(crowds, worker, peak, await createFile(folder, LARGE_ROWS)));
    return showGoals(goals);
  } finally {
    await worker.stop();
    await rm(folder, { recursive: true });
  }
}

async function small(fixture: Fixture, crowds: Crowds, worker: Server, file: File): Promise<Goal[]> {
  const samples = { bare: [] as number[], platform: [] as Sample[] };
  for (let round = 0; round < ROUNDS; round++) {
    samples.bare.push(await bare(fixture, file));
    samples.platform.push(await platform(crowds, worker, file));
  }
  const rates = samples.platform.map(({ perSecond }) => perSecond);
  console.log(`  csv-parse and insertMany: ${median(samples.bare).toFixed(0)} rows/s`);
  const cpu = median(samples.platform.map(({ cpuMs }) => cpuMs * 1_000)).toFixed(0);
  console.log(`  platform: ${median(rates).toFixed(0)} rows/s, CPU of the worker ${cpu} us a row`);
  const ratio = median(rates.map((rate, round) => rate / (samples.bare[round] ?? Number.NaN)));
  return [{ what: 'rows/s / of the bare import', value: ratio, bound: { atLeast: 0.5 } }];
}

async function large(crowds: Crowds, worker: Server, peak: number, file: File): Promise<Goal> {
  const { perSecond } = await platform(crowds, worker, file);
  const highest = worker.peakMib();
  console.log(`  ${file.rows} rows: ${perSecond.toFixed(0)} rows/s, worker ${highest.toFixed(0)} MiB at its highest`);
  return { what: `worker's peak, ${LARGE_ROWS} / ${ROWS} rows`, value: highest / peak, bound: { atMost: 1.2 } };
}

/** Measures from the first byte of the upload to the last row; counts and leads must match the file. */
async function platform(crowds: Crowds, worker: Server, { path, rows, counts }: File): Promise<Sample> {
  const { campaignId } = await crowds.draft();
  const at = `/v1/campaigns/${campaignId}/leads`;
  const cpu = worker.cpuMs();
  const started = performance.now();
  const { _id } = await upload(crowds, `${at}/import`, path);
  const look = () => crowds.call<Import>('GET', `${at}/imports/${_id}`);
  await until('imports ended', 1, LIMIT_MS, async () => Number((await look()).completedAt !== null));
  const ms = performance.now() - started;
  const ended = await look();
  const got = JSON.stringify(Object.entries(ended.counts).filter(([, count]) => count > 0));
  const wanted = JSON.stringify(Object.entries(counts).filter(([, count]) => count > 0));
  if (ended.status !== 'completed' || got !== wanted)
    throw new Error(`The import is ${ended.status} with ${got}, not ${wanted}`);
  const { leadCounts } = await crowds.call<{ leadCounts: Record<string, number> }>(
    'GET',
    `/v1/campaigns/${campaignId}`,
  );
  if (leadCounts['total'] !== counts.created) throw new Error(`The campaign has ${leadCounts['total']} leads`);
  return { perSecond: (rows / ms) * 1_000, cpuMs: (worker.cpuMs() - cpu) / rows };
}

async function upload(crowds: Crowds, at: string, path: string): Promise<Import> {
  const request: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    headers: { ...crowds.key, 'content-type': 'text/csv', 'content-length': String((await stat(path)).size) },
    body: createReadStream(path) as never,
    duplex: 'half',
  };
  const answer = await fetch(crowds.api.url + at, request);
  const text = await answer.text();
  if (answer.status !== 202) throw new Error(`The response to the upload was ${answer.status}: ${text}`);
  return (JSON.parse(text) as { data: Import }).data;
}

/** Rows per second; invalid and existing addresses are skipped: the minimum of work for the same leads. */
async function bare({ database }: Fixture, { path, rows, counts }: File): Promise<number> {
  await database.collection(COPY).drop();
  await database.createCollection(COPY);
  for (const { v: _v, ns: _ns, key, name, ...options } of await database.collection(LEADS).indexes()) {
    if (name !== '_id_') await database.collection(COPY).createIndex(key, { name, ...options });
  }
  const place = { workspaceId: new ObjectId(), campaignId: new ObjectId(), importId: new ObjectId() };
  const started = performance.now();
  const seen = new Set<string>();
  let batch: object[] = [];
  let created = 0;
  const flush = async (): Promise<void> => {
    created += (await database.collection(COPY).insertMany(batch, { writeConcern: { w: 'majority' } })).insertedCount;
    batch = [];
  };
  for await (const row of createReadStream(path).pipe(parse({ columns: true })) as AsyncIterable<
    Record<string, string>
  >) {
    const { email = '' } = row;
    if (!email.includes('@') || seen.has(email)) continue;
    seen.add(email);
    batch.push(newLead(place, { ...row, email }, new Date()));
    if (batch.length === BATCH) await flush();
  }
  if (batch.length > 0) await flush();
  if (created !== counts.created) throw new Error(`The bare import created ${created} leads, not ${counts.created}`);
  return (rows / (performance.now() - started)) * 1_000;
}

async function createFile(folder: string, rows: number): Promise<File> {
  const path = join(folder, `${rows}.csv`);
  const file = await open(path, 'w');
  const counts = { rows, created: 0, duplicate: 0, invalidAddress: 0 };
  let text = 'email,firstName,lastName,companyName\n';
  const address = (row: number): string => `p${row}@firm${row % 5_000}.test`;
  for (let row = 0; row < rows; row++) {
    const email = isInvalid(row) ? `invalid ${row}` : isDuplicate(row) ? address(row - 1) : address(row);
    counts[isInvalid(row) ? 'invalidAddress' : isDuplicate(row) ? 'duplicate' : 'created'] += 1;
    text += `${email},Ada,Lovelace,"Engines, ${row % 5_000}"\n`;
    if (text.length < 1_000_000) continue;
    await file.write(text);
    text = '';
  }
  await file.write(text);
  await file.close();
  return { path, rows, counts };
}
