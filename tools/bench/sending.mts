import mongoose from 'mongoose';
import { freePort } from '../local-services/ports.mts';
import type { Fixture, Workspace } from './fixture.mts';
import { MailSandbox } from './mail.mts';
import type { Server } from './processes.mts';
import { type Goal, heading, showGoals } from './report.mts';
import { median } from './statistics.mts';
import type { Stage } from './subjects.mts';
import { until } from './mail-waiting.mts';

const API = 'dist/apps/api/src/main.js';
const MAILBOXES = 20;
const DOMAIN = 'sending.test';
const LIMIT_MS = 300_000;
const ROUNDS = 3;
const BATCH = 1_000;

interface Sink {
  readonly name: string;
  readonly emails: number;
  /** The share of the emails after which the time is taken: the sink's temporary rejections are retried minutes later. */
  readonly part: number;
  /** The goal in emails per second; null where the sink's own time is the limit. */
  readonly atLeast: number | null;
  readonly env: Record<string, string>;
}

/** Mail sinks of the benchmark: one answers at once, the other with the delays and failures of a real server. */
const SINKS: readonly Sink[] = [
  { name: 'a sink that answers at once', emails: 2_000, part: 1, atLeast: 300, env: {} },
  {
    name: 'a sink that takes 50 to 200 ms, 3 % 4xx',
    emails: 1_000,
    part: 0.95,
    atLeast: null,
    env: { DELAY_MIN_MS: '50', DELAY_MAX_MS: '200', TEMPORARY: '0.03' },
  },
];

interface Sample {
  perSecond: number;
  cpuMs: number;
}

/** Emails per second through the mailbox senders, against a bare loop with the same durable writes. */
export async function sending({ fixture }: Stage): Promise<Goal[]> {
  const goals: Goal[] = [];
  for (const sink of SINKS) {
    heading(`Sending: ${MAILBOXES} mailboxes without a gap, ${sink.emails} emails, one worker, ${sink.name}`);
    const bench = await SendingBench.open(fixture, sink);
    const samples = { bare: [] as Sample[], platform: [] as Sample[] };
    await bench.campaign(200, sink.part); // warm
    for (let round = 0; round < ROUNDS; round++) {
      samples.bare.push(await bench.bare(sink.emails));
      samples.platform.push(await bench.campaign(sink.emails, sink.part));
    }
    await bench.close();
    show('bare loop', samples.bare);
    show('platform', samples.platform);
    const ratios = samples.platform.map((one, at) => one.perSecond / (samples.bare[at]?.perSecond ?? Number.NaN));
    const rate = median(samples.platform.map(({ perSecond }) => perSecond));
    goals.push(
      ...showGoals([
        { what: 'emails/s / of the bare loop', value: median(ratios), bound: { atLeast: 0.6 } },
        ...(sink.atLeast === null ? [] : [{ what: 'emails/s', value: rate, bound: { atLeast: sink.atLeast } }]),
      ]),
    );
  }
  return goals;
}

function show(name: string, samples: Sample[]): void {
  const rate = median(samples.map(({ perSecond }) => perSecond)).toFixed(0);
  const cpu = median(samples.map(({ cpuMs }) => cpuMs)).toFixed(2);
  console.log(`  ${name.padEnd(46)} ${rate.padStart(6)} emails/s   CPU ${cpu.padStart(5)} ms`);
}

interface Servers {
  readonly api: Server;
  readonly worker: Server;
  readonly sink: Server;
  readonly loop: Server;
}

class SendingBench {
  readonly #fixture: Fixture;
  readonly #workspace: Workspace;
  readonly #servers: Servers;
  readonly #mailboxIds: readonly string[];
  #serial = 0;

  private constructor(fixture: Fixture, workspace: Workspace, servers: Servers, mailboxIds: readonly string[]) {
    this.#fixture = fixture;
    this.#workspace = workspace;
    this.#servers = servers;
    this.#mailboxIds = mailboxIds;
  }

  static async open(fixture: Fixture, { env }: Sink): Promise<SendingBench> {
    const sandbox = MailSandbox.given();
    const workspace = await fixture.workspace(`sending-${Date.now()}`, 0);
    const smtpPort = String(await freePort());
    const own = { ...sandbox.trust, SMTP_PORT: smtpPort, PASSWORD: sandbox.password };
    const sink = await fixture.program('tools/bench/smtp-sink.mts', [], { ...own, ...env });
    const api = await fixture.api(API, [], sandbox.trust);
    const emails = Array.from({ length: MAILBOXES }, (_, n) => `s${n}.${smtpPort}@${DOMAIN}`);
    await sandbox.connect(api, workspace, emails);
    // Verified with the sandbox's servers; measured mail goes to the sink.
    await fixture.database.collection('mailboxes').updateMany(
      { email: { $in: emails } },
      {
        $set: { smtpPort: Number(smtpPort), sendGapSeconds: 0, dailySendLimit: 10_000_000 },
        $inc: { credentialsRevision: 1 },
      },
    );
    const found = await fixture.database
      .collection('mailboxes')
      .find({ email: { $in: emails } })
      .toArray();
    const worker = await fixture.worker([], sandbox.trust);
    const loop = await fixture.program('tools/bench/bare-sender.mts', [], {
      ...own,
      MONGODB_URI: fixture.mongodbUri,
      MAILBOXES: String(MAILBOXES),
    });
    const ids = found.map(({ _id }) => String(_id));
    return new SendingBench(fixture, workspace, { api, worker, sink, loop }, ids);
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#servers).map((server: Server) => server.stop()));
  }

  /** The same number of emails by the bare loop. */
  async bare(count: number): Promise<Sample> {
    const before = (await this.#sink()).taken;
    const cpu = this.#servers.loop.cpuMs();
    const started = performance.now();
    const answer = await fetch(`${this.#servers.loop.url}/send?count=${count}`);
    if (!answer.ok) throw new Error(await answer.text());
    await answer.text();
    const ms = performance.now() - started;
    await this.#requireTaken(before, count);
    return { perSecond: (count / ms) * 1_000, cpuMs: (this.#servers.loop.cpuMs() - cpu) / count };
  }

  /** Starts a campaign with this number of leads and waits until this share of its emails is in the sink, each once. */
  async campaign(leads: number, part: number): Promise<Sample> {
    const campaignId = await this.#draft(leads);
    const count = Math.floor(leads * part);
    const before = (await this.#sink()).taken;
    const cpu = this.#servers.worker.cpuMs();
    const started = performance.now();
    await this.#call('POST', `/v1/campaigns/${campaignId}/start`);
    await untilAtLeast('emails taken', before + count, async () => (await this.#sink()).taken);
    const ms = performance.now() - started;
    const cpuMs = (this.#servers.worker.cpuMs() - cpu) / count;
    // Remaining emails would disturb the next round.
    if (part < 1) await this.#call('POST', `/v1/campaigns/${campaignId}/pause`);
    await this.#requireSent(campaignId, before);
    return { perSecond: (count / ms) * 1_000, cpuMs };
  }

  /** Waits until no email is in progress: as many sends are marked sent as the sink has accepted, none of them twice. */
  async #requireSent(campaignId: string, before: number): Promise<void> {
    const sends = this.#fixture.database.collection('sends');
    const of = { campaignId: new mongoose.mongo.ObjectId(campaignId) };
    const underWay = { ...of, state: { $in: ['claimed', 'sending', 'withheld'] } };
    await until('emails on their way', 0, LIMIT_MS, () => sends.countDocuments(underWay));
    await this.#requireTaken(before, await sends.countDocuments({ ...of, state: 'sent' }));
  }

  async #draft(count: number): Promise<string> {
    this.#serial += 1;
    const { _id } = await this.#call<{ _id: string }>('POST', '/v1/campaigns', {
      name: `Bench ${this.#serial}`,
      mailboxes: this.#mailboxIds,
      emailIntervalMinutes: 0,
      trackOpens: true,
      trackClicks: true,
      sendingSchedule: { timezone: 'UTC', startTime: '00:00', endTime: '23:59', workingDays: [1, 2, 3, 4, 5, 6, 7] },
      sequence: [
        {
          subject: 'A question, {{firstName}}',
          body: `<p>Hello {{firstName}},</p><p>${'a sentence of an email that a person wrote. '.repeat(15)}</p><p><a href="https://example.com/one">One link</a></p>`,
        },
      ],
    });
    for (let first = 0; first < count; first += BATCH) {
      const size = Math.min(BATCH, count - first);
      const leads = Array.from({ length: size }, (_, n) => ({
        email: `p${first + n}.${this.#serial}@prospects${(first + n) % 500}.test`,
        firstName: 'Ada',
      }));
      await this.#call('POST', `/v1/campaigns/${_id}/leads`, { leads });
    }
    return _id;
  }

  async #call<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(`${this.#servers.api.url}${path}`, {
      method,
      headers: { 'x-api-key': this.#workspace.key, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
    return (JSON.parse(text) as { data: T }).data;
  }

  async #sink(): Promise<{ taken: number; different: number }> {
    return (await (await fetch(this.#servers.sink.url)).json()) as { taken: number; different: number };
  }

  /** Checks that exactly this number of emails was accepted, without repetition. */
  async #requireTaken(before: number, count: number): Promise<void> {
    const { taken, different } = await this.#sink();
    if (taken !== before + count) throw new Error(`${taken - before} emails were accepted instead of ${count}`);
    if (different !== taken) throw new Error(`${taken - different} emails arrived twice`);
  }
}

async function untilAtLeast(what: string, wanted: number, value: () => Promise<number>): Promise<void> {
  await until(what, 1, LIMIT_MS, async () => ((await value()) >= wanted ? 1 : 0));
}
