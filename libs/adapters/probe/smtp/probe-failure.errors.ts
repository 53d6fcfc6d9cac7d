import { type Reply } from '@adapters/mail';

/** Why there is no reply. */
export type Silence = 'unreachable' | 'timeout' | 'protocol';

/** A conversation ended without the expected reply. */
export class ProbeFailureError extends Error {
  constructor(
    readonly kind: Silence,
    message: string,
  ) {
    super(message);
  }
}

/** No connection was established: another host of the domain may be reachable. */
export class ProbeConnectError extends ProbeFailureError {
  constructor(message: string) {
    super('unreachable', message);
  }
}

/** No slot for the address was free in time. */
export class ProbeNoSlotError extends Error {
  constructor(readonly freeInMs: number) {
    super('No place at the address');
  }
}

/** The server ended the conversation before the probe of a recipient. */
export class ProbeRefusedError extends Error {
  constructor(
    readonly reply: Reply,
    /** The host that replied. */
    readonly address: string,
  ) {
    super('The server refused the probe');
  }
}
