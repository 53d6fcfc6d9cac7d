import { type ErrorDetail } from '@platform/errors';

/** Ports of mail servers: SMTP submission and relay, and IMAP, each with and without implicit TLS. */
const PORTS = { smtp: [25, 465, 587, 2525], imap: [143, 993] } as const;

/**
 * Refuses ports of other services, so that users cannot scan networks through this installation. An operator who allows
 * every private network may use any port, for test servers.
 */
export function listPortRefusals(
  ports: { smtp: number; imap: number },
  { outboundAllowPrivate }: { outboundAllowPrivate: boolean | readonly string[] },
): ErrorDetail[] {
  if (outboundAllowPrivate === true) return [];
  return (['smtp', 'imap'] as const)
    .filter((half) => !(PORTS[half] as readonly number[]).includes(ports[half]))
    .map((half) => ({ field: `${half}Port`, message: `${half}Port must be one of ${PORTS[half].join(', ')}` }));
}
