import { createSocket } from 'node:dgram';

const A = 1;
export const NXDOMAIN = 3;
export const SERVFAIL = 2;

/** The addresses of a name by family, or the response code of their queries. */
export interface Zone {
  readonly a?: readonly string[];
  readonly aaaa?: readonly Buffer[];
  readonly rcodeA?: number;
  readonly rcodeAaaa?: number;
}

export interface DnsServer {
  /** `host:port`. */
  readonly address: string;
  close(): void;
}

/** A DNS server over UDP whose answers have a TTL of 0 (RFC 1035, section 4). */
export async function dnsServer(zoneOf: (name: string) => Zone): Promise<DnsServer> {
  const socket = createSocket('udp4');
  socket.on('message', (query, peer) => {
    const questionEnd = query.indexOf(0, 12) + 5;
    const zone = zoneOf(parseQueryName(query));
    const isA = query.readUInt16BE(questionEnd - 4) === A;
    const data = isA ? (zone.a ?? []).map((ip) => Buffer.from(ip.split('.').map(Number))) : (zone.aaaa ?? []);
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | ((isA ? zone.rcodeA : zone.rcodeAaaa) ?? 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(data.length, 6);
    const records = data.map((rdata) => {
      const record = Buffer.from([0xc0, 12, 0, rdata.length === 4 ? A : 28, 0, 1, 0, 0, 0, 0, 0, rdata.length]);
      return Buffer.concat([record, rdata]);
    });
    socket.send(Buffer.concat([header, query.subarray(12, questionEnd), ...records]), peer.port, peer.address);
  });
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
  return { address: `127.0.0.1:${socket.address().port}`, close: () => socket.close() };
}

function parseQueryName(query: Buffer): string {
  const labels: string[] = [];
  for (let at = 12, length = query[at] ?? 0; length > 0; at += length + 1, length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
  }
  return labels.join('.');
}
