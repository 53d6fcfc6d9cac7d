/**
 * The bare loop for the comparison with the mailbox sender: for each email the same durable writes with the native driver
 * (claim, sending, outcome), and the same message through bare nodemailer. GET /send?count=N sends N over all
 * mailboxes.
 */
import { createServer } from 'node:http';
import mongoose from 'mongoose';
import { createTransport, type Transporter } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';

const { PORT = '0', SMTP_PORT = '0', PASSWORD = '', MONGODB_URI = '', MAILBOXES = '1' } = process.env;
const { MongoClient, ObjectId } = mongoose.mongo;
const client = new MongoClient(MONGODB_URI, { writeConcern: { w: 'majority' } });
const db = client.db();
const [sends, leads, leases, shares, events, boxes, days] = [
  'bare_sends',
  'bare_leads',
  'bare_leases',
  'bare_shares',
  'bare_events',
  'bare_mailboxes',
  'bare_days',
].map((name) => db.collection(name)) as [
  mongoose.mongo.Collection,
  mongoose.mongo.Collection,
  mongoose.mongo.Collection,
  mongoose.mongo.Collection,
  mongoose.mongo.Collection,
  mongoose.mongo.Collection,
  mongoose.mongo.Collection,
];
await sends.createIndex({ leadId: 1, stepId: 1 }, { unique: true });
await leads.createIndex({ mailboxId: 1, dueAt: 1 });
await events.createIndex({ dedupeKey: 1 }, { unique: true });

interface Mailbox {
  readonly _id: mongoose.mongo.ObjectId;
  readonly email: string;
  readonly transport: Transporter;
}

const mailboxes: Mailbox[] = Array.from({ length: Number(MAILBOXES) }, (_, n) => {
  const auth = { user: `bare${n}@sending.test`, pass: PASSWORD };
  const server = { host: 'localhost', port: Number(SMTP_PORT), secure: true, auth };
  return {
    _id: new ObjectId(),
    email: auth.user,
    transport: createTransport({ ...server, pool: true, maxConnections: 2 }),
  };
});
for (const { _id } of mailboxes) {
  for (const collection of [leases, shares, boxes, days]) await collection.insertOne({ _id, n: 0 });
}

async function composed(from: string, to: string, messageId: string): Promise<Buffer> {
  const html = `<p>Hello Ada,</p><p>${'a sentence of an email that a person wrote. '.repeat(15)}</p>`;
  return new MailComposer({ from, to, subject: 'A question, Ada', html, text: html, messageId }).compile().build();
}

async function sendOne({ _id: mailboxId, email, transport }: Mailbox, leadId: mongoose.mongo.ObjectId): Promise<void> {
  const [_id, stepId, at] = [new ObjectId(), mailboxId, new Date()];
  const messageId = `<${_id.toHexString()}@sending.test>`;
  // Claim.
  await sends.insertOne({ _id, leadId, stepId, mailboxId, state: 'claimed', fence: 1, messageId, claimedAt: at });
  await leads.updateOne({ _id: leadId, dueAt: { $lte: at } }, { $set: { sendId: _id, dueAt: null, mailboxId } });
  await leases.updateOne({ _id: mailboxId }, { $set: { lastSentAt: at }, $inc: { n: 1 } });
  await shares.updateOne({ _id: mailboxId }, { $set: { lastServedAt: at }, $inc: { newLeads: 1 } });
  // Sending.
  await sends.updateOne({ _id, state: 'claimed', fence: 1 }, { $set: { state: 'sending', handoverAt: new Date() } });
  const to = `${leadId.toHexString()}@prospects.test`;
  const message = { envelope: { from: email, to }, raw: await composed(email, to, messageId) };
  for (let attempt = 0; ; attempt++) {
    try {
      await transport.sendMail(message);
      break;
    } catch (error) {
      if ((error as { responseCode?: number }).responseCode !== 451 || attempt === 10) throw error;
    }
  }
  // Outcome.
  await sends.updateOne({ _id, state: 'sending', fence: 1 }, { $set: { state: 'sent', sentAt: new Date() } });
  await leads.updateOne({ _id: leadId, sendId: _id }, { $set: { sendId: null, status: 'completed', lastSentAt: at } });
  await events.insertOne({ type: 'email.sent', dedupeKey: `email.sent:${_id.toHexString()}`, at });
  await shares.updateOne({ _id: mailboxId }, { $inc: { sent: 1, delivered: 1 } });
  await boxes.updateOne({ _id: mailboxId }, { $inc: { totalSent: 1 } });
  await days.updateOne({ _id: mailboxId }, { $inc: { sent: 1 } });
}

async function sendMany(count: number): Promise<void> {
  if (count === 0) return;
  const at = new Date();
  const ids = Array.from({ length: count }, () => new ObjectId());
  await leads.insertMany(ids.map((_id) => ({ _id, dueAt: at, mailboxId: null, status: 'active' })));
  await Promise.all(
    mailboxes.map(async (mailbox) => {
      for (let lead = ids.pop(); lead; lead = ids.pop()) await sendOne(mailbox, lead);
    }),
  );
}

createServer((request, response) => {
  const count = Number(new URL(request.url ?? '/', 'http://localhost').searchParams.get('count') ?? 0);
  sendMany(count).then(
    () => response.end('{}'),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
}).listen(Number(PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
