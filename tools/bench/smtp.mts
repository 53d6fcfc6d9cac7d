import { randomBytes } from 'node:crypto';
import { freePort } from '../local-services/ports.mts';
import { MailSandbox } from './mail.mts';
import type { Server } from './processes.mts';
import { type Goal, heading, showGoals } from './report.mts';
import { median } from './statistics.mts';
import type { Stage } from './subjects.mts';

const MESSAGES = 1_000;
const WARM_MESSAGES = 300;

interface Sample {
  perSecond: number;
  cpuMs: number;
}

/** Measures messages per second through a session of the SMTP driver, compared with nodemailer's pool with as many connections. */
export async function smtp({ fixture, rounds }: Stage): Promise<Goal[]> {
  heading(`SMTP: ${MESSAGES} messages over two connections with TLS, against nodemailer's pool`);
  const { trust } = MailSandbox.given();
  const env = { ...trust, SMTP_PORT: String(await freePort()), PASSWORD: randomBytes(12).toString('hex') };
  const sink = await fixture.program('tools/bench/smtp-sink.mts', [], env);
  const client = (name: string) => fixture.program('tools/bench/smtp-client.mts', [], { ...env, WITH: name });
  const [platform, bare] = [await client('platform'), await client('nodemailer')];
  const samples = { bare: [] as Sample[], platform: [] as Sample[] };
  for (const server of [bare, platform]) await send(server, sink, WARM_MESSAGES);
  for (let round = 0; round < rounds; round++) {
    samples.bare.push(await send(bare, sink, MESSAGES));
    samples.platform.push(await send(platform, sink, MESSAGES));
  }
  await Promise.all([sink, platform, bare].map((server) => server.stop()));
  show('nodemailer, pool', samples.bare);
  show('platform, one session', samples.platform);
  const ratios = samples.platform.map((one, round) => one.perSecond / (samples.bare[round]?.perSecond ?? Number.NaN));
  return showGoals([{ what: 'messages/s / of nodemailer', value: median(ratios), bound: { atLeast: 0.8 } }]);
}

/** @throws unless the sink accepted exactly this number of messages without repetition */
async function send(client: Server, sink: Server, count: number): Promise<Sample> {
  const before = await takenBy(sink);
  const answer = await fetch(`${client.url}/send?count=${count}`);
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`Sending failed: ${text}`);
  const after = await takenBy(sink);
  for (const kind of ['taken', 'different'] as const) {
    if (after[kind] - before[kind] !== count) {
      throw new Error(`${count} messages were sent, ${after[kind] - before[kind]} were ${kind} at the sink`);
    }
  }
  const { ms, cpuMs } = JSON.parse(text) as { ms: number; cpuMs: number };
  return { perSecond: (count / ms) * 1_000, cpuMs: cpuMs / count };
}

async function takenBy(sink: Server): Promise<{ taken: number; different: number }> {
  return (await (await fetch(sink.url)).json()) as { taken: number; different: number };
}

function show(name: string, samples: Sample[]): void {
  const rate = median(samples.map(({ perSecond }) => perSecond)).toFixed(0);
  const cpu = median(samples.map(({ cpuMs }) => cpuMs)).toFixed(2);
  console.log(`  ${name.padEnd(46)} ${rate.padStart(6)} messages/s   CPU ${cpu.padStart(5)} ms`);
}
