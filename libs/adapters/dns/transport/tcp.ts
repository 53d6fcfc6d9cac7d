import { connect } from 'node:net';
import { type DnsFailure } from '../port/dns.port';
import { isAnswerTo } from '../message/dns-message';
import { type QueryTimeout } from './deadline';
import { type ServerAddress, formatServerAddress } from './server-address';
import { settleOnce } from './settle-once';

const LENGTH_OCTETS = 2;

/**
 * One query over TCP (RFC 7766), for answers that are too long for UDP: up to 65 535 octets; further bytes are discarded.
 * @throws the signal's reason
 */
export function queryOverTcp(
  server: ServerAddress,
  query: Buffer,
  timeout: QueryTimeout,
): Promise<Buffer | DnsFailure> {
  const address = formatServerAddress(server);
  const late = (): DnsFailure => ({
    kind: 'timeout',
    message: `${address} did not answer over TCP within ${Math.round(timeout.withinMs)} ms`,
  });
  return settleOnce<Buffer | DnsFailure>(timeout, late, (resolve) => {
    const socket = connect(server);
    const reading = new MessageReading();
    let connected = false;
    // Length and message in one write: some servers read only the first segment (RFC 7766, section 8).
    socket.on('connect', () => {
      connected = true;
      socket.write(Buffer.concat([readLength(query), query]));
    });
    socket.on('data', (chunk) => {
      const message = reading.add(chunk);
      if (!message) return;
      const strange = { kind: 'malformed', message: `${address} answered a different question` } as const;
      resolve(isAnswerTo(query, message) ? message : strange);
    });
    socket.on('error', ({ message }) =>
      resolve({
        kind: connected ? 'malformed' : 'unreachable',
        message: `The connection to ${address} broke: ${message}`,
      }),
    );
    socket.on('close', () =>
      resolve({ kind: 'malformed', message: `${address} closed the connection before its answer was complete` }),
    );
    return () => socket.destroy();
  });
}

/** Assembles one message: its length in two octets, then its content. */
class MessageReading {
  readonly #chunks: Buffer[] = [];
  #octets = 0;

  /** The message once it is complete. */
  add(chunk: Buffer): Buffer | null {
    this.#chunks.push(chunk);
    this.#octets += chunk.length;
    if (this.#octets < LENGTH_OCTETS) return null;
    const [first = Buffer.alloc(0)] = this.#chunks;
    const head = first.length < LENGTH_OCTETS ? Buffer.concat(this.#chunks) : first;
    const end = LENGTH_OCTETS + head.readUInt16BE(0);
    return this.#octets < end ? null : Buffer.concat(this.#chunks).subarray(LENGTH_OCTETS, end);
  }
}

function readLength(message: Buffer): Buffer {
  const length = Buffer.alloc(LENGTH_OCTETS);
  length.writeUInt16BE(message.length);
  return length;
}
