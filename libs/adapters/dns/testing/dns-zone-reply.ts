import { type Answer } from 'dns-packet';
import { type Zone } from '../fake/zone';
import { MAX_ALIASES } from '../port/aliases';
import { RCODE } from '../message/dns-message';
import { encodeReply, toRecord, type ReplyParts } from './dns-encoding';
import { type ReceivedQuery } from './received-query';

/** RFC 1035, section 4.2.1; more only with EDNS. */
const PLAIN_UDP_OCTETS = 512;
const TCP_OCTETS = 65_535;

/** The answers of a zone: one message or none. */
export function replyFrom(zone: Zone, query: ReceivedQuery, resolves: boolean): Buffer[] {
  const found = contentOf(zone, query, resolves);
  if (found === 'silence') return [];
  if (found === 'garbage') return [garbage(query)];
  const edns = query.payloadOctets === null ? null : { extendedRcode: 0 };
  const parts: ReplyParts = { id: query.id, question: query, edns, authoritative: !resolves, ...found };
  const message = encodeReply(parts);
  const limit = query.transport === 'tcp' ? TCP_OCTETS : (query.payloadOctets ?? PLAIN_UDP_OCTETS);
  if (message.length <= limit) return [message];
  return [encodeReply({ ...parts, truncated: true, answers: [], authorities: [] })];
}

/** The id and the question are correct, but everything after them is not. */
export function garbage({ id, name, type }: ReceivedQuery): Buffer {
  const head = encodeReply({ id, question: { name, type } });
  head.writeUInt16BE(3, 6);
  return Buffer.concat([head, Buffer.from([0xc0, 0xff, 0xc0, 0xff, 0x3f, 1, 2, 3])]);
}

type Content = Pick<ReplyParts, 'rcode' | 'answers' | 'authorities'>;

function contentOf(zone: Zone, { name, type }: ReceivedQuery, resolves: boolean): Content | 'silence' | 'garbage' {
  const answers: Answer[] = [];
  for (let current = name; ;) {
    const found = zone.find(current, type);
    switch (found.kind) {
      case 'alias': {
        const [target] = found.targets;
        answers.push(toRecord(current, 'CNAME', target, found.ttl));
        if (!resolves) return { answers };
        if (answers.length > MAX_ALIASES) return { rcode: RCODE.servFail };
        current = target;
        break;
      }
      case 'records':
        return { answers: [...answers, ...found.records.map((data) => toRecord(current, type, data, found.ttl))] };
      case 'nodata':
        return { answers, authorities: soaOf(zone, current) };
      case 'nxdomain':
        return { rcode: RCODE.nxDomain, answers, authorities: soaOf(zone, current) };
      case 'servfail':
        return { rcode: RCODE.servFail };
      case 'refused':
        return { rcode: RCODE.refused };
      case 'malformed':
        return 'garbage';
      case 'timeout':
      case 'unreachable':
        return 'silence';
    }
  }
}

function soaOf(zone: Zone, name: string): Answer[] {
  const authority = zone.authority(name);
  return authority ? [toRecord(authority.name, 'SOA', authority.soa, authority.ttl)] : [];
}
