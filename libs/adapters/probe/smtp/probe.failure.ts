import { type Reply } from '@adapters/mail';

/** Why there is no reply. */
export type Silence = 'unreachable' | 'timeout' | 'protocol';

/** A conversation ended without the reply that was waited for. */
export class ProbeFailure extends Error {
  constructor(
    readonly kind: Silence,
    message: string,
  ) {
    super(message);
  }
}

/** No connection came about: another host of the domain may have it. */
export class ConnectFailure extends ProbeFailure {
  constructor(message: string) {
    super('unreachable', message);
  }
}

/** The server ended the conversation before it was asked about a recipient. */
export class ProbeRefusal extends Error {
  constructor(readonly reply: Reply) {
    super('The server refused the probe');
  }
}
