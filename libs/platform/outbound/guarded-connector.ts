import { type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { type OutboundAddressService } from './outbound-address.service';
import { connectFailure } from './outbound-failures';

export interface ConnectorOptions {
  /** Timeout of DNS, TCP and TLS together, in milliseconds. */
  readonly timeoutMs: number;
  /** PEM certificates to trust instead of the built-in ones. */
  readonly ca?: string;
}

/**
 * A connector for undici that opens sockets only to addresses that the guard allows. Names are checked inside the socket's own
 * lookup, so that the socket connects to the checked addresses. Node looks up no IP addresses, so those are checked before.
 * HTTP/1.1 only: one request at a time on a connection.
 */
export function guardedConnector(guard: OutboundAddressService, options: ConnectorOptions): buildConnector.connector {
  const connect = buildConnector({
    lookup: guardedLookup(guard),
    timeout: options.timeoutMs,
    allowH2: false,
    autoSelectFamily: true,
    ca: options.ca,
  });
  return (target, callback) => {
    try {
      guard.refuseLiteral(target.hostname);
    } catch (error) {
      process.nextTick(callback, error, null);
      return;
    }
    connect(target, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else callback(connectFailure(error, target.protocol, target.host ?? target.hostname), null);
    });
  };
}

function guardedLookup(guard: OutboundAddressService): LookupFunction {
  return (hostname, options, callback) => {
    guard.resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all === true)
          callback(
            null,
            addresses.map((address) => ({ ...address })),
          );
        else callback(null, first?.address ?? '', first?.family);
      },
      (error: Error) => callback(error, ''),
    );
  };
}
