import { ERASED_DOMAIN } from '@domain/leads';
import { ERASED, mentions, type Subject, withoutAddress } from './subject';

/** A stored record, whatever it is. */
export type StoredRecord = Readonly<Record<string, unknown>>;

/** What erasure does to a record: nothing, removing it, or these fields. */
export type Erasure = 'keep' | 'delete' | { readonly set: StoredRecord };

/** Never reaches anybody (RFC 2606); one of its own for each lead, for an address is in a campaign once. */
export function erasedAddress(id: unknown): string {
  return `erased-${String(id)}@${ERASED_DOMAIN}`;
}

const NOBODY = { name: '', address: '' };
const PERSON = {
  firstName: '',
  lastName: '',
  companyName: '',
  jobTitle: '',
  phone: '',
  website: '',
  linkedinUrl: '',
  city: '',
  country: '',
  timezone: null,
  variables: {},
};

/** Counted by status and by when it was written to: the record stays, without whoever it was. */
export function erasedLead({ _id }: StoredRecord): Erasure {
  return { set: { ...PERSON, email: erasedAddress(_id), domain: ERASED_DOMAIN, domains: [], thread: null } };
}

/** Of an enrichment job: what was found out stays, without about whom. */
export function erasedItem({ _id }: StoredRecord): Erasure {
  const email = erasedAddress(_id);
  return { set: { email, address: email, leadId: null, detail: '{}', erased: true } };
}

/** Of a sync with a CRM: what became of somebody, without of whom. */
export function erasedSyncResult(): Erasure {
  return { set: { email: '', externalId: '', leadId: null, message: '', changes: '' } };
}

/** The same where a job names the first who failed; whoever is just writing it reads it again. */
export function erasedSyncFaults({ faults, revision }: StoredRecord, { address }: Subject): Erasure {
  const kept = (Array.isArray(faults) ? faults : []).map((fault: StoredRecord) => {
    return fault['email'] === address ? { ...fault, email: '', externalId: '', message: '' } : fault;
  });
  return { set: { faults: kept, revision: Number(revision) + 1 } };
}

const SETTLED = new Set(['sent', 'sent_unconfirmed', 'failed', 'planned']);

/** Counted, and known by its Message-ID when something comes back for it. */
export function erasedSend({ leadId, email, state, words, returned }: StoredRecord): Erasure {
  const stub = erasedAddress(leadId);
  if (email === stub) return 'keep';
  return {
    set: {
      email: stub,
      subject: '',
      links: [],
      draftId: null,
      providerMessageId: null,
      providerThreadId: null,
      reason: null,
      ...(isRecord(words) && { words: { ...words, response: '' } }),
      ...(isRecord(returned) && { returned: { ...returned, diagnostic: null } }),
      // Names of limits have the domain in them.
      ...(SETTLED.has(String(state)) && { places: null }),
    },
  };
}

/** Of what an event says: ids, numbers, and words of our own. */
const COUNTED = new Set([
  'stepId',
  'variantId',
  'sendId',
  'messageId',
  'rule',
  'how',
  'label',
  'labelledBy',
  'matchedBy',
  'conversationId',
  'status',
  'verdict',
  'code',
  'enhancedCode',
]);
/** Days that only the person knows. */
const DAYS = new Set(['returnsOn', 'resumesAt']);

/**
 * Events are what figures are counted from: they stay, with the fields that are counted and without whoever it was. Their data
 * stays what its schema says: a replay of them is read like any other message.
 */
export function erasedEvent(record: StoredRecord, subject: Subject): Erasure {
  const data = (record['data'] ?? {}) as StoredRecord;
  const isOfSubject = subject.leadIds.some((id) => id.equals(String(record['leadId'])));
  const left = isOfSubject || isFrom(data['email'], subject) ? countedOf(record, data) : othersEvent(data, subject);
  return left === null ? 'keep' : { set: { data: left } };
}

function countedOf({ leadId }: StoredRecord, data: StoredRecord): StoredRecord | null {
  const left = Object.entries(data).map(([name, value]) => {
    if (name === 'email') return [name, erasedAddress(leadId)] as const;
    return [
      name,
      isHarmless(name, value) ? value : typeof value === 'string' && !DAYS.has(name) ? ERASED : null,
    ] as const;
  });
  return left.every(([name, value]) => value === data[name]) ? null : Object.fromEntries(left);
}

function isHarmless(name: string, value: unknown): boolean {
  if (typeof value !== 'string') return value === null || typeof value === 'number' || typeof value === 'boolean';
  return COUNTED.has(name) || (name === 'reason' && /^[a-z_]{1,40}$/.test(value));
}

/** About somebody else: a colleague's answer, say. */
function othersEvent(data: StoredRecord, subject: Subject): StoredRecord | null {
  const left = withoutAddress(data, subject.address);
  if (!isFrom(data['from'], subject)) return left === data ? null : left;
  const unsaid = Object.entries({ from: null, subject: '', text: ERASED }).filter(([name]) => name in data);
  return { ...left, ...Object.fromEntries(unsaid) };
}

const TEXTS = ['to', 'cc', 'replyTo', 'subject', 'text', 'fullText', 'html'];
const UNSAID = {
  from: NOBODY,
  replyTo: [],
  subject: '',
  text: ERASED,
  fullText: ERASED,
  html: null,
  messageId: null,
  attachments: [],
};

/** Messages of its own conversations go; in others its words and its name do. */
export function erasedMessage(record: StoredRecord, subject: Subject): Erasure {
  if (subject.conversationIds.some((id) => id.equals(String(record['conversationId'])))) return 'delete';
  const isAuthor = isFrom(addressOf(record['from']), subject);
  const kept = TEXTS.filter((name) => record[name] !== undefined);
  const left = Object.fromEntries(kept.map((name) => [name, withoutPeople(record[name], subject)]));
  if (isAuthor) return { set: { ...left, ...UNSAID } };
  return kept.every((name) => left[name] === record[name]) ? 'keep' : { set: left };
}

/** With its address goes the name that stands beside it. */
function withoutPeople(value: unknown, subject: Subject): unknown {
  if (!Array.isArray(value)) return withoutAddress(value, subject.address);
  const list = value.map((one: unknown) => (isFrom(addressOf(one), subject) ? NOBODY : one));
  return list.some((one, at) => one !== value[at]) ? list : value;
}

/** The envelope stays: without it the same message would be taken in anew. */
export function erasedEnvelope(record: StoredRecord, subject: Subject): Erasure {
  const isAuthor = isFrom(addressOf(record['from']), subject);
  const to = withoutPeople(record['to'], subject);
  const subjectLine = isAuthor ? '' : withoutAddress(record['subject'], subject.address);
  const tasks = withoutAddress(record['tasks'], subject.address);
  if (!isAuthor && to === record['to'] && subjectLine === record['subject'] && tasks === record['tasks']) return 'keep';
  const isOpen = record['state'] === 'received' || record['state'] === 'judged';
  return {
    set: {
      to,
      subject: subjectLine,
      problem: null,
      ...(isAuthor && { from: null, messageId: null, inReplyTo: null, references: [] }),
      // What was still to be done about it is done: the address is on the list of whom nobody writes to.
      ...((isAuthor || tasks !== record['tasks']) && isOpen && { state: 'done', tasks: [] }),
    },
  };
}

/** Other conversations show their last message. */
export function erasedConversation(record: StoredRecord, subject: Subject): Erasure {
  if (subject.conversationIds.some((id) => id.equals(String(record['_id'])))) return 'delete';
  const set = withoutAddress(
    { preview: record['preview'], subject: record['subject'], name: record['name'] },
    subject.address,
  );
  return Object.entries(set).every(([name, value]) => value === record[name]) ? 'keep' : { set };
}

/** Number and reason of refused rows stay. */
export function erasedRefusals({ rows }: StoredRecord, { address }: Subject): Erasure {
  const before = rows as readonly { readonly cells: readonly string[]; readonly detail: string }[];
  const after = before.map((row) =>
    row.cells.some((cell) => mentions(cell, address)) || mentions(row.detail, address)
      ? { ...row, cells: [], detail: '' }
      : row,
  );
  return after.every((row, at) => row === before[at]) ? 'keep' : { set: { rows: after } };
}

/** Who did what stays; what they wrote of the person does not. */
export function erasedAudit({ target, changes }: StoredRecord, subject: Subject): Erasure {
  if (typeof changes !== 'object' || changes === null) return 'keep';
  const { id } = target as { id: string };
  const isAbout = [...subject.leadIds, ...subject.conversationIds].some((one) => one.toHexString() === id);
  const left = isAbout
    ? Object.fromEntries(Object.entries(changes).map(([name, change]) => [name, withoutTexts(change as StoredRecord)]))
    : withoutAddress(changes, subject.address);
  return JSON.stringify(left) === JSON.stringify(changes) ? 'keep' : { set: { changes: left } };
}

function withoutTexts(change: StoredRecord): StoredRecord {
  const isHarmless = (value: unknown) => value === null || typeof value === 'number' || typeof value === 'boolean';
  return Object.fromEntries(Object.entries(change).map(([side, value]) => [side, isHarmless(value) ? value : ERASED]));
}

/** Counted ones stay, without what they said: nothing can be sent of them any more. What waits goes. */
export function erasedDelivery({ countedAs }: StoredRecord): Erasure {
  if (!countedAs) return 'delete';
  return { set: { body: '', leadId: null, attempts: [], state: countedAs, nextAttemptAt: null, manualAt: null } };
}

/** The address and how it came to be are the proof and the protection; what somebody wrote beside it is not needed for either. */
export function erasedReason({ reason }: StoredRecord): Erasure {
  return reason === null || reason === ERASED_REASON ? 'keep' : { set: { reason: null } };
}

/** Why an address is on the list that was not there before. */
export const ERASED_REASON = 'Erased on request';

function addressOf(value: unknown): unknown {
  return isRecord(value) ? value['address'] : undefined;
}

function isRecord(value: unknown): value is StoredRecord {
  return typeof value === 'object' && value !== null;
}

function isFrom(value: unknown, { address }: Subject): boolean {
  return typeof value === 'string' && value.trim().toLowerCase() === address;
}
