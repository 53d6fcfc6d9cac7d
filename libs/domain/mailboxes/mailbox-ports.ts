import { type ErrorDetail } from '@platform/errors';

/** Where mail servers listen: submission and relay, with and without TLS from the first byte; IMAP. */
const PORTS = { smtp: [25, 465, 587, 2525], imap: [143, 993] } as const;

/**
 * The ports that are not connected to. Those of other services stay shut, or anybody could knock on them from here; an
 * operator who allows every private network has test servers wherever they like.
 */
export function listPortRefusals(
  wanted: { smtp: number; imap: number },
  { outboundAllowPrivate }: { outboundAllowPrivate: boolean | readonly string[] },
): ErrorDetail[] {
  if (outboundAllowPrivate === true) return [];
  return (['smtp', 'imap'] as const)
    .filter((half) => !(PORTS[half] as readonly number[]).includes(wanted[half]))
    .map((half) => ({ field: `${half}Port`, message: `${half}Port must be one of ${PORTS[half].join(', ')}` }));
}
