import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { type DnsFailure } from '../port/dns.port';
import { isAnswerTo } from '../message/dns-message';
import { type QueryTimeout } from './deadline';
import { type ServerAddress, formatServerAddress } from './server-address';
import { settleOnce } from './settle-once';

/**
 * One query over UDP. Each has its own socket, and so an unpredictable port, and receives from its server only (RFC 5452, section
 * 9.2). Packets that do not answer the question are ignored: they may be forged, and the real answer may follow.
 * @throws the signal's reason
 */
export function queryOverUdp(
  server: ServerAddress,
  query: Buffer,
  timeout: QueryTimeout,
): Promise<Buffer | DnsFailure> {
  const { host, port } = server;
  let strange = 0;
  const failure = (): DnsFailure =>
    strange > 0
      ? { kind: 'malformed', message: `${formatServerAddress(server)} answered a different question` }
      : {
          kind: 'timeout',
          message: `${formatServerAddress(server)} did not answer within ${Math.round(timeout.withinMs)} ms`,
        };
  return settleOnce<Buffer | DnsFailure>(timeout, failure, (resolve) => {
    let open = true;
    const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
    socket.on('error', ({ message }) =>
      resolve({ kind: 'unreachable', message: `${formatServerAddress(server)} cannot be reached: ${message}` }),
    );
    socket.on('connect', () => {
      if (open) socket.send(query);
    });
    socket.on('message', (message) => {
      if (isAnswerTo(query, message)) resolve(message);
      else strange += 1;
    });
    socket.connect(port, host);
    return () => {
      open = false;
      socket.close();
    };
  });
}
