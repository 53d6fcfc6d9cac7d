import { type DnsFailure, type RecordType } from '../port/dns.port';
import {
  decodeReply,
  encodeQuestion,
  isTruncated,
  MalformedReplyError,
  type Question,
  RCODE,
  type Reply,
} from '../wire/dns-message';
import { readReply, type Step } from '../wire/dns-reply';
import { type Patience, type TimeLeft } from './time-left';
import { type ServerAddress, shown } from './server-address';
import { askOverTcp } from './tcp';
import { askOverUdp } from './udp';

/** What a server says that does not know EDNS (RFC 6891, section 7), or not this version of it. */
const KNOWS_NO_EDNS: ReadonlySet<number> = new Set([RCODE.formErr, RCODE.notImp, RCODE.badVers]);

export interface ExchangeOptions {
  /** Milliseconds for each try of it: over UDP, over TCP, without EDNS. */
  readonly waitMs: number;
  /** For all of them together. */
  readonly deadline: TimeLeft;
  readonly signal: AbortSignal;
}

/**
 * One question to one server: over UDP, over TCP when the answer is too long for that (RFC 7766, section 5), and without EDNS
 * when the server does not understand it.
 * @throws the signal's reason
 */
export async function exchange<T extends RecordType>(
  server: ServerAddress,
  question: Question & { type: T },
  options: ExchangeOptions,
): Promise<Step<T>> {
  const asked = await ask(server, question, true, options);
  const reply =
    'rcode' in asked && KNOWS_NO_EDNS.has(asked.rcode) ? await ask(server, question, false, options) : asked;
  return 'rcode' in reply ? interpreted(server, () => readReply(reply, question)) : reply;
}

async function ask(
  server: ServerAddress,
  question: Question,
  edns: boolean,
  options: ExchangeOptions,
): Promise<Reply | DnsFailure> {
  const query = encodeQuestion(question, edns);
  const short = await askOverUdp(server, query, patienceOf(options));
  if (!Buffer.isBuffer(short)) return short;
  if (!isTruncated(short)) return interpreted(server, () => decodeReply(short));
  const whole = await askOverTcp(server, query, patienceOf(options));
  if (!Buffer.isBuffer(whole)) return whole;
  if (!isTruncated(whole)) return interpreted(server, () => decodeReply(whole));
  return { kind: 'malformed', message: `The answer of ${shown(server)} is too long for TCP, too` };
}

function patienceOf({ waitMs, deadline, signal }: ExchangeOptions): Patience {
  return { withinMs: Math.min(waitMs, deadline.leftMs), signal };
}

function interpreted<T>(server: ServerAddress, read: () => T): T | DnsFailure {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MalformedReplyError)) throw error;
    return { kind: 'malformed', message: `The answer of ${shown(server)} cannot be read: ${error.message}` };
  }
}
