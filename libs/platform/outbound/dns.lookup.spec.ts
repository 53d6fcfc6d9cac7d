import { createSocket } from 'node:dgram';
import { dnsLookup, isNoSuchName } from './dns.lookup';

const A = 1;
const NXDOMAIN = 3;
const SERVFAIL = 2;

interface Zone {
  readonly a?: readonly string[];
  readonly aaaa?: readonly Buffer[];
  readonly rcodeA?: number;
  readonly rcodeAaaa?: number;
}

/** A DNS server over UDP that gives the same answer for every name (RFC 1035, section 4). */
async function dnsServer(zone: Zone): Promise<{ address: string; close: () => void }> {
  const socket = createSocket('udp4');
  socket.on('message', (query, peer) => {
    const questionEnd = query.indexOf(0, 12) + 5;
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

async function lookUp(zone: Zone): Promise<readonly string[] | { code: unknown; noSuchName: boolean }> {
  const server = await dnsServer(zone);
  try {
    return await dnsLookup([server.address])('receiver.example');
  } catch (error) {
    return { code: (error as NodeJS.ErrnoException).code, noSuchName: isNoSuchName(error) };
  } finally {
    server.close();
  }
}

describe('dnsLookup', () => {
  const v6 = Buffer.from('26064700000000000000000000001111', 'hex');

  it('gives the addresses of both families, IPv6 first', async () => {
    expect(await lookUp({ a: ['1.1.1.1', '1.0.0.1'], aaaa: [v6] })).toEqual(['2606:4700::1111', '1.1.1.1', '1.0.0.1']);
  });

  it('is content with one family', async () => {
    expect(await lookUp({ a: ['1.1.1.1'] })).toEqual(['1.1.1.1']);
    expect(await lookUp({ aaaa: [v6], rcodeA: SERVFAIL })).toEqual(['2606:4700::1111']);
  });

  it.each([
    ['there is no such name', { rcodeA: NXDOMAIN, rcodeAaaa: NXDOMAIN }, 'ENOTFOUND', true],
    ['the name has no address', {}, 'ENODATA', true],
    ['the server failed', { rcodeA: SERVFAIL, rcodeAaaa: SERVFAIL }, 'ESERVFAIL', false],
    ['the server failed for one family and has none of the other', { rcodeA: SERVFAIL }, 'ESERVFAIL', false],
  ])('tells that %s', async (_, zone, code, noSuchName) => {
    expect(await lookUp(zone)).toEqual({ code, noSuchName });
  });
});
