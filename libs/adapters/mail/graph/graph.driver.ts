import { RateLimiter } from '@platform/concurrency';
import { Agent } from 'undici';
import { type GraphAccount } from '../port/account';
import { type MailDriver } from '../port/driver';
import { type MailSession } from '../port/session';
import { GraphClient, type GraphTimeouts } from './graph.client';
import { type GraphTime, realTime } from './graph-time';
import { GraphSession } from './graph-session';

export interface GraphDriverOptions {
  /** The API's URL with its version, set by the operator: `https://graph.microsoft.com/v1.0`. */
  readonly apiUrl: string;
  /** Milliseconds between two polls for new mail. */
  readonly pollMs?: number;
  readonly timeouts?: Partial<GraphTimeouts>;
  /** Concurrent requests to one mailbox. Graph refuses a fifth; other programs of the same application count too. */
  readonly concurrency?: number;
  /** Milliseconds after a send request in which an existing draft proves nothing. */
  readonly draftSettleMs?: number;
  readonly time?: GraphTime;
}

const TIMEOUTS: GraphTimeouts = { connectMs: 10_000, answerMs: 60_000, bodyMs: 60_000 };
const POLL_MS = 60_000;
const CONCURRENCY = 3;
const DRAFT_SETTLE_MS = 5 * 60_000;

/** Milliseconds for which an idle connection stays open. Microsoft's front ends close theirs after two minutes. */
const KEEP_ALIVE_MS = 30_000;

/** Microsoft 365 mailboxes over Microsoft Graph. All mailboxes share the connections; limits apply per mailbox. */
export class GraphDriver implements MailDriver<'graph'> {
  readonly kind = 'graph';
  readonly #agent: Agent;
  readonly #timeouts: GraphTimeouts;
  readonly #limiter: RateLimiter;
  readonly #time: GraphTime;

  constructor(private readonly options: GraphDriverOptions) {
    this.#timeouts = { ...TIMEOUTS, ...options.timeouts };
    this.#time = options.time ?? realTime;
    this.#limiter = new RateLimiter({ perKey: options.concurrency ?? CONCURRENCY }, this.#time);
    this.#agent = new Agent({
      connect: { timeout: this.#timeouts.connectMs },
      keepAliveTimeout: KEEP_ALIVE_MS,
      // One request at a time per connection, so that a broken connection affects only one.
      pipelining: 1,
      allowH2: false,
    });
  }

  open(account: GraphAccount): MailSession {
    const { apiUrl, pollMs = POLL_MS, draftSettleMs = DRAFT_SETTLE_MS } = this.options;
    const time = this.#time;
    const client = new GraphClient({
      apiUrl,
      dispatcher: this.#agent,
      token: account.token,
      limiter: this.#limiter,
      // Not the account: two sessions of one mailbox (during a change of credentials) share the vendor's limit.
      mailbox: account.email.toLowerCase(),
      time,
      timeouts: this.#timeouts,
    });
    return new GraphSession(account, client, { time, pollMs, draftSettleMs });
  }

  /** Closes all connections; running requests fail. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}
