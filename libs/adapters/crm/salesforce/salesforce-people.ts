import { type CrmField, type CrmPerson, type CrmValue } from '../port/crm-person';
import { type CrmActivity, type CrmWrite } from '../port/crm-session';

/**
 * People are contacts. Leads of Salesforce would be the alternative: they store the company as text, but a conversion makes the lead
 * read-only and creates a contact. Most organisations store known people as contacts.
 */
export const PERSON_OBJECT = 'Contact';

/** Whether a person has opted out of email; not every user may see it (field-level security). */
export const OPT_OUT_FIELD = 'HasOptedOutOfEmail';

/** Fields that are read for each person in addition to the requested ones. */
const OWN_FIELDS = ['Id', 'Email', 'OwnerId', 'CreatedDate', 'SystemModstamp'] as const;

/** Maximum text lengths of Salesforce: Contact.LastName, Task.Subject, Task.Description (Object Reference). */
const MAX_LAST_NAME = 80;
const MAX_SUBJECT = 255;
const MAX_DESCRIPTION = 32_000;

export type SalesforceRecord = Readonly<Record<string, unknown>>;

/** Names for a SELECT, each once. */
export function listSelectedFields(fields: readonly string[], hasOptOut: boolean): string[] {
  return [...new Set([...OWN_FIELDS, ...(hasOptOut ? [OPT_OUT_FIELD] : []), ...fields])];
}

/** @returns null for a record without an id or update time, which no returned contact lacks */
export function toSalesforcePerson(
  record: SalesforceRecord,
  fields: readonly string[],
  hasOptOut: boolean,
): CrmPerson | null {
  const { Id: id, Email: email, OwnerId: ownerId } = record;
  const updatedAt = parseInstant(record['SystemModstamp']);
  if (typeof id !== 'string' || updatedAt === null) return null;
  const isOptedOut = record[OPT_OUT_FIELD];
  return {
    externalId: id,
    emails: typeof email === 'string' && email !== '' ? [email] : [],
    fields: Object.fromEntries(fields.map((name) => [name, getValueAt(record, name)])),
    ownerId: typeof ownerId === 'string' ? ownerId : null,
    isOptedOut: hasOptOut && typeof isOptedOut === 'boolean' ? isOptedOut : null,
    createdAt: parseInstant(record['CreatedDate']),
    updatedAt,
  };
}

/** `Account.Name` is in the record of the account, which is null without one. */
function getValueAt(record: SalesforceRecord, name: string): CrmValue {
  const [first = '', second] = name.split('.');
  const value = record[first];
  if (second === undefined) return toCrmValue(value);
  return typeof value === 'object' && value !== null ? toCrmValue((value as SalesforceRecord)[second]) : null;
}

/** Multiple choices stay one text with semicolons, as in the API: without the field description they look like plain text. */
function toCrmValue(value: unknown): CrmValue {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'string') return null;
  return /^\d{4}-\d{2}-\d{2}T.*\+0000$/.test(value) ? (parseInstant(value)?.toISOString() ?? value) : value;
}

/** Salesforce writes the offset as `+0000`, which ISO 8601 has with a colon only in its extended format. */
function parseInstant(value: unknown): Date | null {
  if (typeof value !== 'string') return null;
  const at = new Date(value.replace(/\+0000$/, 'Z'));
  return Number.isNaN(at.getTime()) ? null : at;
}

/**
 * A contact must have a last name. A new one without a last name gets the local part of its address. An existing last name is never
 * cleared, because Salesforce would refuse the whole record.
 */
export function toSalesforceRecord({ externalId, email, fields, ownerId }: CrmWrite): SalesforceRecord {
  const { LastName: lastName = null, ...others } = fields;
  const name = typeof lastName === 'string' && lastName.trim() !== '' ? lastName : null;
  const values = Object.fromEntries(Object.entries(others).map(([field, value]) => [field, toStoredValue(value)]));
  return {
    ...values,
    ...(name !== null && { LastName: name }),
    ...(name === null && externalId === null && { LastName: (email.split('@')[0] ?? email).slice(0, MAX_LAST_NAME) }),
    ...(ownerId !== undefined && { OwnerId: ownerId }),
    ...(externalId === null ? { Email: email } : { Id: externalId }),
    attributes: { type: PERSON_OBJECT },
  };
}

/**
 * Why a value cannot be written into a field of this type; null when it can. Called only when Salesforce cannot parse a request: for one
 * malformed value it refuses all records without naming the invalid one.
 */
export function getUnfit(value: CrmValue, { type, label }: CrmField): string | null {
  if (value === null || value === '') return null;
  const text = String(value);
  const fits =
    (type === 'number' && Number.isFinite(Number(text))) ||
    (type === 'boolean' && (text === 'true' || text === 'false')) ||
    (type === 'day' && /^\d{4}-\d{2}-\d{2}$/.test(text)) ||
    (type === 'instant' && /^\d{4}-\d{2}-\d{2}T/.test(text) && !Number.isNaN(Date.parse(text)));
  const isAnyText = type !== 'number' && type !== 'boolean' && type !== 'day' && type !== 'instant';
  return fits || isAnyText ? null : `The value does not fit the field ${label}`;
}

function toStoredValue(value: CrmValue): string | number | boolean | null {
  return Array.isArray(value) ? value.join(';') : (value as string | number | boolean | null);
}

/** A completed task: Salesforce shows it in the timeline of the contact, an email as an email (Object Reference, "Task"). */
export function getTask({ externalId, kind, at, title, body }: CrmActivity): SalesforceRecord {
  return {
    attributes: { type: 'Task' },
    WhoId: externalId,
    Subject: title.slice(0, MAX_SUBJECT),
    Description: body.slice(0, MAX_DESCRIPTION),
    Status: 'Completed',
    TaskSubtype: kind === 'email' ? 'Email' : 'Task',
    ActivityDate: at.toISOString().slice(0, 10),
  };
}

/**
 * Converts a contact id to its 18-character form, which is unique without regard to case. Null for invalid text, because Salesforce would
 * refuse the whole query. An id has 15 characters, of which the first three identify the object (`003`); three more encode the capitals
 * (Salesforce Help, "ID Field Type").
 */
export function getContactId(text: string): string | null {
  return /^003[0-9A-Za-z]{12}(?:[0-5A-Z]{3})?$/.test(text)
    ? text.slice(0, 15) + getCheckSuffix(text.slice(0, 15))
    : null;
}

const CHECKS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345';

function getCheckSuffix(id: string): string {
  return [id.slice(0, 5), id.slice(5, 10), id.slice(10)]
    .map((part) => Array.from(part, (one, place) => (/[A-Z]/.test(one) ? 1 << place : 0)).reduce((a, b) => a + b, 0))
    .map((bits) => CHECKS.charAt(bits))
    .join('');
}
