import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { freePort } from '../local-services/ports.mts';
import { type Crowd, Crowds } from './crowds.mts';
import type { Fixture } from './fixture.mts';
import { MailSandbox } from './mail.mts';
import type { Server } from './processes.mts';
import { type Goal, heading, showGoals } from './report.mts';
import { median, quantile } from './statistics.mts';
import type { Stage } from './subjects.mts';
import type { RunSample } from './mailbox-lease-client.mts';
import { until } from './mail-waiting.mts';

const { ObjectId } = mongoose.mongo;
const SIZES = [10_000, 100_000, 1_000_000] as const;
/** Runs of 50 emails each, for which the new leads of the smallest campaign suffice. */
const RUNS = 80;
const WARM_RUNS = 5;
/** The planner caches new leads for one second; with this interval each run reads them once. */
const CYCLE_MS = 1_100;
const STARTS = 5;
const FIRST_EMAIL_LIMIT_MS = 60_000;
const ONE_A_DAY = 86_400;

/** Measures the planning and claim of an email, and the start of a campaign, with 10 thousand to a million leads. */
export async function mailboxRuns({ fixture }: Stage): Promise<Goal[]> {
  heading(
    `Mailbox sender: plan and claim with ${SIZES.join(', ')} leads in a campaign, half of them waiting for a follow-up`,
  );
  const crowds = await Crowds.of(fixture);
  const bench = await SenderBench.open(fixture, crowds);
  const started = await bench.starts(bench.largest);
  const samples = await bench.collectRuns();
  await bench.close();
  const per = (size: number, of: (sample: RunSample) => number) => median((samples.get(size) ?? []).map(of));
  const planned = (size: number) => per(size, ({ planMs, emails }) => planMs / emails);
  for (const size of SIZES) show(size, samples.get(size) ?? []);
  const queried = (size: number, of: (sample: RunSample) => number[]) => median((samples.get(size) ?? []).flatMap(of));
  const grown = (of: (sample: RunSample) => number[]) => queried(large, of) / queried(small, of);
  const commands = (size: number) => per(size, (sample) => sample.commands / sample.emails);
  const [small, , large] = SIZES;
  return showGoals([
    { what: 'plan and claim, 1 M / 10 k', value: planned(large) / planned(small), bound: { atMost: 1.3 } },
    { what: 'commands, 1 M / 10 k', value: commands(large) / commands(small), bound: { atMost: 1.05 } },
    {
      what: 'query for follow-ups, 1 M / 10 k',
      value: grown(({ followUpsMs }) => followUpsMs),
      bound: { atMost: 1.3 },
    },
    { what: 'query for new leads, 1 M / 10 k', value: grown(({ newLeadsMs }) => newLeadsMs), bound: { atMost: 1.3 } },
    { what: 'start with 1 M leads is answered, slowest', ...started.answered, bound: { atMost: 1_000 } },
    { what: 'first email at the sink after it, slowest', ...started.firstEmail, bound: { atMost: 5_000 } },
  ]);
}

function show(size: number, samples: RunSample[]): void {
  const each = (of: (sample: RunSample) => number) => samples.map((sample) => of(sample) / sample.emails);
  const planned = each(({ planMs }) => planMs);
  const numbers = [
    `plan and claim p50 ${median(planned).toFixed(2)} ms, p95 ${quantile(planned, 0.95).toFixed(2)}`,
    `${median(each(({ commands }) => commands)).toFixed(2)} commands`,
    `query for follow-ups p50 ${median(samples.flatMap(({ followUpsMs }) => followUpsMs)).toFixed(2)} ms`,
    `for new leads p50 ${median(samples.flatMap(({ newLeadsMs }) => newLeadsMs)).toFixed(2)} ms`,
    `whole email p50 ${median(each(({ ms }) => ms)).toFixed(1)} ms`,
  ];
  console.log(`  ${String(size).padStart(9)} leads: ${numbers.join(', ')}`);
}

class SenderBench {
  readonly #fixture: Fixture;
  readonly #crowds: Crowds;
  readonly #sink: Server;
  readonly #sized: readonly Crowd[];
  readonly #trust: Record<string, string>;

  private constructor(fixture: Fixture, crowds: Crowds, sink: Server, sized: readonly Crowd[]) {
    this.#fixture = fixture;
    this.#crowds = crowds;
    this.#sink = sink;
    this.#sized = sized;
    this.#trust = MailSandbox.given().trust;
  }

  static async open(fixture: Fixture, crowds: Crowds): Promise<SenderBench> {
    const { trust, password } = MailSandbox.given();
    const smtpPort = await freePort();
    const env = { ...trust, SMTP_PORT: String(smtpPort), PASSWORD: password };
    const sink = await fixture.program('tools/bench/smtp-sink.mts', [], env);
    const sized: Crowd[] = [];
    for (const size of SIZES) sized.push(await crowds.sized(size));
    const bench = new SenderBench(fixture, crowds, sink, sized);
    // The mailboxes are verified with the sandbox; measured mail goes to the sink.
    await bench.#setMailboxes(sized, { smtpPort, sendGapSeconds: ONE_A_DAY, dailySendLimit: 10_000_000 });
    return bench;
  }

  get largest(): Crowd {
    const crowd = this.#sized.at(-1);
    if (!crowd) throw new Error('No campaigns');
    return crowd;
  }

  async close(): Promise<void> {
    await this.#sink.stop();
  }

  /** Measures from the request to its response, and to the one email that the mailbox may send. */
  async starts(crowd: Crowd): Promise<Record<'answered' | 'firstEmail', { value: number; unit: string }>> {
    const worker = await this.#fixture.worker([], this.#trust);
    const [answered, firstEmail] = [[] as number[], [] as number[]];
    for (let round = 1; round <= STARTS; round++) {
      await this.#forgetSent(crowd);
      const started = performance.now();
      await this.#crowds.call('POST', `/v1/campaigns/${crowd.campaignId}/start`);
      answered.push(performance.now() - started);
      await this.#takenBy(round, started);
      firstEmail.push(performance.now() - started);
      await this.#requireSent(crowd, round);
      await this.#crowds.call('POST', `/v1/campaigns/${crowd.campaignId}/pause`);
    }
    await worker.stop();
    const numbers = (all: number[]) => all.map((ms) => ms.toFixed(0)).join(', ');
    console.log(`  starts with ${crowd.leads} leads: answered in ${numbers(answered)} ms`);
    console.log(`  the first email is at the sink after ${numbers(firstEmail)} ms`);
    const slowest = (all: number[]) => ({ value: Math.max(...all), unit: ' ms' });
    return { answered: slowest(answered), firstEmail: slowest(firstEmail) };
  }

  /** Runs the campaigns alternately, A B C A B C. */
  async collectRuns(): Promise<Map<number, RunSample[]>> {
    const uri = `${this.#fixture.mongodbUri}${this.#fixture.mongodbUri.includes('?') ? '&' : '?'}monitorCommands=true`;
    for (const { campaignId } of this.#sized) await this.#crowds.call('POST', `/v1/campaigns/${campaignId}/start`);
    for (const crowd of this.#sized) await this.#forgetSent(crowd);
    await this.#setMailboxes(this.#sized, { sendGapSeconds: 0 });
    const env = { ...this.#trust, MONGODB_URI: uri, WORKSPACE: this.#crowds.workspace.workspaceId };
    const client = await this.#fixture.api('tools/bench/mailbox-lease-client.mts', [], env);
    const before = new Map(
      await Promise.all(this.#sized.map(async (crowd) => [crowd, await this.#sent(crowd)] as const)),
    );
    const samples = new Map<number, RunSample[]>(SIZES.map((size) => [size, []]));
    const all = new Map<Crowd, number>();
    for (let run = -WARM_RUNS; run < RUNS; run++) {
      const next = performance.now() + CYCLE_MS;
      for (const crowd of this.#sized) {
        const sample = await requestRun(client, crowd);
        all.set(crowd, (all.get(crowd) ?? 0) + sample.emails);
        if (run >= 0) samples.get(crowd.leads)?.push(sample);
      }
      await pause(Math.max(0, next - performance.now()));
    }
    await client.stop();
    for (const crowd of this.#sized) {
      await this.#requireSent(crowd, (before.get(crowd) ?? 0) + (all.get(crowd) ?? 0));
      await this.#crowds.call('POST', `/v1/campaigns/${crowd.campaignId}/pause`);
    }
    return samples;
  }

  async #takenBy(count: number, started: number): Promise<void> {
    while ((await this.#taken()).taken < count) {
      if (performance.now() - started > FIRST_EMAIL_LIMIT_MS) throw new Error('No email came in a minute');
      await pause(10);
    }
  }

  async #taken(): Promise<{ taken: number; different: number }> {
    return (await (await fetch(this.#sink.url)).json()) as { taken: number; different: number };
  }

  /** Checks that exactly this number of emails of the campaign was sent, each to another lead and without repetition. */
  async #requireSent(crowd: Crowd, count: number): Promise<void> {
    await until('sends marked sent', count, 10_000, () => this.#sent(crowd));
    const of = { campaignId: new ObjectId(crowd.campaignId) };
    const sends = await this.#fixture.database.collection('sends').find(of).project({ leadId: 1, state: 1 }).toArray();
    const leads = new Set(sends.map(({ leadId }) => String(leadId)));
    if (sends.length !== count || leads.size !== count) {
      throw new Error(`${count} emails: ${sends.length} sends to ${leads.size} leads`);
    }
    const { taken, different } = await this.#taken();
    if (taken !== different) throw new Error(`${taken - different} emails arrived twice`);
  }

  async #sent({ campaignId }: Crowd): Promise<number> {
    const sends = this.#fixture.database.collection('sends');
    return sends.countDocuments({ campaignId: new ObjectId(campaignId), state: 'sent' });
  }

  /** Allows the mailbox to send again at once. */
  async #forgetSent({ mailboxId }: Crowd): Promise<void> {
    await this.#fixture.database
      .collection('mailbox_leases')
      .updateOne({ _id: new ObjectId(mailboxId) }, { $set: { lastSentAt: null, slots: [], dayUsed: 0 } });
  }

  async #setMailboxes(crowds: readonly Crowd[], fields: Record<string, unknown>): Promise<void> {
    const ids = crowds.map(({ mailboxId }) => new ObjectId(mailboxId));
    await this.#fixture.database
      .collection('mailboxes')
      .updateMany({ _id: { $in: ids } }, { $set: fields, $inc: { credentialsRevision: 1 } });
  }
}

async function requestRun(client: Server, { mailboxId, leads }: Crowd): Promise<RunSample> {
  const answer = await fetch(`${client.url}/?mailbox=${mailboxId}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  const sample = JSON.parse(text) as RunSample;
  if (sample.emails === 0) throw new Error(`A run with ${leads} leads sent nothing`);
  return sample;
}
