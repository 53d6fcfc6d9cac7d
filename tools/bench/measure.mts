/** Rounds, medians, load and report lines of all scenarios. */
import { setTimeout as pause } from 'node:timers/promises';
import autocannon from 'autocannon';
import type { Fixture, Server } from './harness.mts';

/** Concurrent requests: enough to keep one server process busy, few enough for meaningful latencies. */
const CONNECTIONS = 10;
const POLL_EVERY_MS = 250;

export interface Options {
  /** How often each subject is measured, and for how long. */
  rounds: number;
  seconds: number;
  /** Small numbers: whether a scenario works, not what it measures. */
  short: boolean;
}

export interface Stage extends Options {
  fixture: Fixture;
}

/** A number and its bound. */
export interface Goal {
  what: string;
  value: number;
  bound: { atLeast: number } | { atMost: number } | { below: number };
  unit?: string;
}

export interface Sample {
  perSecond: number;
  /** CPU time of the measured process for each request, email, row … */
  cpuMs: number;
  p99Ms?: number;
}

interface Load {
  server: Server;
  /** Requested alternately by all connections together. */
  paths: readonly string[];
  headers?: Record<string, string>;
  answers?: '2xx' | '3xx';
}

export function isMet({ value, bound }: Goal): boolean {
  if (!Number.isFinite(value)) return false;
  if ('atLeast' in bound) return value >= bound.atLeast;
  return 'atMost' in bound ? value <= bound.atMost : value < bound.below;
}

export function heading(text: string): void {
  console.log(`\n${text}`);
}

export function line(name: string, ...numbers: string[]): void {
  console.log(`  ${name.padEnd(46)} ${numbers.join('   ')}`);
}

export function showGoals(goals: Goal[]): Goal[] {
  for (const goal of goals) {
    const { what, value, bound, unit = '' } = goal;
    const [kind = '', limit = 0] = Object.entries(bound)[0] ?? [];
    const sign = { atLeast: '>=', atMost: '<=', below: '<' }[kind] ?? '';
    const shown = `${value.toFixed(unit === '' ? 2 : 0)}${unit} (goal ${sign} ${limit}${unit})`;
    line(what, shown, isMet(goal) ? 'PASS' : 'FAIL');
  }
  return goals;
}

/** @returns the value that `part` (0 to 1) of the values do not exceed */
export function quantile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}

export const median = (values: number[]) => quantile(values, 0.5);

/** The median of the ratios of each round: measurements close in time compare better than the two medians. */
export function ratio(subject: readonly Sample[] = [], denominator: readonly Sample[] = []): number {
  return median(subject.map(({ perSecond }, round) => perSecond / (denominator[round]?.perSecond ?? Number.NaN)));
}

/** Prints the median, the 95th percentile and the maximum of times in milliseconds. */
export function showTimes(name: string, times: number[]): void {
  const [half, most, all] = [0.5, 0.95, 1].map((part) => `${(quantile(times, part) / 1_000).toFixed(3)} s`);
  line(name, `p50 ${half}`, `p95 ${most}`, `at most ${all}`);
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Runs work that does something `count` times; CPU is that of the server. */
export async function sample(count: number, server: Server | null, work: () => Promise<unknown>): Promise<Sample> {
  const before = server?.cpuMs() ?? 0;
  const ms = await timed(work);
  return { perSecond: (count / ms) * 1_000, cpuMs: ((server?.cpuMs() ?? 0) - before) / count };
}

/** Measures the subjects alternately, A B A B, so that other load on the machine affects all equally, and prints medians. */
export async function alternate<Name extends string>(
  rounds: number,
  unit: string,
  subjects: Record<Name, () => Promise<Sample>>,
): Promise<Record<Name, Sample[]>> {
  const names = Object.keys(subjects) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Sample[]>;
  for (let round = 0; round < rounds; round++) {
    for (const name of names) samples[name].push(await subjects[name]());
  }
  for (const name of names) {
    const of = (field: keyof Sample) => median(samples[name].map((one) => one[field] ?? Number.NaN));
    const numbers = [`${of('perSecond').toFixed(0).padStart(6)} ${unit}/s`, `CPU ${of('cpuMs').toFixed(2)} ms`];
    if (samples[name][0]?.p99Ms !== undefined) numbers.push(`p99 ${of('p99Ms').toFixed(0)} ms`);
    line(name, ...numbers);
  }
  return samples;
}

/** Loads a server for some seconds. @throws for any unexpected answer: a fast error is no result */
export async function load({ server, paths, headers = {}, answers = '2xx' }: Load, seconds: number): Promise<Sample> {
  const before = server.cpuMs();
  let requested = 0;
  // Each connection would iterate over a list of requests separately: all would send the same one at the same time.
  const setupRequest = (request: object) => ({ ...request, path: paths[requested++ % paths.length] ?? '/' });
  const options = { url: server.url, headers, connections: CONNECTIONS, duration: seconds };
  const result = await autocannon({ ...options, requests: [{ setupRequest }] });
  const answered = result[answers];
  const refused = result['1xx'] + result['2xx'] + result['3xx'] + result['4xx'] + result['5xx'] - answered;
  if (refused + result.errors + result.timeouts > 0 || answered === 0) {
    throw new Error(`${paths[0]}: ${answered} answers, ${refused} refusals, ${result.errors} errors`);
  }
  const cpuMs = (server.cpuMs() - before) / answered;
  return { perSecond: answered / result.duration, p99Ms: result.latency.p99, cpuMs };
}

/** Loads the targets alternately, after a warm-up: compiled code, open connections. */
export async function alternateLoad<Name extends string>(
  { rounds, seconds }: Options,
  targets: Record<Name, Load>,
): Promise<Record<Name, Sample[]>> {
  const entries = Object.entries(targets) as [Name, Load][];
  for (const [, target] of entries) await load(target, Math.min(2, seconds));
  const subjects = Object.fromEntries(entries.map(([name, target]) => [name, () => load(target, seconds)]));
  return alternate(rounds, 'requests', subjects as Record<Name, () => Promise<Sample>>);
}

/** Polls until `value` is `expected`. @throws after `limitMs`, with the last value */
export async function until(
  what: string,
  expected: number,
  limitMs: number,
  value: () => number | Promise<number>,
  pollEveryMs = POLL_EVERY_MS,
): Promise<void> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const now = await value();
    if (now === expected) return;
    if (Date.now() > deadline) throw new Error(`${what}: ${now} instead of ${expected} after ${limitMs / 1_000} s`);
    await pause(pollEveryMs);
  }
}

/** @throws naming the difference, unless the effects of a measurement are exactly the expected ones */
export function requireEffects(what: string, actual: object, expected: object): void {
  const [one, other] = [actual, expected].map((effects) => JSON.stringify(effects));
  if (one !== other) throw new Error(`${what}: ${one} instead of ${other}`);
}
