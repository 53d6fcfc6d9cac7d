import autocannon from 'autocannon';
import type { Server } from './processes.mts';

/** Requests in flight at any time: enough to keep one server process busy, few enough to leave latencies readable. */
const CONNECTIONS = 10;

export interface Target {
  server: Server;
  path: string;
  headers?: Record<string, string>;
}

export interface Sample {
  requestsPerSecond: number;
  p99Ms: number;
  /** CPU time of the server process for one request. */
  cpuMs: number;
}

/** Loads the target for some seconds. @throws when any answer is not a 2xx: a fast refusal is no result */
async function measure(target: Target, seconds: number): Promise<Sample> {
  const { server, path, headers = {} } = target;
  const cpuBefore = server.cpuMs();
  const result = await autocannon({ url: server.url + path, headers, connections: CONNECTIONS, duration: seconds });
  const cpuMs = server.cpuMs() - cpuBefore;
  ensureAnswered(result, path);
  const answered = result['2xx'];
  return {
    requestsPerSecond: answered / result.duration,
    p99Ms: result.latency.p99,
    cpuMs: cpuMs / answered,
  };
}

/** Makes that many requests, taking the paths in turn. */
export async function request(server: Server, paths: string[], headers: Record<string, string>, amount: number) {
  const requests = paths.map((path) => ({ path }));
  const result = await autocannon({ url: server.url, headers, connections: CONNECTIONS, amount, requests });
  ensureAnswered(result, paths.join(' '));
  return { requestsPerSecond: result['2xx'] / result.duration };
}

/** Measures the targets in turn, A B A B, so that what else the machine does meets all of them alike. */
export async function interleave<Name extends string>(
  targets: Record<Name, Target>,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Record<Name, Sample[]>> {
  const entries = Object.entries(targets) as [Name, Target][];
  const samples = Object.fromEntries(entries.map(([name]) => [name, []])) as unknown as Record<Name, Sample[]>;
  for (const [, target] of entries) await measure(target, Math.min(2, seconds)); // warm: compiled code, open connections
  for (let round = 0; round < rounds; round++) {
    for (const [name, target] of entries) samples[name].push(await measure(target, seconds));
  }
  return samples;
}

function ensureAnswered(result: autocannon.Result, what: string): void {
  const { non2xx, errors, timeouts } = result;
  if (non2xx + errors + timeouts === 0 && result['2xx'] > 0) return;
  throw new Error(`${what}: ${result['2xx']} answers, ${non2xx} refusals, ${errors} errors, ${timeouts} timeouts`);
}
