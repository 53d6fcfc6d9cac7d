import { ERASED_DOMAIN } from '@domain/leads';
import { ERASED, hasMention, type Subject, removeAddress } from './subject';

/** A stored record of any collection. */
export type StoredRecord = Readonly<Record<string, unknown>>;

/** Effect of an erasure on a record: none, deletion, or these fields. */
export type Erasure = 'keep' | 'delete' | { readonly set: StoredRecord };

/** Not deliverable (RFC 2606) and unique for each lead, because an address is in a campaign once. */
export function createErasedAddress(id: unknown): string {
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

/** Counted by status and by sending date: the record remains without the person. */
export function eraseLead({ _id }: StoredRecord): Erasure {
  return { set: { ...PERSON, email: createErasedAddress(_id), domain: ERASED_DOMAIN, domains: [], thread: null } };
}

/** Item of an enrichment job: the result remains without the person. */
export function eraseItem({ _id }: StoredRecord): Erasure {
  const email = createErasedAddress(_id);
  return { set: { email, address: email, leadId: null, detail: '{}', erased: true } };
}

/** Result of a CRM sync: the outcome remains without the person. */
export function eraseSyncResult(): Erasure {
  return { set: { email: '', externalId: '', leadId: null, message: '', changes: '' } };
}

/** The same where a job names its first failures; a concurrent writer reads the job again. */
export function eraseSyncFaults({ faults, revision }: StoredRecord, { address }: Subject): Erasure {
  const remaining = (Array.isArray(faults) ? faults : []).map((fault: StoredRecord) => {
    return fault['email'] === address ? { ...fault, email: '', externalId: '', message: '' } : fault;
  });
  return { set: { faults: remaining, revision: Number(revision) + 1 } };
}

const SETTLED = new Set(['sent', 'sent_unconfirmed', 'failed', 'planned']);

/** Counted, and found by its Message-ID when mail about it is received. */
export function eraseSend({ leadId, email, state, lastReply, returned }: StoredRecord): Erasure {
  const stub = createErasedAddress(leadId);
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
      ...(isRecord(lastReply) && { lastReply: { ...lastReply, response: '' } }),
      ...(isRecord(returned) && { returned: { ...returned, diagnostic: null } }),
      // Names of limits contain the domain.
      ...(SETTLED.has(String(state)) && { places: null }),
    },
  };
}

/** Event data without personal data: ids, numbers and fixed texts. */
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
/** Dates that only concern the person. */
const DAYS = new Set(['returnsOn', 'resumesAt']);

/**
 * Figures are counted from events: they remain with the counted fields and without the person. Their data still match
 * their schema, so that a replay can post them.
 */
export function eraseEvent(record: StoredRecord, subject: Subject): Erasure {
  const data = (record['data'] ?? {}) as StoredRecord;
  const isOfSubject = subject.leadIds.some((id) => id.equals(String(record['leadId'])));
  const left =
    isOfSubject || isFrom(data['email'], subject) ? pickCounted(record, data) : eraseForeignEvent(data, subject);
  return left === null ? 'keep' : { set: { data: left } };
}

function pickCounted({ leadId }: StoredRecord, data: StoredRecord): StoredRecord | null {
  const left = Object.entries(data).map(([name, value]) => {
    if (name === 'email') return [name, createErasedAddress(leadId)] as const;
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

/** About another person, for example a colleague's reply. */
function eraseForeignEvent(data: StoredRecord, subject: Subject): StoredRecord | null {
  const left = removeAddress(data, subject.address);
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

/** Messages of the person's own conversations are deleted; in others only the person's text and name. */
export function eraseMessage(record: StoredRecord, subject: Subject): Erasure {
  if (subject.conversationIds.some((id) => id.equals(String(record['conversationId'])))) return 'delete';
  const isAuthor = isFrom(getAddress(record['from']), subject);
  const present = TEXTS.filter((name) => record[name] !== undefined);
  const left = Object.fromEntries(present.map((name) => [name, removePeople(record[name], subject)]));
  if (isAuthor) return { set: { ...left, ...UNSAID } };
  return present.every((name) => left[name] === record[name]) ? 'keep' : { set: left };
}

/** The name next to the address is removed with it. */
function removePeople(value: unknown, subject: Subject): unknown {
  if (!Array.isArray(value)) return removeAddress(value, subject.address);
  const list = value.map((one: unknown) => (isFrom(getAddress(one), subject) ? NOBODY : one));
  return list.some((one, at) => one !== value[at]) ? list : value;
}

/** The envelope remains: without it the same message would be taken in again. */
export function eraseEnvelope(record: StoredRecord, subject: Subject): Erasure {
  const isAuthor = isFrom(getAddress(record['from']), subject);
  const to = removePeople(record['to'], subject);
  const subjectLine = isAuthor ? '' : removeAddress(record['subject'], subject.address);
  const tasks = removeAddress(record['tasks'], subject.address);
  if (!isAuthor && to === record['to'] && subjectLine === record['subject'] && tasks === record['tasks']) return 'keep';
  const isOpen = record['state'] === 'received' || record['state'] === 'judged';
  return {
    set: {
      to,
      subject: subjectLine,
      problem: null,
      ...(isAuthor && { from: null, messageId: null, inReplyTo: null, references: [] }),
      // Its open tasks are dropped: the address is suppressed.
      ...((isAuthor || tasks !== record['tasks']) && isOpen && { state: 'done', tasks: [] }),
    },
  };
}

/** Other conversations show their last message. */
export function eraseConversation(record: StoredRecord, subject: Subject): Erasure {
  if (subject.conversationIds.some((id) => id.equals(String(record['_id'])))) return 'delete';
  const set = removeAddress(
    { preview: record['preview'], subject: record['subject'], name: record['name'] },
    subject.address,
  );
  return Object.entries(set).every(([name, value]) => value === record[name]) ? 'keep' : { set };
}

/** Number and reason of rejected rows remain. */
export function eraseRefusals({ rows }: StoredRecord, { address }: Subject): Erasure {
  const before = rows as readonly { readonly cells: readonly string[]; readonly detail: string }[];
  const after = before.map((row) =>
    row.cells.some((cell) => hasMention(cell, address)) || hasMention(row.detail, address)
      ? { ...row, cells: [], detail: '' }
      : row,
  );
  return after.every((row, at) => row === before[at]) ? 'keep' : { set: { rows: after } };
}

/** The action remains; texts about the person are removed. */
export function eraseAuditEntry({ target, changes }: StoredRecord, subject: Subject): Erasure {
  if (typeof changes !== 'object' || changes === null) return 'keep';
  const { id } = target as { id: string };
  const isAbout = [...subject.leadIds, ...subject.conversationIds].some((one) => one.toHexString() === id);
  const left = isAbout
    ? Object.fromEntries(Object.entries(changes).map(([name, change]) => [name, removeTexts(change as StoredRecord)]))
    : removeAddress(changes, subject.address);
  return JSON.stringify(left) === JSON.stringify(changes) ? 'keep' : { set: { changes: left } };
}

function removeTexts(change: StoredRecord): StoredRecord {
  const isHarmless = (value: unknown) => value === null || typeof value === 'number' || typeof value === 'boolean';
  return Object.fromEntries(Object.entries(change).map(([side, value]) => [side, isHarmless(value) ? value : ERASED]));
}

/**
 * Finished deliveries are counted and remain without their body, so they cannot be sent again. Waiting ones are
 * deleted.
 */
export function eraseDelivery({ countedAs }: StoredRecord): Erasure {
  if (!countedAs) return 'delete';
  return { set: { body: '', leadId: null, attempts: [], state: countedAs, nextAttemptAt: null, manualAt: null } };
}

/**
 * The address and the source of its suppression are proof and protection; a free text beside it is needed for neither.
 */
export function eraseReason({ reason }: StoredRecord): Erasure {
  return reason === null || reason === ERASED_REASON ? 'keep' : { set: { reason: null } };
}

/** Reason of a suppression that the erasure adds. */
export const ERASED_REASON = 'Erased on request';

function getAddress(value: unknown): unknown {
  return isRecord(value) ? value['address'] : undefined;
}

function isRecord(value: unknown): value is StoredRecord {
  return typeof value === 'object' && value !== null;
}

function isFrom(value: unknown, { address }: Subject): boolean {
  return typeof value === 'string' && value.trim().toLowerCase() === address;
}
