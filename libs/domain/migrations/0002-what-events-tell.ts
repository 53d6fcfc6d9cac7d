import { type Migration } from '@platform/migrations';
import { type mongo } from 'mongoose';
import { inBatches, setFields, type Stored } from './batches';

/** A field that events of the type have today and lacked in release 0.1.0; the migration finds the events by it. */
const LACKING: Readonly<Record<string, string>> = {
  'email.sent': 'sendId',
  'email.failed': 'sendId',
  'email.bounced': 'sendId',
  'campaign.paused': 'code',
  'campaign.resumed': 'reason',
  'mailbox.connected': 'connectionType',
  'mailbox.sending_stopped': 'code',
  'lead.completed': 'status',
};
const OF_EMAIL: ReadonlySet<unknown> = new Set(['email.sent', 'email.failed', 'email.bounced']);
const OLD = { $or: Object.entries(LACKING).map(([type, field]) => ({ type, [`data.${field}`]: { $exists: false } })) };

/** Further facts about the subject of an event. */
interface Known {
  sends: ReadonlyMap<string, mongo.BSON.Document>;
  /** By lead: the first sent email. */
  firsts: ReadonlyMap<string, string>;
  mailboxes: ReadonlyMap<string, mongo.BSON.Document>;
}

/**
 * Events are read by people, posted to webhooks in a replay, and counted: all events of a type need the same fields.
 */
export const completeEvents: Migration = {
  name: '0002-what-events-tell',
  why: 'Events of release 0.1.0 have fewer fields than today: replays would violate their schemas, and daily figures would be too low.',
  isRequired: true,
  left: (database) => database.collection('events').countDocuments(OLD),
  run: (database, signal) =>
    inBatches(database.collection('events'), OLD, signal, async (events) => {
      const known = await readKnown(database, events);
      return setFields(
        database.collection('events'),
        events.map((event) => {
          const type = String(event['type']);
          const where = { [`data.${LACKING[type] ?? ''}`]: { $exists: false } };
          // Existing fields keep their values.
          return {
            _id: event._id,
            where,
            set: { data: { ...getMissingData(type, event, known), ...(event['data'] as object) } },
          };
        }),
      );
    }),
};

function getMissingData(type: string, event: Stored, known: Known): mongo.BSON.Document {
  switch (type) {
    case 'campaign.paused':
      return { code: null, message: null, evidence: null };
    case 'campaign.resumed':
      return { reason: null };
    case 'mailbox.connected':
      // The event names the provider of a mailbox deleted since; in 0.1.0 only `custom` ones had passwords.
      return {
        connectionType:
          known.mailboxes.get(String(event['mailboxId']))?.['connectionType'] ??
          ((event['data'] as { provider?: string }).provider === 'custom' ? 'smtp' : 'oauth'),
      };
    case 'mailbox.sending_stopped':
      return { code: 'REFUSED', of: null, domain: null, evidence: null };
    case 'lead.completed':
      return { status: (event['data'] as { reason?: string }).reason === 'bounced_hard' ? 'bounced' : 'completed' };
    default:
      return getEmailData(type, event, known);
  }
}

function getEmailData(type: string, event: Stored, { sends, firsts }: Known): mongo.BSON.Document {
  const sendId = getSendId(event);
  const send = sends.get(sendId);
  const email = {
    subject: (send?.['subject'] as string | undefined) ?? '',
    variantId: String(send?.['variantId'] ?? ''),
    messageId: (send?.['messageId'] as string | undefined) ?? '',
    sendId,
  };
  if (type === 'email.sent') {
    const firstOfLead = firsts.get(String(event['leadId'])) === sendId;
    return { ...email, firstOfLead, unconfirmed: send?.['state'] === 'sent_unconfirmed' };
  }
  const words = send?.['words'] as { code?: string | null; enhancedCode?: string | null } | null | undefined;
  const answer = { code: words?.code ?? null, enhancedCode: words?.enhancedCode ?? null };
  return type === 'email.failed' ? { ...email, ...answer } : { ...email, ...answer, rule: null, softLimit: false };
}

/** It was identified by its email from the beginning. */
function getSendId({ dedupeKey }: mongo.BSON.Document): string {
  return String(dedupeKey).split(':')[1] ?? '';
}

async function readKnown(database: mongo.Db, events: Stored[]): Promise<Known> {
  const emails = events.filter(({ type }) => OF_EMAIL.has(type));
  const mailboxIds = events
    .filter(({ type }) => type === 'mailbox.connected')
    .map(({ mailboxId }) => mailboxId as mongo.ObjectId);
  // All emails to these leads, to find the first of each; an index has them by workspace and lead.
  const sends = await database
    .collection('sends')
    .find(
      { workspaceId: { $in: unique(emails, 'workspaceId') }, leadId: { $in: unique(emails, 'leadId') } },
      { projection: { leadId: 1, subject: 1, variantId: 1, messageId: 1, state: 1, words: 1, sentAt: 1 } },
    )
    .toArray();
  const mailboxes = await database
    .collection('mailboxes')
    .find({ _id: { $in: mailboxIds } }, { projection: { connectionType: 1 } })
    .toArray();
  return {
    sends: new Map(sends.map((send) => [send._id.toHexString(), send])),
    firsts: readFirsts(sends),
    mailboxes: new Map(mailboxes.map((mailbox) => [mailbox._id.toHexString(), mailbox])),
  };
}

function readFirsts(sends: readonly mongo.WithId<mongo.BSON.Document>[]): Map<string, string> {
  const sent = sends.filter(({ sentAt }) => sentAt instanceof Date);
  sent.sort((a, b) => (b['sentAt'] as Date).getTime() - (a['sentAt'] as Date).getTime());
  // The earliest comes last and is kept.
  return new Map(sent.map(({ _id, leadId }) => [String(leadId), _id.toHexString()]));
}

function unique(events: readonly Stored[], field: string): mongo.ObjectId[] {
  const ids = events.flatMap((event) => (event[field] ? [event[field] as mongo.ObjectId] : []));
  return [...new Map(ids.map((id) => [id.toHexString(), id])).values()];
}
