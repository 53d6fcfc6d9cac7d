import { type DnsFailure, type RecordType } from '../port/dns.port';
import { queryServer } from '../transport/exchange';
import { Deadline } from '../transport/time-left';
import { type ServerAddress, formatServerAddress } from '../transport/server-address';
import { settleOnce } from '../transport/settle-once';
import { type Question } from '../message/dns-message';
import { type Step } from '../message/dns-reply';
import { type NameServers } from './name-servers';

const ROUNDS = 3;
/** Less is not worth a question. */
const LEAST_WAIT_MS = 10;
/** Before a round after one that went wrong quickly, as a part of the wait for an answer in it. */
const PAUSE_SHARE = 1 / 4;

/** The most telling first. */
const TELLING: readonly DnsFailure['kind'][] = ['servfail', 'refused', 'malformed', 'timeout', 'unreachable'];

export interface QueryOptions {
  /** Milliseconds for the first server to answer; twice as long in each round after that. */
  readonly firstWaitMs: number;
  readonly deadline: Deadline;
  readonly signal: AbortSignal;
}

/**
 * Asks one server after the other, three times round, until one answers. A server that fails or refuses has answered: it is not
 * asked again. While all of them seem dead there is one round: thousands of questions end in a bounded time.
 * @returns what the most telling failure of them all says, when none answers
 * @throws the signal's reason
 */
export async function queryServers<T extends RecordType>(
  servers: NameServers,
  question: Question & { type: T },
  options: QueryOptions,
): Promise<Step<T>> {
  const { firstWaitMs, deadline, signal } = options;
  const rounds = servers.seemDead ? 1 : ROUNDS;
  let asked = servers.inOrder();
  const failures = new Map<string, DnsFailure>();
  for (let round = 0; round < rounds && asked.length > 0; round += 1) {
    const waitMs = firstWaitMs * 2 ** round;
    if (round > 0 && ![...failures.values()].some(({ kind }) => kind === 'timeout')) {
      await waitUnlessAborted(Math.min(waitMs * PAUSE_SHARE, deadline.leftMs), signal);
    }
    const again: ServerAddress[] = [];
    for (const server of asked) {
      if (deadline.leftMs < LEAST_WAIT_MS) break;
      const step = await queryServer(server, question, { waitMs, deadline, signal });
      recordAnswer(servers, server, step);
      if (!isFailure(step)) return step;
      failures.set(formatServerAddress(server), step);
      if (step.kind !== 'servfail' && step.kind !== 'refused') again.push(server);
    }
    asked = again;
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
    ? { kind: 'timeout', message: 'No time was left to ask' }
    : { kind: 'unreachable', message: 'There is no DNS server to ask (DNS_SERVERS)' };
}

function waitUnlessAborted(milliseconds: number, signal: AbortSignal): Promise<void> {
  return settleOnce<void>(
    { withinMs: milliseconds, signal },
    () => undefined,
    () => () => undefined,
  );
}
