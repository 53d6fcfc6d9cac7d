import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import type { Fixture, Workspace } from './fixture.mts';
import type { Server } from './processes.mts';
import { type Goal, heading, showGoals } from './report.mts';
import { quantile } from './statistics.mts';
import type { Stage } from './subjects.mts';
import { until } from './mail-waiting.mts';

const { ObjectId } = mongoose.mongo;

const EVENTS = 10_000;
/** Events of an outbox entry. */
const BATCH = 500;
const SHORT_EVENTS = 500;
const LIMIT_MS = 600_000;

/** Events per second, spread over this number of webhooks, of which one hangs. */
const RATE = 100;
const RECEIVERS = 10;
const SECONDS = 60;
const SHORT_SECONDS = 5;
const FIRST_ATTEMPT_WITHIN_MS = 1_000;

interface Hook {
  workspaceId: string;
  webhookId: string;
  secret: string;
}

interface Sunk {
  counts: Record<string, number>;
  again: number;
  waits: number[];
}

/** Measures the delivery of the events in the outbox to one local receiver. */
export async function webhooks({ fixture, short, rounds }: Stage): Promise<Goal[]> {
  const count = short ? SHORT_EVENTS : EVENTS;
  heading(`Webhooks: ${count} events to a local receiver, against undici and the same writes with the bare driver`);
  const bench = await WebhookBench.of(fixture);
  const rates = { bare: [] as number[], undici: [] as number[], platform: [] as number[] };
  for (let round = 0; round < Math.min(rounds, 3); round += 1) {
    rates.undici.push(await bench.bare(count, { WRITES: 'none' }));
    rates.bare.push(await bench.bare(count, {}));
    rates.platform.push(await bench.platform(count));
  }
  const [undici, bare, platform] = [rates.undici, rates.bare, rates.platform].map((all) => quantile(all, 0.5)) as [
    number,
    number,
    number,
  ];
  console.log(`  signed, undici, no writes  ${undici.toFixed(0).padStart(6)} events/s`);
  console.log(`  bare loop                  ${bare.toFixed(0).padStart(6)} events/s`);
  console.log(`  platform                   ${platform.toFixed(0).padStart(6)} events/s`);
  const ratios = rates.platform.map((rate, round) => rate / (rates.bare[round] ?? Number.NaN));
  await bench.stop();
  return showGoals([
    { what: 'events/s of the platform / bare loop', value: quantile(ratios, 0.5), bound: { atLeast: 0.6 } },
  ]);
}

/** Measures the time from an event to its first request while one receiver of ten does not answer. */
export async function promptness({ fixture, short }: Stage): Promise<Goal[]> {
  const seconds = short ? SHORT_SECONDS : SECONDS;
  heading(`Webhooks: ${RATE} events a second to ${RECEIVERS} receivers of which one hangs, for ${seconds} s`);
  const bench = await WebhookBench.of(fixture);
  const waits = await bench.prompt(seconds);
  const shown = [0.5, 0.95, 1].map((part) => `${(quantile(waits, part) / 1_000).toFixed(2)} s`);
  console.log(`  those that work: p50 ${shown[0]}, p95 ${shown[1]}, at most ${shown[2]}`);
  await bench.stop();
  const value = quantile(waits, 0.95);
  const what = 'from an event to its first attempt, p95';
  return showGoals([{ what, value, bound: { below: FIRST_ATTEMPT_WITHIN_MS }, unit: ' ms' }]);
}

class WebhookBench {
  readonly #fixture: Fixture;
  readonly #sink: Server;
  readonly #api: Server;
  #serial = 0;

  private constructor(fixture: Fixture, sink: Server, api: Server) {
    this.#fixture = fixture;
    this.#sink = sink;
    this.#api = api;
  }

  static async of(fixture: Fixture): Promise<WebhookBench> {
    const sink = await fixture.program('tools/bench/hook-sink.mts', [], {});
    const api = await fixture.api('dist/apps/api/src/main.js', [], { OUTBOUND_ALLOW_PRIVATE: 'true' });
    return new WebhookBench(fixture, sink, api);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#sink.stop(), this.#api.stop()]);
  }

  /** Events per second of the bare loop. */
  async bare(count: number, env: Readonly<Record<string, string>>): Promise<number> {
    const { hook, path } = await this.#hook();
    await this.#happen(hook, count);
    const process = await this.#fixture.program('tools/bench/bare-hooks.mts', [], {
      MONGODB_URI: this.#fixture.mongodbUri,
      WORKSPACE: hook.workspaceId,
      WEBHOOK: hook.webhookId,
      SECRET: hook.secret,
      URL: this.#sink.url + path,
      ...env,
    });
    const progress = async () => (await (await fetch(process.url)).json()) as { done: number; ms: number };
    await until('events of the bare loop', count, LIMIT_MS, async () => (await progress()).done);
    const { ms } = await progress();
    await process.stop();
    await this.#requireAll(path, count);
    // The worker of the next measurement must not deliver them as well.
    const workspaceId = new ObjectId(hook.workspaceId);
    for (const name of ['events', 'webhooks', 'webhook_work_partitions', 'webhook_deliveries']) {
      await this.#fixture.database.collection(name).deleteMany({ workspaceId });
    }
    return count / (ms / 1_000);
  }

  /** Events per second of a worker that finds all of them at its start: from its readiness until the last is recorded. */
  async platform(count: number): Promise<number> {
    const { hook, path } = await this.#hook();
    await this.#happen(hook, count);
    const worker = await this.#worker();
    const [started, startCpuMs] = [performance.now(), worker.cpuMs()];
    const webhooks = this.#fixture.database.collection('webhooks');
    await until('events of the platform', count, LIMIT_MS, async () => {
      const webhook = await webhooks.findOne({ _id: new ObjectId(hook.webhookId) });
      return (webhook?.['stats'] as { totalDelivered: number } | undefined)?.totalDelivered ?? 0;
    });
    const rate = count / ((performance.now() - started) / 1_000);
    const cpu = ((worker.cpuMs() - startCpuMs) / count).toFixed(2);
    console.log(`  worker: ${worker.peakMib().toFixed(0)} MiB at most, CPU ${cpu} ms each`);
    await worker.stop();
    await this.#requireAll(path, count);
    return rate;
  }

  /** The delay of each event to a working receiver, in milliseconds. */
  async prompt(seconds: number): Promise<number[]> {
    const hooks: Hook[] = [];
    for (let at = 0; at < RECEIVERS; at += 1) hooks.push((await this.#hook(at === 0 ? '/hang' : '/prompt')).hook);
    const worker = await this.#worker();
    await pause(2_000); // The first rounds are over.
    const begun = performance.now();
    for (let happened = 0; happened < seconds * RATE; happened += RECEIVERS) {
      await Promise.all(hooks.map((hook) => this.#happen(hook, 1)));
      const ahead = begun + ((happened + RECEIVERS) / RATE) * 1_000 - performance.now();
      if (ahead > 0) await pause(ahead);
    }
    const each = (seconds * RATE) / RECEIVERS;
    for (const hook of hooks.slice(1)) {
      await until('events of a receiver that works', each, 60_000, async () => {
        const { counts } = await this.#sunk();
        return counts[`/prompt/${hook.webhookId}`] ?? 0;
      });
    }
    await worker.stop();
    return (await this.#sunk('/waits')).waits;
  }

  async #worker(): Promise<Server> {
    return this.#fixture.worker([], { OUTBOUND_ALLOW_PRIVATE: 'true' });
  }

  /** A webhook in a separate workspace, and its path. */
  async #hook(under = '/deliver'): Promise<{ hook: Hook; path: string }> {
    const { workspaceId, key }: Workspace = await this.#fixture.workspace(`hooks-${(this.#serial += 1)}`, 1);
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const call = async (path: string, method: string, body: object) => {
      const answer = await fetch(this.#api.url + path, { method, headers, body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
      return ((await answer.json()) as { data: { _id: string; secret: string } }).data;
    };
    const given = { name: 'Bench', url: this.#sink.url, events: ['email.sent'] };
    const { _id, secret } = await call('/v1/webhooks', 'POST', given);
    const path = `${under}/${_id}`;
    await call(`/v1/webhooks/${_id}`, 'PATCH', { url: this.#sink.url + path });
    return { hook: { workspaceId, webhookId: _id, secret }, path };
  }

  /** In the form of `EventsService`: with entries in the outbox, of which each is a batch of the relay. */
  async #happen({ workspaceId }: Hook, count: number): Promise<void> {
    const now = new Date();
    const events = Array.from({ length: count }, () => ({
      _id: new ObjectId(),
      workspaceId: new ObjectId(workspaceId),
      dedupeKey: `bench:${(this.#serial += 1)}`,
      type: 'email.sent',
      at: now,
      mailboxId: null,
      campaignId: null,
      leadId: null,
      data: { email: 'person@example.com', subject: 'An offer that you might like', step: 1, messageId: '<1@x>' },
      createdAt: now,
    }));
    await this.#fixture.database.collection('events').insertMany(events);
    for (let at = 0; at < count; at += BATCH) {
      await this.#fixture.database.collection<{ _id: string }>('event_outbox').insertOne({
        _id: `00:${workspaceId}:${new ObjectId().toHexString()}`,
        ...{ workspaceId: new ObjectId(workspaceId), recordedAt: now, attempts: 0 },
        ...{ eventIds: events.slice(at, at + BATCH).map(({ _id }) => _id) },
      });
    }
  }

  async #sunk(path = '/'): Promise<Sunk> {
    return (await (await fetch(this.#sink.url + path)).json()) as Sunk;
  }

  async #requireAll(path: string, count: number): Promise<void> {
    const { counts, again } = await this.#sunk();
    if (counts[path] !== count || again !== 0) {
      throw new Error(`Of ${count} events ${counts[path] ?? 0} arrived, ${again} of them twice`);
    }
  }
}
