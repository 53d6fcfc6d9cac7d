import mongoose from 'mongoose';
import { answerTo, append, type Correspondence, correspondence, imapClient } from './answers.mts';
import { Crowds } from './crowds.mts';
import type { Fixture } from './fixture.mts';
import { MailSandbox } from './mail.mts';
import { type Goal, heading, showGoals } from './report.mts';
import { quantile } from './statistics.mts';
import type { Stage } from './subjects.mts';
import { until } from './mail-waiting.mts';

const { ObjectId } = mongoose.mongo;

const MESSAGES = 10_000;
const SHORT_MESSAGES = 150;
const LIMIT_MS = 1_800_000;

/** Answers that arrive one by one, and the maximum time until each stops its lead. */
const ANSWERS = 100;
const SHORT_ANSWERS = 15;
const STOPPED_WITHIN_MS = 5_000;

/** Measures thousands of replies in a mailbox: read, classified and written, compared with a bare loop with the same writes. */
export async function inbox({ fixture, short }: Stage): Promise<Goal[]> {
  const count = short ? SHORT_MESSAGES : MESSAGES;
  heading(`Inbox: ${count} answers in Dovecot, against imapflow, postal-mime and the same writes with the bare driver`);
  const bench = new InboxBench(fixture, MailSandbox.given(), await Crowds.of(fixture));
  const bare = await bench.bare(await bench.full(count));
  const platform = await bench.platform(await bench.full(count));
  console.log(`  bare loop  ${bare.toFixed(0).padStart(6)} messages/s`);
  console.log(`  platform   ${platform.toFixed(0).padStart(6)} messages/s`);
  return showGoals([
    { what: 'messages/s of the platform / bare loop', value: platform / bare, bound: { atLeast: 0.5 } },
  ]);
}

/** Measures the time from the delivery of an answer until its lead is stopped; the worker is in IDLE. */
export async function replies({ fixture, short }: Stage): Promise<Goal[]> {
  const count = short ? SHORT_ANSWERS : ANSWERS;
  heading(`Replies: from an answer in Dovecot to its lead being stopped, ${count} one by one, the worker in IDLE`);
  const bench = new InboxBench(fixture, MailSandbox.given(), await Crowds.of(fixture));
  const waits = await bench.answers(await correspondence(fixture, bench.crowds, count));
  const at = (part: number) => quantile(waits, part);
  const shown = [0.5, 0.95, 1].map((part) => `${(at(part) / 1_000).toFixed(2)} s`);
  console.log(`  p50 ${shown[0]}, p95 ${shown[1]}, at most ${shown[2]}`);
  return showGoals([
    { what: 'an answer stops its lead, slowest', value: at(1), bound: { below: STOPPED_WITHIN_MS }, unit: ' ms' },
  ]);
}

class InboxBench {
  readonly crowds: Crowds;
  readonly #fixture: Fixture;
  readonly #sandbox: MailSandbox;

  constructor(fixture: Fixture, sandbox: MailSandbox, crowds: Crowds) {
    this.#fixture = fixture;
    this.#sandbox = sandbox;
    this.crowds = crowds;
  }

  /** A mailbox in which every lead of its campaign has answered. */
  async full(count: number): Promise<Correspondence> {
    const of = await correspondence(this.#fixture, this.crowds, count);
    const answers = of.written.map((one, serial) => answerTo(one, of.mailbox, serial));
    const started = performance.now();
    await append(this.#sandbox, of.mailbox, answers);
    console.log(`  ${count} answers delivered, ${(count / seconds(started)).toFixed(0)}/s`);
    return of;
  }

  /** Messages per second of the bare loop. */
  async bare({ campaignId, mailboxId, mailbox, leads }: Correspondence): Promise<number> {
    const { trust, imapPort, password } = this.#sandbox;
    const process = await this.#fixture.program('tools/bench/bare-intake.mts', [], {
      ...trust,
      MONGODB_URI: this.#fixture.mongodbUri,
      IMAP_PORT: String(imapPort),
      PASSWORD: password,
      MAILBOX: mailbox,
      MAILBOX_ID: mailboxId,
      CAMPAIGN: campaignId,
      WORKSPACE: this.crowds.workspace.workspaceId,
    });
    const progress = async () => (await (await fetch(process.url)).json()) as { done: number; ms: number };
    await until('messages of the bare loop', leads, LIMIT_MS, async () => (await progress()).done);
    const { ms } = await progress();
    await process.stop();
    await this.#requireStopped(campaignId, leads);
    // The worker of the next measurement must not read it as well.
    const connection = { 'connection.state': 'needs_reauthorisation', 'connection.nextCheckAt': null };
    await this.#fixture.database
      .collection('mailboxes')
      .updateOne({ _id: new ObjectId(mailboxId) }, { $set: connection });
    return leads / (ms / 1_000);
  }

  /** Messages per second of a worker that finds all of them at its start: from its readiness until the last is done. */
  async platform({ campaignId, mailboxId, leads }: Correspondence): Promise<number> {
    const messages = this.#fixture.database.collection('mailbox_messages');
    const worker = await this.#fixture.worker([], this.#sandbox.trust);
    const [started, startCpuMs] = [performance.now(), worker.cpuMs()];
    await until('messages of the platform', leads, LIMIT_MS, () =>
      messages.countDocuments({ mailboxId: new ObjectId(mailboxId), state: 'done' }),
    );
    const rate = leads / seconds(started);
    console.log(
      `  worker: ${worker.peakMib().toFixed(0)} MiB at most, CPU ${((worker.cpuMs() - startCpuMs) / leads).toFixed(1)} ms each`,
    );
    await worker.stop();
    await this.#requireStopped(campaignId, leads);
    return rate;
  }

  /** The time of each answer, in milliseconds. */
  async answers({ written, mailbox, mailboxId }: Correspondence): Promise<number[]> {
    const worker = await this.#fixture.worker([], this.#sandbox.trust);
    const synced = () =>
      this.#fixture.database.collection('mailbox_syncs').countDocuments({ _id: new ObjectId(mailboxId) });
    await until('mailbox read', 1, 60_000, synced);
    await until('IMAP connections', 1, 60_000, async () => Math.min(1, worker.connectionsTo(this.#sandbox.imapPort)));
    const client = imapClient(this.#sandbox.imapPort, mailbox, this.#sandbox.password);
    await client.connect();
    const waits: number[] = [];
    for (const [serial, one] of written.entries()) {
      const started = performance.now();
      await client.append('INBOX', Buffer.from(answerTo(one, mailbox, serial)));
      await this.#stopped(one.leadId);
      waits.push(performance.now() - started);
    }
    await client.logout();
    await worker.stop();
    return waits;
  }

  /** Polls every few milliseconds, so that polling does not influence the result. */
  async #stopped(leadId: string): Promise<void> {
    const leads = this.#fixture.database.collection('campaign_leads');
    const deadline = Date.now() + 60_000;
    for (;;) {
      const lead = await leads.findOne({ _id: new ObjectId(leadId) }, { projection: { stopReason: 1 } });
      if (lead?.['stopReason'] === 'replied') return;
      if (Date.now() > deadline) throw new Error('An answer did not stop its lead within 60 s');
      await new Promise((done) => setTimeout(done, 10));
    }
  }

  /** Checks that each lead is stopped and recorded once, also in the figures. */
  async #requireStopped(campaign: string, leads: number): Promise<void> {
    const campaignId = new ObjectId(campaign);
    const { database } = this.#fixture;
    const stopped = await database.collection('campaign_leads').countDocuments({ campaignId, stopReason: 'replied' });
    const recorded = await database.collection('events').countDocuments({ campaignId, type: 'email.replied' });
    const shares = await database.collection('campaign_mailboxes').find({ campaignId }).toArray();
    const counted = shares.reduce((sum, share) => sum + ((share['stats'] as { replied?: number })?.replied ?? 0), 0);
    if (stopped !== leads || recorded !== leads || counted !== leads) {
      throw new Error(
        `Of ${leads} answers ${stopped} stopped their lead, ${recorded} were recorded as events and ${counted} counted`,
      );
    }
  }
}

function seconds(since: number): number {
  return (performance.now() - since) / 1_000;
}
