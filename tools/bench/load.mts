import autocannon from 'autocannon';
import type { Server } from './processes.mts';

/** Concurrent requests: enough to keep one server process busy, few enough for meaningful latencies. */
const CONNECTIONS = 10;

export interface Target {
  server: Server;
  path: string;
  /** Requested alternately, by all connections together, instead of `path`. */
  paths?: readonly string[];
  /** Checks the response. Default: a 2xx. */
  answers?: '2xx' | '3xx';
  headers?: Record<string, string>;
}

export interface Sample {
  requestsPerSecond: number;
  p99Ms: number;
  /** CPU time of the server process per request. */
  cpuMs: number;
}

/** Loads the target for some seconds. @throws for any unexpected response: a fast error is no result */
async function measure(target: Target, seconds: number): Promise<Sample> {
  const { server, path, paths, headers = {}, answers = '2xx' } = target;
  const cpuBefore = server.cpuMs();
  const result = await autocannon({
    url: server.url + path,
    headers,
    connections: CONNECTIONS,
    duration: seconds,
    ...(paths && { requests: [alternate(paths)] }),
  });
  const cpuMs = server.cpuMs() - cpuBefore;
  ensureAnswered(result, path, answers);
  const answered = result[answers];
  return {
    requestsPerSecond: answered / result.duration,
    p99Ms: result.latency.p99,
    cpuMs: cpuMs / answered,
  };
}

/** Sends this many requests, alternating the paths. */
export async function request(server: Server, paths: string[], headers: Record<string, string>, amount: number) {
  const requests = paths.map((path) => ({ path }));
  const result = await autocannon({ url: server.url, headers, connections: CONNECTIONS, amount, requests });
  ensureAnswered(result, paths.join(' '));
  return { requestsPerSecond: result['2xx'] / result.duration };
}

/** Measures the targets alternately, A B A B, so that other load on the machine affects all of them equally. */
export async function interleave<Name extends string>(
  targets: Record<Name, Target>,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Record<Name, Sample[]>> {
  const entries = Object.entries(targets) as [Name, Target][];
  const samples = Object.fromEntries(entries.map(([name]) => [name, []])) as unknown as Record<Name, Sample[]>;
  for (const [, target] of entries) await measure(target, Math.min(2, seconds)); // Warm-up: compiled code, open connections.
  for (let round = 0; round < rounds; round++) {
    for (const [name, target] of entries) samples[name].push(await measure(target, seconds));
  }
  return samples;
}

/** Each connection would iterate over a list of requests separately: all would send the same one at the same time. */
function alternate(paths: readonly string[]): autocannon.Request {
  let asked = 0;
  return { setupRequest: (request) => ({ ...request, path: paths[asked++ % paths.length] ?? '/' }) };
}

function ensureAnswered(result: autocannon.Result, what: string, answers: '2xx' | '3xx' = '2xx'): void {
  const { errors, timeouts } = result;
  const answered = result[answers];
  const refusals = result['1xx'] + result['2xx'] + result['3xx'] + result['4xx'] + result['5xx'] - answered;
  if (refusals + errors + timeouts === 0 && answered > 0) return;
  throw new Error(`${what}: ${answered} answers, ${refusals} refusals, ${errors} errors, ${timeouts} timeouts`);
}
