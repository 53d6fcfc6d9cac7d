/**
 * The denominator of the inbox benchmark: reads all messages of MAILBOX with imapflow, parses them with postal-mime and makes
 * the platform's durable writes of an answer with the native driver, and nothing else: it classifies nothing, and identifies
 * the sender of an answer by the Message-ID alone. GET / returns its progress.
 */
import { createServer } from 'node:http';
import mongoose from 'mongoose';
import PostalMime from 'postal-mime';
import { imapClient } from './answers.mts';

const { ObjectId } = mongoose.mongo;
type Id = mongoose.mongo.ObjectId;
type Session = mongoose.mongo.ClientSession;

const { PORT = '0', MONGODB_URI = '', IMAP_PORT = '0', PASSWORD = '' } = process.env;
const { MAILBOX = '', MAILBOX_ID = '', CAMPAIGN = '', WORKSPACE = '' } = process.env;
/** The read settings of the platform. */
const BATCH = 200;

const client = new mongoose.mongo.MongoClient(MONGODB_URI, { writeConcern: { w: 'majority' } });
const db = client.db();
const workspaceId = new ObjectId(WORKSPACE);
const mailboxId = new ObjectId(MAILBOX_ID);
const campaignId = new ObjectId(CAMPAIGN);
const day = new Date().toISOString().slice(0, 10);
let [done, started, ended] = [0, 0, 0];

createServer((_request, response) => {
  response.end(JSON.stringify({ done, ms: (ended || performance.now()) - started }));
}).listen(Number(PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));

interface Received {
  _id: Id;
  uid: number;
  at: Date;
}

/** Envelopes of a batch and the position after it. */
async function keep(messages: readonly (Received & { envelope: object; size: number })[], cursor: number) {
  await client.withSession((session) =>
    session.withTransaction(async () => {
      const syncs = db.collection<{ _id: Id }>('mailbox_syncs');
      await syncs.updateOne(
        { _id: mailboxId },
        { $set: { workspaceId, cursor: String(cursor) } },
        { session, upsert: true },
      );
      const records = messages.map(({ _id, uid, at, envelope, size }) => ({
        _id,
        workspaceId,
        mailboxId,
        fingerprint: `bare-${uid}`,
        place: `INBOX ${uid}`,
        state: 'received',
        receivedAt: at,
        size,
        ...envelope,
        createdAt: new Date(),
      }));
      await db.collection('mailbox_messages').insertMany(records, { session });
      await db
        .collection('mailboxes')
        .updateOne({ _id: mailboxId }, { $inc: { totalReceived: records.length } }, { session });
      const inc = { $inc: { received: records.length } };
      await db.collection('mailbox_days').updateOne({ workspaceId, mailboxId, day }, inc, { session, upsert: true });
    }),
  );
}

/** The effects of an answer. */
async function take({ _id, at }: Received, source: Buffer): Promise<void> {
  const mail = await PostalMime.parse(source);
  const send = await db.collection('sends').findOne({ workspaceId, messageId: mail.inReplyTo });
  if (!send) throw new Error(`${mail.inReplyTo} was never sent`);
  const leadId = send['leadId'] as Id;
  await client.withSession((session) =>
    session.withTransaction(async () => {
      await addToConversation(leadId, _id, at, mail, session);
      const leads = db.collection('campaign_leads');
      await leads.updateOne({ _id: leadId, workspaceId }, { $set: { repliedAt: at } }, { session });
      await tell('email.replied', `email.replied:${_id.toHexString()}`, leadId, mail.text ?? '', session);
      const share = db.collection('campaign_mailboxes');
      const own = { workspaceId, campaignId, mailboxId };
      await share.updateOne(own, { $inc: { 'stats.replied': 1 } }, { session });
      const days = db.collection('mailbox_days');
      await days.updateOne({ workspaceId, mailboxId, day }, { $inc: { replied: 1 } }, { session, upsert: true });
      const stopped = { status: 'completed', stopReason: 'replied', dueAt: null };
      await leads.updateOne({ _id: leadId, workspaceId }, { $set: stopped }, { session });
      const all = { workspaceId, campaignId, mailboxId: null };
      await share.updateOne(all, { $inc: { 'leads.active': -1, 'leads.completed': 1 } }, { session });
      await tell('lead.completed', `lead.completed:${leadId.toHexString()}`, leadId, '', session);
      const messages = db.collection('mailbox_messages');
      await messages.updateOne(
        { _id, state: 'received' },
        { $set: { state: 'judged', verdict: 'reply' } },
        { session },
      );
    }),
  );
  await db.collection('mailbox_messages').updateOne({ _id, state: 'judged' }, { $set: { state: 'done' } });
  done += 1;
}

async function addToConversation(
  leadId: Id,
  mailboxMessageId: Id,
  at: Date,
  mail: Awaited<ReturnType<typeof PostalMime.parse>>,
  session: Session,
): Promise<void> {
  const conversations = db.collection('conversations');
  const { subject = '', from, text = '' } = mail;
  const begun = { campaignId, mailboxId, email: from?.address, name: from?.name, subject, createdAt: at };
  const conversation = await conversations.findOneAndUpdate(
    { workspaceId, leadId },
    { $setOnInsert: begun },
    { session, upsert: true, returnDocument: 'after' },
  );
  const latest = { lastMessageAt: at, preview: text.slice(0, 200), unread: true };
  const added = { $set: latest, $inc: { messageCount: 1 } };
  const where = { _id: conversation?._id as Id, workspaceId };
  await conversations.updateOne(where, added, { session });
  const record = {
    workspaceId,
    conversationId: where._id,
    mailboxId,
    mailboxMessageId,
    at,
    subject,
    text,
    kind: 'reply',
  };
  const messageId = mail.messageId;
  await db.collection('conversation_messages').insertOne({ ...record, direction: 'received', messageId }, { session });
  await conversations.updateOne(where, { $set: { label: 'neutral', labelledBy: 'rules' } }, { session });
}

async function tell(type: string, dedupeKey: string, leadId: Id, text: string, session: Session): Promise<void> {
  const now = new Date();
  const event = { type, at: now, mailboxId, campaignId, leadId, data: { text }, createdAt: now };
  const events = db.collection('events');
  await events.updateOne({ workspaceId, dedupeKey }, { $setOnInsert: event }, { session, upsert: true });
}

started = performance.now();
await client.connect();
const imap = imapClient(Number(IMAP_PORT), MAILBOX, PASSWORD);
await imap.connect();
const { exists } = await imap.mailboxOpen('INBOX', { readOnly: true });
for (let first = 1; first <= exists; first += BATCH) {
  const range = `${first}:${Math.min(first + BATCH - 1, exists)}`;
  const query = { uid: true, envelope: true, internalDate: true, size: true, flags: true } as const;
  const found = await imap.fetchAll(range, query);
  const messages = found.map(({ uid, envelope, internalDate, size = 0 }) => {
    const { messageId, inReplyTo, subject } = envelope ?? {};
    const at = new Date(internalDate ?? Date.now());
    return { _id: new ObjectId(), uid, at, size, envelope: { messageId, inReplyTo, subject } };
  });
  await keep(messages, messages.at(-1)?.uid ?? 0);
  // One after the other: concurrent writes would wait for each other at the figures that all of them change.
  for (const message of messages) {
    const fetched = await imap.fetchOne(String(message.uid), { source: true }, { uid: true });
    if (!fetched || !fetched.source) throw new Error(`Message ${message.uid} is missing`);
    await take(message, fetched.source);
  }
}
ended = performance.now();
await imap.logout();
