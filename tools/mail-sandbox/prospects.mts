import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { AcceptedMail } from './accepted-log.mts';
import { toSummary } from './headers.mts';
import { bounce, delayNotice } from './messages/bounce.mts';
import { complaint } from './messages/complaint.mts';
import { readOriginal, type Making, type Original } from './messages/original.mts';
import { outOfOffice } from './messages/out-of-office.mts';
import { reply } from './messages/reply.mts';
import { decide, delayBefore, isProspect, type Act, type Incoming } from './prospect-decision.mts';
import { ProspectBrowser } from './prospect-browser.mts';
import type { WebParts } from './web/api.mts';

export interface ProspectOptions {
  /** Addresses in these domains and below them are prospects; any other is only a mailbox. */
  domains: string[];
  /** The longest pause before each act; 0 acts at once. */
  delayMs: number;
}

const DEFAULTS: ProspectOptions = { domains: ['prospects.test'], delayMs: 3_000 };
const REMEMBERED = 100_000;
/** More than any mail that is answered here needs; the rest of a very large one is not read. */
const LARGEST_READ = 5_000_000;

/** People who do not exist: they read what arrives, and some of them answer. */
export class Prospects {
  readonly #parts: Pick<WebParts, 'store' | 'maildirs'>;
  readonly #seed: string;
  readonly #options: ProspectOptions;
  readonly #browser = new ProspectBrowser();
  readonly #stopped = new AbortController();
  readonly #busy = new Set<Promise<void>>();
  readonly #answered = new Set<string>();

  constructor(parts: Pick<WebParts, 'store' | 'maildirs'>, seed: string, options: Partial<ProspectOptions> = {}) {
    this.#parts = parts;
    this.#seed = seed;
    this.#options = { ...DEFAULTS, ...options };
  }

  /** Number of prospects with open actions. */
  get pending(): number {
    return this.#busy.size;
  }

  /** A message was delivered; acts on it in the background. */
  receive(mail: Pick<AcceptedMail, 'from' | 'to' | 'placed'>, raw: Buffer): void {
    for (const recipient of mail.to) {
      // People do not read that folder.
      if (mail.placed[recipient] === 'spam') continue;
      if (!isProspect(recipient, this.#options.domains) || this.#stopped.signal.aborted) continue;
      const work = this.#handle(raw, mail.from, recipient)
        .catch((error: unknown) => {
          if (!this.#stopped.signal.aborted) console.error(`prospect ${recipient}: ${(error as Error).message}`);
        })
        .finally(() => this.#busy.delete(work));
      this.#busy.add(work);
    }
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.all(this.#busy);
  }

  async #handle(raw: Buffer, sender: string, recipient: string): Promise<void> {
    const original = await readOriginal(raw.subarray(0, LARGEST_READ), sender, recipient);
    const pair = `${recipient} ${sender}`;
    const incoming = toIncoming(original, this.#answered.has(pair));
    const acts = decide(this.#seed, incoming, this.#options.domains);
    if (acts.some(({ kind }) => kind === 'reply' || kind === 'out-of-office')) this.#remember(pair);
    const { signal } = this.#stopped;
    for (const [index, act] of acts.entries()) {
      const ms = delayBefore(this.#seed, recipient, index, this.#options.delayMs);
      if (ms > 0) await pause(ms, undefined, { signal, ref: false });
      await this.#act(act, original);
    }
  }

  async #act(act: Act, original: Original): Promise<void> {
    const { signal } = this.#stopped;
    if (act.kind === 'open') return this.#browser.open(original, signal);
    if (act.kind === 'click') return this.#browser.click(original, signal);
    if (act.kind === 'scan') return this.#browser.scan(original, signal);
    if (act.kind === 'one-click') return this.#browser.unsubscribe(original, signal);
    const making: Making = { now: new Date(), id: randomBytes(10).toString('hex') };
    // A person answers whom the message names, a machine answers the envelope.
    const to = act.kind === 'reply' ? original.replyTo : original.envelopeFrom;
    await this.#deliver(to.toLowerCase(), write(act, original, making));
  }

  async #deliver(to: string, raw: Buffer): Promise<void> {
    const { store, maildirs } = this.#parts;
    const id = store.newId();
    await store.write(id, raw);
    await maildirs.deliver(to, store.file(id));
    store.add({
      id,
      origin: 'prospect',
      time: new Date().toISOString(),
      to: [to],
      ...toSummary(raw),
      size: raw.length,
    });
  }

  #remember(pair: string): void {
    if (this.#answered.size >= REMEMBERED) this.#answered.clear();
    this.#answered.add(pair);
  }
}

type Written = Exclude<Act, { kind: 'open' | 'click' | 'scan' | 'one-click' }>;

function write(act: Written, original: Original, making: Making): Buffer {
  switch (act.kind) {
    case 'reply':
      return reply(original, act, making);
    case 'out-of-office':
      return outOfOffice(original, act, making);
    case 'bounce':
      return bounce(original, act.format, act.reason, making);
    case 'delayed':
      return delayNotice(original, act.format, making);
    case 'complaint':
      return complaint(original, making);
  }
}

function toIncoming(original: Original, answeredBefore: boolean): Incoming {
  return {
    prospect: original.recipient,
    sender: original.envelopeFrom,
    from: original.fromAddress,
    autoSubmitted: original.header('auto-submitted'),
    precedence: original.header('precedence'),
    autoReplyHeader: ['x-autoreply', 'x-autorespond', 'x-autoresponder'].some(
      (name) => original.header(name) !== undefined,
    ),
    answeredBefore,
  };
}
