import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Zone, type ZoneTable } from '../fake/zone';
import { act, type Fault } from './dns-faults';
import { replyFrom } from './dns-zone-reply';
import { received, type ReceivedQuery } from './received-query';

export interface DnsServerOptions {
  /** Behaves like a recursive resolver that follows aliases; otherwise like an authoritative server that does not. */
  readonly resolves?: boolean;
  /** Default: any free port. */
  readonly port?: number;
}

const HOST = '127.0.0.1';
const PORT_TRIES = 20;

/**
 * A DNS server on loopback for tests, over UDP and TCP on one port, that answers from a table or with a scripted fault. Failures of the
 * table look real: `timeout` and `unreachable` are silence, `malformed` is garbage.
 */
export class DnsServer {
  readonly zone: Zone;
  /** Every query so far, in order of arrival. */
  readonly queries: ReceivedQuery[] = [];
  /** The fault of the answer to a query; `null` for none. */
  does: (query: ReceivedQuery) => Fault | null = () => null;
  readonly port: number;
  readonly #connections = new Set<Socket>();

  private constructor(
    private readonly udp: UdpSocket,
    private readonly tcp: Server,
    table: ZoneTable,
    /** See `DnsServerOptions`. */
    public resolves: boolean,
  ) {
    this.zone = new Zone(table);
    this.port = udp.address().port;
    udp.on('message', (message, peer) => void this.#overUdp(message, peer));
    tcp.on('connection', (socket) => this.#overTcp(socket));
  }

  static async start(table: ZoneTable = {}, { resolves = true, port = 0 }: DnsServerOptions = {}): Promise<DnsServer> {
    for (let tries = 1; ; tries += 1) {
      const tcp = createServer();
      const udp = createSocket('udp4');
      try {
        tcp.listen(port, HOST);
        await once(tcp, 'listening');
        udp.bind((tcp.address() as AddressInfo).port, HOST);
        await once(udp, 'listening');
        return new DnsServer(udp, tcp, table, resolves);
      } catch (error) {
        // A port that is free for one protocol may be in use for the other.
        tcp.close();
        udp.close();
        if (port !== 0 || tries === PORT_TRIES) throw error;
      }
    }
  }

  get host(): string {
    return HOST;
  }

  /** In the format of `DNS_SERVERS`. */
  get address(): string {
    return `${HOST}:${this.port}`;
  }

  /** Makes the server unreachable. */
  async close(): Promise<void> {
    if (!this.#isOpen()) return;
    const closed = Promise.all([once(this.udp, 'close'), once(this.tcp, 'close')]);
    this.udp.close();
    this.tcp.close();
    for (const socket of this.#connections) socket.destroy();
    await closed;
  }

  async #overUdp(message: Buffer, peer: RemoteInfo): Promise<void> {
    const query = received(message, 'udp', peer.port);
    const send = (answer: Buffer): void => {
      // The server may have been closed while an answer was delayed.
      if (this.#isOpen()) this.udp.send(answer, peer.port, peer.address);
    };
    await this.#answer(query, send, () => undefined);
  }

  #overTcp(socket: Socket): void {
    this.#connections.add(socket);
    socket.on('close', () => this.#connections.delete(socket));
    socket.on('error', () => socket.destroy());
    let pending = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      pending = Buffer.concat([pending, chunk]);
      if (pending.length < 2 || pending.length < 2 + pending.readUInt16BE(0)) return;
      const query = received(pending.subarray(2), 'tcp', socket.remotePort ?? 0);
      void this.#answer(
        query,
        (answer) => socket.write(Buffer.concat([lengthOf(answer), answer])),
        (part) => socket.end(part),
      );
    });
  }

  async #answer(query: ReceivedQuery, send: (answer: Buffer) => void, cut: (part: Buffer) => void): Promise<void> {
    this.queries.push(query);
    const right = () => replyFrom(this.zone, query, this.resolves);
    const fault = this.does(query);
    if (fault) await act(fault, { query, right, send, cut, elsewhere: (answer) => this.#fromElsewhere(query, answer) });
    else right().forEach(send);
  }

  /** The same answer from another local port, as a spoofing attacker would send it. */
  async #fromElsewhere(query: ReceivedQuery, answer: Buffer): Promise<void> {
    const stranger = createSocket('udp4');
    await new Promise<void>((done) => stranger.send(answer, query.sourcePort, HOST, () => done()));
    stranger.close();
  }

  #isOpen(): boolean {
    return this.tcp.listening;
  }
}

function lengthOf(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return length;
}
