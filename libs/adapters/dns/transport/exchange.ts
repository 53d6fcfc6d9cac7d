import { type DnsFailure, type RecordType } from '../port/dns';
import {
  decodeReply,
  encodeQuestion,
  isTruncated,
  MalformedReply,
  type Question,
  RCODE,
  type Reply,
} from '../wire/dns.message';
import { readReply, type Step } from '../wire/dns.reply';
import { type Patience } from './patience';
import { type ServerAddress, shown } from './server.address';
import { askOverTcp } from './tcp';
import { askOverUdp } from './udp';

/** What a server says that does not know EDNS (RFC 6891, section 7), or not this version of it. */
const KNOWS_NO_EDNS: ReadonlySet<number> = new Set([RCODE.formErr, RCODE.notImp, RCODE.badVers]);

/**
 * One question to one server: over UDP, over TCP when the answer is too long for that (RFC 7766, section 5), and without EDNS
 * when the server does not understand it. Each of them may take the whole time.
 * @throws the signal's reason
 */
export async function exchange<T extends RecordType>(
  server: ServerAddress,
  question: Question & { type: T },
  patience: Patience,
): Promise<Step<T>> {
  const asked = await ask(server, question, true, patience);
  const reply =
    'rcode' in asked && KNOWS_NO_EDNS.has(asked.rcode) ? await ask(server, question, false, patience) : asked;
  return 'rcode' in reply ? interpreted(server, () => readReply(reply, question)) : reply;
}

async function ask(
  server: ServerAddress,
  question: Question,
  edns: boolean,
  patience: Patience,
): Promise<Reply | DnsFailure> {
  const query = encodeQuestion(question, edns);
  const short = await askOverUdp(server, query, patience);
  if (!Buffer.isBuffer(short)) return short;
  if (!isTruncated(short)) return interpreted(server, () => decodeReply(short));
  const whole = await askOverTcp(server, query, patience);
  if (!Buffer.isBuffer(whole)) return whole;
  if (!isTruncated(whole)) return interpreted(server, () => decodeReply(whole));
  return { kind: 'malformed', message: `The answer of ${shown(server)} is too long for TCP, too` };
}

function interpreted<T>(server: ServerAddress, read: () => T): T | DnsFailure {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MalformedReply)) throw error;
    return { kind: 'malformed', message: `The answer of ${shown(server)} cannot be read: ${error.message}` };
  }
}
