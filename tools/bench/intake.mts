import { setTimeout as pause } from 'node:timers/promises';
import type mongoose from 'mongoose';
import PostalMime from 'postal-mime';
import { BareWrites } from './bare.mts';
import type { Serve } from './child.mts';
import { SETTLING } from './harness.mts';
import { type Crowd, Crowds, LEADS } from './leads.mts';
import { createImapClient, createMessage, MailSandbox } from './mail.mts';
import {
  alternate,
  heading,
  line,
  ratio,
  requireEffects,
  sample,
  showGoals,
  showTimes,
  timed,
  until,
} from './measure.mts';
import type { Goal, Stage } from './measure.mts';

type Id = mongoose.mongo.ObjectId;
/** Messages that the platform reads at once. */
const BATCH = 200;
const LIMIT_MS = 1_800_000;
/** Longer than the poll interval of a mailbox (`POLL_MS` of the watchers): each is read once in an idle minute. */
const IDLE_MS = 60_000;

/** Measures thousands of replies in a mailbox: read, classified and written, against a bare loop with the same writes. */
export async function inbox({ fixture, short }: Stage): Promise<Goal[]> {
  const count = short ? 100 : 10_000;
  heading(`Inbox: ${count} answers in Dovecot, against imapflow, postal-mime and the same writes with the bare driver`);
  const sandbox = new MailSandbox();
  const crowd = await (await Crowds.of(fixture)).filled(count, { contacted: true });
  const { campaignId, mailboxId, mailbox } = crowd;
  await sandbox.append(mailbox, createAnswers(crowd));
  const samples = await alternate(1, 'messages', {
    'bare loop': async () => {
      const child = await fixture.child('intake', 'serveBareLoop', { ...sandbox.access, MAILBOX: mailbox });
      const result = await sample(count, child, () => child.read('/'));
      await child.stop();
      return result;
    },
    platform: async () => {
      const worker = await fixture.app('worker', sandbox.trust);
      const messages = fixture.database.collection('mailbox_messages');
      const done = () => messages.countDocuments({ mailboxId, state: 'done' });
      const result = await sample(count, worker, () => until('messages', count, LIMIT_MS, done));
      line('worker', `${worker.peakMib().toFixed(0)} MiB at most`);
      await worker.stop();
      await requireStopped(fixture.database, campaignId, count);
      return result;
    },
  });
  const value = ratio(samples.platform, samples['bare loop']);
  return showGoals([{ what: 'messages/s of the platform / bare loop', value, bound: { atLeast: 0.5 } }]);
}

/** Measures the time from the delivery of an answer until its lead is stopped; the worker is in IDLE. */
export async function replies({ fixture, short }: Stage): Promise<Goal[]> {
  const count = short ? 10 : 100;
  heading(`Replies: from an answer in Dovecot to its lead being stopped, ${count} one by one, the worker in IDLE`);
  const sandbox = new MailSandbox();
  const crowd = await (await Crowds.of(fixture)).filled(count, { contacted: true });
  const worker = await fixture.app('worker', sandbox.trust);
  const syncs = fixture.database.collection('mailbox_syncs');
  await until('mailbox read', 1, 60_000, () => syncs.countDocuments({ _id: crowd.mailboxId }));
  const leads = fixture.database.collection(LEADS);
  const waits: number[] = [];
  for (const [serial, answer] of createAnswers(crowd).entries()) {
    const stopped = { _id: crowd.written[serial]?.leadId as Id, stopReason: 'replied' };
    const work = async (): Promise<void> => {
      await sandbox.append(crowd.mailbox, [answer]);
      await until('lead stopped', 1, 60_000, () => leads.countDocuments(stopped), 10);
    };
    const wait = await timed(work);
    // The first one may arrive before the worker is in IDLE.
    if (serial > 0) waits.push(wait);
  }
  await worker.stop();
  showTimes('an answer stops its lead', waits);
  const value = Math.max(...waits);
  return showGoals([{ what: 'an answer stops its lead, slowest', value, bound: { below: 5_000 }, unit: ' ms' }]);
}

/** Measures the memory of a worker that finds many mailboxes of a real IMAP server, and its CPU while they are idle. */
export async function mailboxes({ fixture, short }: Stage): Promise<Goal[]> {
  heading('Mailboxes that one worker listens to: Dovecot, TLS, IMAP IDLE');
  const sandbox = new MailSandbox();
  const workspace = await fixture.workspace('mailboxes');
  const emails = Array.from({ length: short ? 10 : 1_000 }, (_, n) => `m${n}@bench.test`);
  const api = await fixture.app('api', sandbox.trust);
  const goals: Goal[] = [];
  for (const [first, count, below] of [
    [0, emails.length / 5, 300],
    [emails.length / 5, emails.length, 600],
  ] as const) {
    await sandbox.connect(api, workspace, emails.slice(first, count));
    const started = new Date();
    const worker = await fixture.app('worker', sandbox.trust, SETTLING);
    const syncs = fixture.database.collection('mailbox_syncs');
    await until('mailboxes read', count, LIMIT_MS, () => syncs.countDocuments({ syncedAt: { $gte: started } }));
    const before = worker.cpuMs();
    await pause(short ? 1_000 : IDLE_MS);
    const idle = `${((worker.cpuMs() - before) / 1_000).toFixed(1)} s of CPU in an idle minute`;
    line(`${count} mailboxes`, idle, `settled ${(await worker.settledMib()).toFixed(0)} MiB`);
    goals.push({ what: `worker with ${count} mailboxes`, value: worker.peakMib(), bound: { below }, unit: ' MiB' });
    await worker.stop();
  }
  await api.stop();
  return showGoals(goals);
}

function createAnswers({ written, mailbox }: Crowd): string[] {
  return written.map(({ email, messageId }) => {
    return createMessage({ from: email, to: mailbox, inReplyTo: messageId, messageId: messageId.replace('<', '<re.') });
  });
}

/** Checks that each lead is stopped and recorded once, also in the figures. */
async function requireStopped(database: mongoose.mongo.Db, campaignId: Id, count: number): Promise<void> {
  const stopped = await database.collection(LEADS).countDocuments({ campaignId, stopReason: 'replied' });
  const recorded = await database.collection('events').countDocuments({ campaignId, type: 'email.replied' });
  const shares = await database.collection('campaign_mailboxes').find({ campaignId }).toArray();
  const counted = shares.reduce((sum, share) => sum + ((share['stats'] as { replied?: number })?.replied ?? 0), 0);
  requireEffects('answers', { stopped, recorded, counted }, { stopped: count, recorded: count, counted: count });
}

/**
 * The denominator: reads all messages with imapflow, parses them with postal-mime and makes as many durable writes as the
 * platform with the native driver. It classifies nothing.
 */
export async function serveBareLoop(): Promise<Serve> {
  const { IMAP_PORT, PASSWORD, MAILBOX = '' } = process.env;
  const writes = new BareWrites();
  return async () => {
    const imap = createImapClient(MAILBOX, IMAP_PORT, PASSWORD);
    await imap.connect();
    const { exists } = await imap.mailboxOpen('INBOX', { readOnly: true });
    for (let first = 1; first <= exists; first += BATCH) {
      const range = `${first}:${Math.min(first + BATCH - 1, exists)}`;
      const found = await imap.fetchAll(range, {
        uid: true,
        envelope: true,
        internalDate: true,
        size: true,
        flags: true,
      });
      await writes.atomic(async (session) => {
        await writes.insert(found.length, session);
        await writes.update(3, { session });
      });
      // In sequence: concurrent writes would wait for each other at the figures that all of them change.
      for (const { uid } of found) {
        const fetched = await imap.fetchOne(String(uid), { source: true }, { uid: true });
        if (!fetched || !fetched.source) throw new Error(`Message ${uid} is missing`);
        await PostalMime.parse(fetched.source);
        await writes.atomic(async (session) => {
          for (let inserted = 0; inserted < 3; inserted++) await writes.insert(1, session);
          await writes.update(10, { session });
        });
        await writes.update(1);
      }
    }
    await imap.logout();
    return {};
  };
}
