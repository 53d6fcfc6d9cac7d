import { setTimeout as pause } from 'node:timers/promises';
import type { Fixture, Workspace } from './fixture.mts';
import { Inboxes } from './inboxes.mts';
import { MailSandbox } from './mail.mts';
import { type Server, settling } from './processes.mts';
import { type Goal, heading, showGoals } from './report.mts';
import { quantile } from './statistics.mts';
import type { Stage } from './subjects.mts';
import { until } from './mail-waiting.mts';

const API = 'dist/apps/api/src/main.js';
const DOMAIN = 'bench.test';
/** Longer than the poll interval of a mailbox (`POLL_MS` of the watchers): each is read once in an idle minute. */
const IDLE_MS = 60_000;
const LIMIT_MS = 180_000;
/** Messages that arrive one after the other, without other work. */
const CALM = 40;
const CALM_PAUSE_MS = 250;

/** Numbers of mailboxes, and the maximum memory of the worker for them. */
const STEPS = [
  { count: 200, below: 300, what: '200 idle IMAP connections, maximum' },
  { count: 1_000, below: 600, what: '1 000 mailboxes synced by one worker, maximum' },
];

interface Measured {
  peak: number;
  settled: number;
}

/** Measures the memory of a worker with many mailboxes of a real IMAP server, and checks that it stores each message once. */
export async function mailboxes({ fixture }: Stage): Promise<Goal[]> {
  heading('Mailboxes that one worker listens to: Dovecot, TLS, IMAP IDLE');
  const sandbox = MailSandbox.given();
  const bench = new MailboxBench(fixture, sandbox, await fixture.workspace('mailboxes', 0));
  const none = await bench.worker(0);
  const bareNone = await bench.bare(0, true);
  const goals: Goal[] = [];
  for (const { count, below, what } of STEPS) {
    await bench.connect(count);
    const bare = await bench.bare(count, false);
    const lean = await bench.bare(count, true);
    const worker = await bench.worker(count);
    const each = (mib: number, without: number): number => ((mib - without) * 1024) / count;
    const own = each(worker.settled, none.settled);
    const shown = [own, each(lean, bareNone), each(bare, bareNone)] as const;
    const [ofWorker, ofLean, ofBare] = shown.map((kib) => `${kib.toFixed(0)} KiB`);
    const ratios = [shown[1], shown[2]].map((other) => (own / other).toFixed(2)).join(' and ');
    console.log(
      `  each mailbox: ${ofWorker}; imapflow with one TLS context ${ofLean}, as it is ${ofBare}: ratio ${ratios}`,
    );
    goals.push(...showGoals([{ what, value: worker.peak, bound: { below }, unit: ' MiB' }]));
  }
  return goals;
}

class MailboxBench {
  readonly #fixture: Fixture;
  readonly #sandbox: MailSandbox;
  readonly #workspace: Workspace;
  readonly #inboxes: Inboxes;

  constructor(fixture: Fixture, sandbox: MailSandbox, workspace: Workspace) {
    this.#fixture = fixture;
    this.#sandbox = sandbox;
    this.#workspace = workspace;
    this.#inboxes = new Inboxes(fixture.database, workspace.workspaceId);
  }

  /** Connects mailboxes through the API up to this number. */
  async connect(count: number): Promise<void> {
    const started = Date.now();
    const known = await this.#inboxes.connected();
    const api = await this.#fixture.api(API, [], this.#sandbox.trust);
    await this.#sandbox.connect(api, this.#workspace, addresses(count).slice(known));
    const [rate, peak] = [(count - known) / seconds(started), api.peakMib().toFixed(0)];
    await api.stop();
    console.log(
      `  ${count} mailboxes: ${count - known} connected through the API, ${rate.toFixed(0)}/s; API ${peak} MiB`,
    );
  }

  /** Memory in MiB of a process with as many connections and no other work. */
  async bare(count: number, lean: boolean): Promise<number> {
    const env = { IMAP_PORT: String(this.#sandbox.imapPort), PASSWORD: this.#sandbox.password, DOMAIN };
    const process = await this.#fixture.program('tools/bench/bare-imap.mts', settling, {
      ...env,
      ...this.#sandbox.trust,
      COUNT: String(count),
      ...(lean ? { LEAN: '1' } : {}),
    });
    await until('connections in IDLE', count, LIMIT_MS, async () => {
      return ((await (await fetch(process.url)).json()) as { idling: number }).idling;
    });
    const settled = await process.settledMib();
    report(lean ? 'imapflow, one TLS context, no compression' : 'imapflow as it is', process);
    await process.stop();
    return settled;
  }

  /** Starts a worker when all mailboxes exist: reading all at once is its maximum load. */
  async worker(count: number): Promise<Measured> {
    const started = Date.now();
    const worker = await this.#fixture.worker(settling, this.#sandbox.trust);
    await until('mailboxes read', count, LIMIT_MS, () => this.#inboxes.readSince(new Date(started)));
    await until('IMAP connections', count, LIMIT_MS, () => worker.connectionsTo(this.#sandbox.imapPort));
    console.log(`  worker, ${count} mailboxes read and listened to after ${seconds(started).toFixed(0)} s`);
    report('worker, all read', worker);
    const cpuMs = await idleMinute(worker);
    const settled = await worker.settledMib();
    report('worker, after an idle minute', worker, cpuMs);
    if (count > 0) await this.#mail(worker, count);
    const peak = worker.peakMib();
    await worker.stop();
    return { peak, settled };
  }

  /** Delivers one message to each inbox at once, then a few one after the other. */
  async #mail(worker: Server, count: number): Promise<void> {
    const emails = addresses(count);
    await this.#arrives(emails, 0, 'to each at once');
    await this.#arrives(emails.slice(0, CALM), CALM_PAUSE_MS, `${CALM} one by one`);
    await worker.settledMib();
    report('worker, after the mail', worker);
    await until('IMAP connections', count, LIMIT_MS, () => worker.connectionsTo(this.#sandbox.imapPort));
    // A second check, after the time in which repetitions would be stored.
    await this.#inboxes.waitsFor([]);
  }

  async #arrives(emails: string[], pauseMs: number, what: string): Promise<void> {
    const delivered = await this.#sandbox.deliver(emails, pauseMs);
    const expected = this.#inboxes.expects(delivered);
    await until('messages kept', expected, LIMIT_MS, () => this.#inboxes.messages());
    const waits = await this.#inboxes.waitsFor(delivered);
    const [half, most, all] = [0.5, 0.95, 1].map((part) => `${(quantile(waits, part) / 1_000).toFixed(2)} s`);
    console.log(`  mail ${what}: stored once each; from delivery to storage p50 ${half}, p95 ${most}, at most ${all}`);
  }
}

function addresses(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `m${n}@${DOMAIN}`);
}

function seconds(since: number): number {
  return (Date.now() - since) / 1_000;
}

/** CPU time in milliseconds that a process uses in an idle minute. */
async function idleMinute(server: Server): Promise<number> {
  const before = server.cpuMs();
  await pause(IDLE_MS);
  return server.cpuMs() - before;
}

function report(name: string, server: Server, cpuMs?: number): void {
  const numbers = [`${server.residentMib().toFixed(0)} MiB`, `at its highest ${server.peakMib().toFixed(0)}`];
  if (cpuMs !== undefined) numbers.push(`CPU in it ${(cpuMs / 1_000).toFixed(1)} s`);
  console.log(`  ${name.padEnd(46)} ${numbers.join(', ')}`);
}
