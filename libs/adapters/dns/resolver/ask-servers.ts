import { type DnsFailure, type RecordType } from '../port/dns.port';
import { queryServer } from '../transport/exchange';
import { Deadline } from '../transport/deadline';
import { type ServerAddress, formatServerAddress } from '../transport/server-address';
import { settleOnce } from '../transport/settle-once';
import { type Question } from '../message/dns-message';
import { type Step } from '../message/dns-reply';
import { type NameServers } from './name-servers';

const ROUNDS = 3;
/** With less time left no query is sent. */
const LEAST_WAIT_MS = 10;
/** Pause before a round after a quick failure, as a share of its timeout. */
const PAUSE_SHARE = 1 / 4;

/** The most informative first. */
const TELLING: readonly DnsFailure['kind'][] = ['servfail', 'refused', 'malformed', 'timeout', 'unreachable'];

export interface QueryOptions {
  /** Timeout of the first round in milliseconds; it doubles with each round. */
  readonly firstWaitMs: number;
  readonly deadline: Deadline;
  readonly signal: AbortSignal;
}

/**
 * Queries one server after the other, in up to three rounds, until one answers. A server that fails or refuses is not queried
 * again. While all servers seem dead there is one round, so that thousands of queries end in limited time.
 * @returns the most informative failure when no server answers
 * @throws the signal's reason
 */
export async function queryServers<T extends RecordType>(
  servers: NameServers,
  question: Question & { type: T },
  options: QueryOptions,
): Promise<Step<T>> {
  const { firstWaitMs, deadline, signal } = options;
  const rounds = servers.seemDead ? 1 : ROUNDS;
  let candidates = servers.inOrder();
  const failures = new Map<string, DnsFailure>();
  for (let round = 0; round < rounds && candidates.length > 0; round += 1) {
    const waitMs = firstWaitMs * 2 ** round;
    if (round > 0 && ![...failures.values()].some(({ kind }) => kind === 'timeout')) {
      await waitUnlessAborted(Math.min(waitMs * PAUSE_SHARE, deadline.leftMs), signal);
    }
    const again: ServerAddress[] = [];
    for (const server of candidates) {
      if (deadline.leftMs < LEAST_WAIT_MS) break;
      const step = await queryServer(server, question, { waitMs, deadline, signal });
      recordAnswer(servers, server, step);
      if (!isFailure(step)) return step;
      failures.set(formatServerAddress(server), step);
      if (step.kind !== 'servfail' && step.kind !== 'refused') again.push(server);
    }
    candidates = again;
  }
  return (
    TELLING.flatMap((kind) => [...failures.values()].filter((failure) => failure.kind === kind))[0] ??
    toNoServerFailure(servers)
  );
}

function recordAnswer(servers: NameServers, server: ServerAddress, step: Step): void {
  if (step.kind === 'timeout' || step.kind === 'unreachable') servers.wasSilent(server);
  else servers.answered(server);
}

function isFailure(step: Step): step is DnsFailure {
  return 'message' in step;
}

function toNoServerFailure(servers: NameServers): DnsFailure {
  return servers.inOrder().length > 0
    ? { kind: 'timeout', message: 'No time was left for a query' }
    : { kind: 'unreachable', message: 'No DNS server is configured (DNS_SERVERS)' };
}

function waitUnlessAborted(milliseconds: number, signal: AbortSignal): Promise<void> {
  return settleOnce<void>(
    { withinMs: milliseconds, signal },
    () => undefined,
    () => () => undefined,
  );
}
