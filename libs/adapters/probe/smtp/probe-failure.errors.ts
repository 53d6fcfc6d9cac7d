import { type Reply } from '@adapters/mail';

/** Why there is no reply. */
export type Silence = 'unreachable' | 'timeout' | 'protocol';

/** A conversation ended without the reply that was waited for. */
export class ProbeFailureError extends Error {
  constructor(
    readonly kind: Silence,
    message: string,
  ) {
    super(message);
  }
}

/** No connection came about: another host of the domain may have it. */
export class ProbeConnectError extends ProbeFailureError {
  constructor(message: string) {
    super('unreachable', message);
  }
}

/** There is no place at the address in time. */
export class ProbeNoSlotError extends Error {
  constructor(readonly freeInMs: number) {
    super('No place at the address');
  }
}

/** The server ended the conversation before it was asked about a recipient. */
export class ProbeRefusedError extends Error {
  constructor(
    readonly reply: Reply,
    /** Who said it. */
    readonly address: string,
  ) {
    super('The server refused the probe');
  }
}
