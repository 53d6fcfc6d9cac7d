import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { createTransport } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { SMTPServer } from 'smtp-server';
import { freePort } from '../local-services/ports.mts';
import { BareWrites } from './bare.mts';
import type { Serve } from './child.mts';
import type { Fixture } from './harness.mts';
import { Crowds } from './leads.mts';
import { MailSandbox } from './mail.mts';
import { alternate, heading, median, ratio, requireEffects, sample, showGoals, until } from './measure.mts';
import type { Goal, Sample, Stage } from './measure.mts';

const MAILBOXES = 20;
const LIMIT_MS = 300_000;

/** One sink answers at once, the other with the delays and failures of a real server: its rejections are retried minutes later. */
const SINKS: { name: string; emails: number; part: number; atLeast?: number; env: Record<string, string> }[] = [
  { name: 'a sink that answers at once', emails: 2_000, part: 1, atLeast: 300, env: {} },
  {
    name: 'a sink that takes 50 to 200 ms, 3 % 4xx',
    emails: 1_000,
    part: 0.95,
    env: { DELAY_MIN_MS: '50', DELAY_MAX_MS: '200', TEMPORARY: '0.03' },
  },
];

/** Emails per second through the mailbox senders, against a bare loop with as many durable writes. */
export async function sending({ fixture, rounds, short }: Stage): Promise<Goal[]> {
  const goals: Goal[] = [];
  const sandbox = new MailSandbox();
  const crowds = await Crowds.of(fixture);
  const sends = fixture.database.collection('sends');
  for (const { name, emails, part, atLeast, env } of SINKS) {
    const count = short ? 100 : emails;
    heading(`Sending: ${MAILBOXES} mailboxes without a gap, ${count} emails, one worker, ${name}`);
    const smtpPort = await freePort();
    const access = { ...sandbox.access, SMTP_PORT: String(smtpPort) };
    const sink = await fixture.child('sending', 'serveSink', { ...access, ...env });
    const mailboxes = await createMailboxes(fixture, crowds, smtpPort);
    const bare = await fixture.child('sending', 'serveBareLoop', access);
    const worker = await fixture.app('worker', sandbox.trust);
    const taken = async () => (await sink.read<{ taken: number }>('/')).taken;
    const requireTaken = async (expected: number) =>
      requireEffects('emails at the sink', await sink.read('/'), { taken: expected, different: expected });
    /** Until this share of the emails of a new campaign is in the sink. */
    const platform = async (leads: number): Promise<Sample> => {
      const path = `/v1/campaigns/${await draft(crowds, mailboxes, leads)}`;
      const campaignId = new mongoose.mongo.ObjectId(path.slice(-24));
      const [before, some] = [await taken(), Math.floor(leads * part)];
      const result = await sample(some, worker, async () => {
        await crowds.call('POST', `${path}/start`);
        await until('emails taken', 1, LIMIT_MS, async () => Number((await taken()) >= before + some), 25);
      });
      // Remaining emails would disturb the next round.
      if (part < 1) await crowds.call('POST', `${path}/pause`);
      const underWay = { campaignId, state: { $in: ['claimed', 'sending', 'withheld'] } };
      await until('emails on their way', 0, LIMIT_MS, () => sends.countDocuments(underWay));
      await requireTaken(before + (await sends.countDocuments({ campaignId, state: 'sent' })));
      return result;
    };
    await platform(short ? 20 : 200); // Warm-up.
    const samples = await alternate(Math.min(rounds, 3), 'emails', {
      'bare loop': async () => {
        const before = await taken();
        const result = await sample(count, bare, () => bare.read(`/?count=${count}`));
        await requireTaken(before + count);
        return result;
      },
      platform: () => platform(count),
    });
    await Promise.all([worker, bare, sink].map((one) => one.stop()));
    const value = ratio(samples.platform, samples['bare loop']);
    goals.push({ what: `emails/s / of the bare loop, ${name}`, value, bound: { atLeast: 0.6 } });
    const rate = median(samples.platform.map(({ perSecond }) => perSecond));
    if (atLeast !== undefined) goals.push({ what: 'emails/s', value: rate, bound: { atLeast } });
  }
  return showGoals(goals);
}

/** Verified with the sandbox's servers; measured mail goes to the sink. */
async function createMailboxes(fixture: Fixture, crowds: Crowds, smtpPort: number): Promise<mongoose.mongo.ObjectId[]> {
  const emails = Array.from({ length: MAILBOXES }, (_, n) => `s${n}.${smtpPort}@sending.test`);
  await new MailSandbox().connect(crowds.api, crowds.workspace, emails);
  const mailboxes = fixture.database.collection('mailboxes');
  const $set = { smtpPort, sendGapSeconds: 0, dailySendLimit: 10_000_000 };
  await mailboxes.updateMany({ email: { $in: emails } }, { $set, $inc: { credentialsRevision: 1 } });
  return (await mailboxes.find({ email: { $in: emails } }).toArray()).map(({ _id }) => _id);
}

async function draft(crowds: Crowds, mailboxes: mongoose.mongo.ObjectId[], count: number): Promise<string> {
  const campaignId = (await crowds.campaign(mailboxes)).toHexString();
  const toLead = (n: number) => ({ email: `p${n}.${campaignId}@prospects${n % 500}.test`, firstName: 'Ada' });
  const leads = Array.from({ length: count }, (_, n) => toLead(n));
  while (leads.length > 0) {
    await crowds.call('POST', `/v1/campaigns/${campaignId}/leads`, { leads: leads.splice(0, 1_000) });
  }
  return campaignId;
}

/** The mail sink: accepts every message on SMTP_PORT, with the delay and the share of rejections of its environment. */
export async function serveSink(): Promise<Serve> {
  const { SMTP_PORT, PASSWORD, DELAY_MIN_MS = '0', DELAY_MAX_MS = '0', TEMPORARY = '0' } = process.env;
  const tls = (kind: string) => readFileSync(join(import.meta.dirname, '../mail-sandbox/tls', `server.${kind}`));
  const taken: string[] = [];
  const take = async (stream: AsyncIterable<Buffer>): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const delay = Number(DELAY_MIN_MS) + Math.random() * (Number(DELAY_MAX_MS) - Number(DELAY_MIN_MS));
    if (delay > 0) await pause(delay);
    if (Math.random() < Number(TEMPORARY)) throw Object.assign(new Error('4.3.0 Try later'), { responseCode: 451 });
    taken.push(/^message-id: *(\S+)/im.exec(Buffer.concat(chunks).toString('latin1'))?.[1] ?? 'none');
  };
  const options = { key: tls('key'), cert: tls('crt'), secure: true, disableReverseLookup: true, logger: false };
  const server = new SMTPServer({
    ...options,
    onAuth: ({ username, password }, _session, done) => {
      if (password === PASSWORD && username) done(null, { user: username });
      else done(new Error('Wrong password'));
    },
    onData: (stream, _session, done) => void take(stream).then(() => done(), done),
  });
  server.on('error', () => undefined);
  server.listen(Number(SMTP_PORT), '127.0.0.1');
  return async () => ({ taken: taken.length, different: new Set(taken).size });
}

/** The denominator: as many durable writes for claim, sending and outcome with the native driver, and nodemailer's pool. */
export async function serveBareLoop(): Promise<Serve> {
  const { SMTP_PORT, PASSWORD: pass = '' } = process.env;
  const writes = new BareWrites();
  const server = { host: 'localhost', port: Number(SMTP_PORT), secure: true, pool: true, maxConnections: 2 } as const;
  const transports = Array.from({ length: MAILBOXES }, (_, n) => {
    return createTransport({ ...server, auth: { user: `bare${n}@sending.test`, pass } });
  });
  const html = `<p>Hello Ada,</p><p>${'a sentence of an email that a person wrote. '.repeat(15)}</p>`;
  const sendOne = async (transport: (typeof transports)[number]): Promise<void> => {
    await writes.insert(1);
    await writes.update(4);
    const mail = { from: 'bare@sending.test', to: `${randomUUID()}@prospects.test`, subject: 'A question, Ada', html };
    const raw = await new MailComposer({ ...mail, text: html, messageId: `<${randomUUID()}@bare>` }).compile().build();
    for (let isTaken = false; !isTaken;) {
      isTaken = await transport.sendMail({ envelope: { from: mail.from, to: mail.to }, raw }).then(
        () => true,
        (error: { responseCode?: number }) => {
          if (error.responseCode !== 451) throw error;
          return false;
        },
      );
    }
    await writes.insert(1);
    await writes.update(5);
  };
  return async ({ searchParams }) => {
    let left = Number(searchParams.get('count'));
    const loop = async (transport: (typeof transports)[number]): Promise<void> => {
      while (left-- > 0) await sendOne(transport);
    };
    await Promise.all(transports.map(loop));
    return {};
  };
}
