import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { type DnsFailure } from '../port/dns.port';
import { answersTo } from '../wire/dns-message';
import { type Patience } from './time-left';
import { type ServerAddress, shown } from './server-address';
import { settleOnce } from './settle-once';

/**
 * One question over UDP. Each has a socket of its own, hence a port that nobody can guess, and hears that server alone (RFC 5452,
 * section 9.2). What does not answer the question is passed over: it may be forged, and the answer still to come.
 * @throws the signal's reason
 */
export function askOverUdp(server: ServerAddress, query: Buffer, patience: Patience): Promise<Buffer | DnsFailure> {
  const { host, port } = server;
  let strange = 0;
  const failure = (): DnsFailure =>
    strange > 0
      ? { kind: 'malformed', message: `${shown(server)} answered something else than was asked` }
      : { kind: 'timeout', message: `${shown(server)} did not answer within ${Math.round(patience.withinMs)} ms` };
  return settleOnce<Buffer | DnsFailure>(patience, failure, (resolve) => {
    let open = true;
    const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
    socket.on('error', ({ message }) =>
      resolve({ kind: 'unreachable', message: `${shown(server)} cannot be reached: ${message}` }),
    );
    socket.on('connect', () => {
      if (open) socket.send(query);
    });
    socket.on('message', (message) => {
      if (answersTo(query, message)) resolve(message);
      else strange += 1;
    });
    socket.connect(port, host);
    return () => {
      open = false;
      socket.close();
    };
  });
}
