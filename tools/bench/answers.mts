import { createSecureContext } from 'node:tls';
import { ImapFlow } from 'imapflow';
import mongoose from 'mongoose';
import { type Crowd, type Crowds, LEADS, newLead } from './crowds.mts';
import type { Fixture } from './fixture.mts';
import type { MailSandbox } from './mail.mts';

const { ObjectId } = mongoose.mongo;
type Id = mongoose.mongo.ObjectId;

const DAY_MS = 86_400_000;
const BATCH = 1_000;
/** Connections that deliver mail to a mailbox. */
const APPENDING = 4;

/** A recipient of an email. */
export interface Written {
  readonly leadId: string;
  readonly email: string;
  readonly messageId: string;
}

/** A campaign whose single mailbox has sent an email to all its leads, each of which can answer. */
export interface Correspondence extends Crowd {
  readonly mailbox: string;
  readonly written: readonly Written[];
}

/** Leads that received their first email a day ago and wait for the second; written natively in the platform's form. */
export async function correspondence(fixture: Fixture, crowds: Crowds, leads: number): Promise<Correspondence> {
  const crowd = await crowds.draft();
  const { database } = fixture;
  const campaignId = new ObjectId(crowd.campaignId);
  const mailboxId = new ObjectId(crowd.mailboxId);
  const place = { workspaceId: new ObjectId(crowds.workspace.workspaceId), campaignId };
  const sequence = await database.collection('campaign_sequences').findOne({ campaignId });
  const steps = (sequence?.['steps'] ?? []) as { _id: Id; variants: { _id: Id }[] }[];
  const at = new Date(Date.now() - DAY_MS);
  const written: Written[] = [];
  for (let first = 0; first < leads; first += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, leads - first) }, (_, n) =>
      writtenTo({ ...place, mailboxId }, steps, `p${first + n}.${crowd.campaignId}@prospects${n % 500}.test`, at),
    );
    await database.collection(LEADS).insertMany(batch.map(({ lead }) => lead));
    await database.collection('sends').insertMany(batch.map(({ send }) => send));
    written.push(
      ...batch.map(({ lead, send }) => ({ leadId: String(lead._id), email: send.email, messageId: send.messageId })),
    );
  }
  await database
    .collection('campaigns')
    .updateOne({ _id: campaignId }, { $set: { status: 'active', stopOnReply: true, startedAt: at } });
  await database
    .collection('campaign_mailboxes')
    .updateOne(
      { ...place, mailboxId: null },
      { $inc: { 'leads.total': leads, 'leads.active': leads }, $setOnInsert: { assigned: false } },
      { upsert: true },
    );
  const mailbox = await database.collection('mailboxes').findOne({ _id: mailboxId });
  return { ...crowd, leads, mailbox: String(mailbox?.['email']), written };
}

function writtenTo(
  place: { workspaceId: Id; campaignId: Id; mailboxId: Id },
  steps: { _id: Id; variants: { _id: Id }[] }[],
  email: string,
  at: Date,
) {
  const { workspaceId, campaignId, mailboxId } = place;
  const lead = newLead({ workspaceId, campaignId }, { email, firstName: 'Ada', lastName: 'Lovelace' }, at);
  const sendId = new ObjectId();
  const messageId = `<${sendId.toHexString()}@crowds.test>`;
  const [first, second] = steps;
  if (!first?.variants[0] || !second) throw new Error('The campaign has no second step');
  const send = {
    _id: sendId,
    ...place,
    leadId: lead._id,
    stepId: first._id,
    stepOrder: 0,
    variantId: first.variants[0]._id,
    sequenceVersion: 1,
    email,
    state: 'sent',
    fence: 1,
    attempt: 1,
    messageId,
    subject: 'A question, Ada',
    links: [],
    providerThreadId: null,
    claimedAt: at,
    handoverAt: at,
    sentAt: at,
    createdAt: at,
    updatedAt: at,
  };
  const thread = { messageIds: [messageId], subject: send.subject, providerThreadId: null };
  const contacted = { stepId: second._id, dueAt: new Date(Date.now() + DAY_MS), sentCount: 1, lastSentAt: at, thread };
  return { lead: { ...lead, mailboxId, ...contacted }, send };
}

/** A person's answer: some sentences above the quoted email. */
export function answerTo({ email, messageId }: Written, mailbox: string, serial: number): string {
  return [
    `From: Ada Lovelace <${email}>`,
    `To: <${mailbox}>`,
    'Subject: Re: A question, Ada',
    `Message-ID: <answer.${serial}.${process.pid}@prospects.test>`,
    `In-Reply-To: ${messageId}`,
    `References: ${messageId}`,
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'Hello,',
    '',
    'thank you for your message. I have passed it on to a colleague, who will look at it in the course of the month.',
    '',
    'On Tuesday you wrote:',
    ...Array.from({ length: 12 }, () => '> a sentence of an email that a person wrote by hand.'),
    '',
  ].join('\r\n');
}

/** Delivers messages to the inbox of a mailbox, several at a time. */
export async function append(sandbox: MailSandbox, mailbox: string, messages: readonly string[]): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    const client = imapClient(sandbox.imapPort, mailbox, sandbox.password);
    await client.connect();
    for (let message = messages[next++]; message !== undefined; message = messages[next++]) {
      await client.append('INBOX', Buffer.from(message));
    }
    await client.logout();
  };
  await Promise.all(Array.from({ length: APPENDING }, work));
}

/** With the connection settings of the platform: one TLS context, no compression. */
export function imapClient(port: number, user: string, pass: string): ImapFlow {
  return new ImapFlow({
    host: 'localhost',
    port,
    secure: true,
    auth: { user, pass },
    logger: false,
    disableCompression: true,
    tls: { secureContext: createSecureContext() },
  } as never);
}
