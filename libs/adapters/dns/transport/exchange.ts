import { type DnsFailure, type RecordType } from '../port/dns.port';
import { decodeReply, encodeQuestion, isTruncated, type Question, RCODE, type Reply } from '../message/dns-message';
import { MalformedReplyError } from '../message/dns-message.errors';
import { readDnsReply, type Step } from '../message/dns-reply';
import { type QueryTimeout, type TimeLeft } from './deadline';
import { type ServerAddress, formatServerAddress } from './server-address';
import { queryOverTcp } from './tcp';
import { queryOverUdp } from './udp';

/** Response codes of servers without EDNS (RFC 6891, section 7), or without this version of it. */
const KNOWS_NO_EDNS: ReadonlySet<number> = new Set([RCODE.formErr, RCODE.notImp, RCODE.badVers]);

export interface ExchangeOptions {
  /** Timeout of each try in milliseconds: over UDP, over TCP, without EDNS. */
  readonly waitMs: number;
  /** Timeout of all tries together. */
  readonly deadline: TimeLeft;
  readonly signal: AbortSignal;
}

/**
 * Sends one query to one server: over UDP, over TCP when the answer is too long for UDP (RFC 7766, section 5), and without EDNS
 * when the server does not support it.
 * @throws the signal's reason
 */
export async function queryServer<T extends RecordType>(
  server: ServerAddress,
  question: Question & { type: T },
  options: ExchangeOptions,
): Promise<Step<T>> {
  const first = await queryOnce(server, question, true, options);
  const reply =
    'rcode' in first && KNOWS_NO_EDNS.has(first.rcode) ? await queryOnce(server, question, false, options) : first;
  return 'rcode' in reply ? parseOrFail(server, () => readDnsReply(reply, question)) : reply;
}

async function queryOnce(
  server: ServerAddress,
  question: Question,
  edns: boolean,
  options: ExchangeOptions,
): Promise<Reply | DnsFailure> {
  const query = encodeQuestion(question, edns);
  const short = await queryOverUdp(server, query, toTimeout(options));
  if (!Buffer.isBuffer(short)) return short;
  if (!isTruncated(short)) return parseOrFail(server, () => decodeReply(short));
  const whole = await queryOverTcp(server, query, toTimeout(options));
  if (!Buffer.isBuffer(whole)) return whole;
  if (!isTruncated(whole)) return parseOrFail(server, () => decodeReply(whole));
  return { kind: 'malformed', message: `The answer of ${formatServerAddress(server)} is too long even for TCP` };
}

function toTimeout({ waitMs, deadline, signal }: ExchangeOptions): QueryTimeout {
  return { withinMs: Math.min(waitMs, deadline.leftMs), signal };
}

function parseOrFail<T>(server: ServerAddress, read: () => T): T | DnsFailure {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MalformedReplyError)) throw error;
    return {
      kind: 'malformed',
      message: `The answer of ${formatServerAddress(server)} cannot be read: ${error.message}`,
    };
  }
}
