import { decode } from 'dns-packet';
import { type RecordType } from '../port/dns.port';
import { parseDomainName } from '../port/domain-name';

/** One received query. */
export interface ReceivedQuery {
  readonly id: number;
  /** In lower case, without the final dot. */
  readonly name: string;
  readonly type: RecordType;
  readonly transport: 'udp' | 'tcp';
  /** The client's maximum UDP size in octets; `null` without EDNS. */
  readonly payloadOctets: number | null;
  readonly sourcePort: number;
}

/** Parses a message from our driver or a test. */
export function received(message: Buffer, transport: 'udp' | 'tcp', sourcePort: number): ReceivedQuery {
  const { id = 0, questions = [], additionals = [] } = decode(message);
  const [question] = questions;
  const opt = additionals.find((record) => record.type === 'OPT');
  return {
    id,
    name: parseDomainName(question?.name ?? '.') ?? '.',
    type: question?.type as RecordType,
    transport,
    payloadOctets: opt ? opt.udpPayloadSize : null,
    sourcePort,
  };
}
