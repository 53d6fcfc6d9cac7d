import { setTimeout as sleep } from 'node:timers/promises';
import { createSystemTimer, RateLimiter } from '@platform/concurrency';
import { Agent } from 'undici';
import { type GmailAccount } from '../port/account';
import { type MailDriver } from '../port/driver';
import { type MailSession } from '../port/session';
import { type GmailHttp, type GmailTimeouts } from './gmail.client';
import { GmailSession } from './gmail-session';

export interface GmailDriverOptions {
  /** `https://gmail.googleapis.com/`, set by the operator. */
  readonly apiUrl: string;
  /** Milliseconds between two polls of `waitForChange`. Default one minute. */
  readonly pollMs?: number;
  readonly timeouts?: Partial<GmailTimeouts>;
  /** For tests: how back-off and polling wait. Rejects when the signal is aborted. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** For tests: milliseconds since 1970. */
  readonly now?: () => number;
}

const POLL_MS = 60_000;
const TIMEOUTS: GmailTimeouts = { connect: 10_000, answer: 30_000, send: 120_000 };

/** Connections to Gmail, shared by all mailboxes of the process. */
const MAX_CONNECTIONS = 128;
/** Concurrent requests to one mailbox. */
const PER_MAILBOX = 8;
const KEEP_ALIVE_MS = 4_000;
const KEEP_ALIVE_MAX_MS = 30_000;

/** Gmail and Google Workspace mailboxes over the Gmail API. */
export class GmailDriver implements MailDriver<'gmail'> {
  readonly kind = 'gmail';
  readonly #http: GmailHttp;
  readonly #pollMs: number;

  constructor({ apiUrl, pollMs = POLL_MS, timeouts = {}, wait = waitFor, now = Date.now }: GmailDriverOptions) {
    const all = { ...TIMEOUTS, ...timeouts };
    this.#pollMs = pollMs;
    this.#http = {
      agent: new Agent({
        connect: { timeout: all.connect },
        connections: MAX_CONNECTIONS,
        // One request at a time per connection, so that a broken connection affects only one.
        allowH2: false,
        pipelining: 1,
        keepAliveTimeout: KEEP_ALIVE_MS,
        keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
      }),
      baseUrl: apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/`,
      timeouts: all,
      limiter: new RateLimiter({ perKey: PER_MAILBOX }, createSystemTimer(now)),
      wait,
      now,
    };
  }

  open(account: GmailAccount): MailSession {
    return new GmailSession(account, this.#http, this.#pollMs);
  }

  /** Ends the connections of all sessions. */
  async close(): Promise<void> {
    await this.#http.agent.destroy();
  }
}

async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal });
}
