import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { domainToASCII } from 'node:url';
import { type OutboundAddressService, type CheckedAddress, OutboundError } from '@platform/outbound';
import { type ServerSettings } from '../port/account';
import { createMailError } from './smtp-outcomes';

export interface DialOptions {
  readonly server: ServerSettings;
  readonly guard: OutboundAddressService;
  /** Timeout per address, and of the TLS handshake. */
  readonly timeoutMs: number;
  readonly tls: ConnectionOptions;
}

/** Allowed ports of mail servers; others would allow users to scan ports. */
const MAIL_PORTS: ReadonlySet<number> = new Set([25, 465, 587, 2525]);

/** Maximum tried addresses of a host. */
const MAX_ADDRESSES = 4;

/** The host name for certificate verification: without brackets and final dot, in A-labels. */
export function hostName(host: string): string {
  const bare = host
    .trim()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
  return isIP(bare) > 0 ? bare : domainToASCII(bare) || bare;
}

/** The TLS options of all connections: verified, with a name, at least version 1.2. An IP address is checked but not sent as SNI. */
export function tlsOptions(host: string, ca: string | undefined): ConnectionOptions {
  const name = hostName(host);
  return {
    host: name,
    servername: isIP(name) > 0 ? '' : name,
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca }),
  };
}

/**
 * Connects to a server at an address that the guard allows, with TLS if it starts with the first byte.
 * @throws MailError at the stages address, resolve, connect and tls; when the signal is aborted, at the current stage.
 */
export async function dial(options: DialOptions, signal: AbortSignal): Promise<Socket> {
  const { server, timeoutMs } = options;
  const addresses = await allowedAddresses(options);
  const reasons = new Set<string>();
  for (const address of addresses.slice(0, MAX_ADDRESSES)) {
    const socket = connect({ host: address.address, family: address.family, port: server.port });
    const failed = await opened(socket, 'connect', timeoutMs, signal);
    if (failed === null) return server.secure ? encrypted(socket, options, signal) : socket;
    reasons.add(failed);
  }
  throw createMailError(
    'temporary',
    'connect',
    `No connection to ${server.host}:${server.port} (${[...reasons].join(', ')})`,
  );
}

async function allowedAddresses({ server, guard }: DialOptions): Promise<readonly CheckedAddress[]> {
  if (!MAIL_PORTS.has(server.port) && !allowsPrivate(guard)) {
    throw createMailError(
      'needs-human',
      'address',
      `Port ${server.port} is not one of the mail ports ${[...MAIL_PORTS].join(', ')}`,
    );
  }
  try {
    return await guard.resolve(hostName(server.host));
  } catch (error) {
    if (!(error instanceof OutboundError))
      throw createMailError('temporary', 'resolve', `${server.host} could not be looked up`);
    const stage = error.reason === 'address_refused' ? 'address' : 'resolve';
    throw createMailError(error.retry ? 'temporary' : 'needs-human', stage, error.message);
  }
}

/** Whether the operator allows private networks; then all ports are allowed. */
export function allowsPrivate(guard: OutboundAddressService): boolean {
  try {
    guard.refuseLiteral('127.0.0.1');
    return true;
  } catch {
    return false;
  }
}

async function encrypted(
  socket: Socket,
  { server, timeoutMs, tls }: DialOptions,
  signal: AbortSignal,
): Promise<Socket> {
  const secure = connectTls({ ...tls, socket });
  const failed = await opened(secure, 'secureConnect', timeoutMs, signal);
  if (failed === null) return secure;
  socket.destroy();
  throw noTls(server.host, failed);
}

/** OpenSSL codes for data that is not TLS. */
const NOT_TLS =
  /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|BAD_PROTOCOL|UNEXPECTED_MESSAGE|UNKNOWN_PROTOCOL|HTTP_REQUEST/;

/** Whether OpenSSL's code means that the server uses plain text. */
export function isNotTls(code: string): boolean {
  return NOT_TLS.test(code);
}

export function noTls(host: string, code: string) {
  if (isNotTls(code)) {
    const message = `${host} does not speak TLS from the first byte on this port; it may expect STARTTLS (${code})`;
    return createMailError('temporary', 'tls', message);
  }
  return createMailError('temporary', 'tls', `No trusted TLS connection to ${host} (${code})`);
}

/** Waits for a socket to be ready: null, or the error code of a destroyed socket. */
function opened(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  ms: number,
  signal: AbortSignal,
): Promise<string | null> {
  return new Promise((resolve) => {
    const settle = (failed: string | null) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      socket.off('close', closed).off(event, ready);
      // This listener stays, because an error may occur before the next owner adds one.
      if (failed !== null) socket.destroy();
      resolve(failed);
    };
    const stop = () => settle('stopped');
    const closed = () => settle('closed');
    const ready = () => settle(null);
    const timer = setTimeout(() => settle('ETIMEDOUT'), ms);
    socket.once(event, ready);
    socket.on('error', (error) => settle(toSocketErrorCode(error)));
    socket.once('close', closed);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
}

/** The error code of Node or OpenSSL. */
export function toSocketErrorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown';
  if ('originalCode' in error && typeof error.originalCode === 'string') return error.originalCode;
  return 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
}
