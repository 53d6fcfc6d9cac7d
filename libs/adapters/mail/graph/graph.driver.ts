import { Agent } from 'undici';
import { type GraphAccount } from '../port/account';
import { type MailDriver } from '../port/driver';
import { type MailSession } from '../port/session';
import { GraphClient, type GraphTimeouts } from './graph.client';
import { GraphRateLimiter, type GraphTime, realTime } from './graph-rate-limiter';
import { GraphSession } from './graph-session';

export interface GraphDriverOptions {
  /** Address of the API with its version, as the operator configured it: `https://graph.microsoft.com/v1.0`. */
  readonly apiUrl: string;
  /** Milliseconds between two looks for new mail. */
  readonly pollMs?: number;
  readonly timeouts?: Partial<GraphTimeouts>;
  /** Requests to one mailbox at once. Graph refuses a fifth; other programs of the same application count too. */
  readonly concurrency?: number;
  /** Milliseconds after a send request in which an existing draft proves nothing. */
  readonly draftSettleMs?: number;
  readonly time?: GraphTime;
}

const TIMEOUTS: GraphTimeouts = { connectMs: 10_000, answerMs: 60_000, bodyMs: 60_000 };
const POLL_MS = 60_000;
const CONCURRENCY = 3;
const DRAFT_SETTLE_MS = 5 * 60_000;

/** Milliseconds for which an idle connection is kept. Microsoft's front ends close theirs after two minutes. */
const KEEP_ALIVE_MS = 30_000;

/** Microsoft 365 mailboxes through Microsoft Graph. Connections are shared by all mailboxes, bounds are per mailbox. */
export class GraphDriver implements MailDriver<'graph'> {
  readonly kind = 'graph';
  readonly #agent: Agent;
  readonly #timeouts: GraphTimeouts;
  readonly #gates = new Map<string, { readonly gate: GraphRateLimiter; users: number }>();

  constructor(private readonly options: GraphDriverOptions) {
    this.#timeouts = { ...TIMEOUTS, ...options.timeouts };
    this.#agent = new Agent({
      connect: { timeout: this.#timeouts.connectMs },
      keepAliveTimeout: KEEP_ALIVE_MS,
      // One request at a time on a connection: what was given and what was not stays clear when it breaks.
      pipelining: 1,
      allowH2: false,
    });
  }

  open(account: GraphAccount): MailSession {
    const { apiUrl, pollMs = POLL_MS, draftSettleMs = DRAFT_SETTLE_MS, time = realTime } = this.options;
    // The mailbox, not the account: two sessions of one (its credentials are just being changed) share the vendor's bound.
    const mailbox = account.email.toLowerCase();
    const shared = this.#gates.get(mailbox) ?? this.#newGate(mailbox, time);
    shared.users += 1;
    let closed = false;
    const onClose = (): void => {
      if (closed) return;
      closed = true;
      shared.users -= 1;
      if (shared.users === 0) this.#gates.delete(mailbox);
    };
    const { gate } = shared;
    const dispatcher = this.#agent;
    const client = new GraphClient({ apiUrl, dispatcher, token: account.token, gate, time, timeouts: this.#timeouts });
    return new GraphSession(account, client, { time, pollMs, draftSettleMs, onClose });
  }

  /** Ends all connections; what is running fails. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  #newGate(mailbox: string, time: GraphTime): { gate: GraphRateLimiter; users: number } {
    const shared = { gate: new GraphRateLimiter(this.options.concurrency ?? CONCURRENCY, time), users: 0 };
    this.#gates.set(mailbox, shared);
    return shared;
  }
}
