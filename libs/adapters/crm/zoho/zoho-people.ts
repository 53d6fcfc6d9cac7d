import { parseDate } from '../http/crm-response';
import { type CrmField, type CrmPerson, type CrmValue } from '../port/crm-person';
import { type CrmActivity, type CrmWrite } from '../port/crm-session';
import { toZohoInstant } from './zoho-coql';

/** A row of a query, or a record. It may contain any custom field. */
export type ZohoRow = Readonly<Record<string, unknown>>;

/** An instant in Zoho's format, with the zone of the organisation, which may change. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/;

/** Maximum characters of a note (https://www.zoho.com/crm/developer/docs/api/v8/create-notes.html). */
const MAX_NOTE_TITLE = 120;
const MAX_NOTE = 32_000;

/** @returns null for a row without an id */
export function toZohoPerson(row: ZohoRow, fields: readonly string[]): CrmPerson | null {
  const id = row['id'];
  if (typeof id !== 'string' || id === '') return null;
  const createdAt = parseDate(row['Created_Time']);
  return {
    externalId: id,
    emails: [row['Email'], row['Secondary_Email']].filter(
      (email) => typeof email === 'string' && email !== '',
    ) as string[],
    fields: Object.fromEntries(fields.map((name) => [name, fromZohoValue(row[name])])),
    ownerId: getReference(row['Owner']),
    isOptedOut: typeof row['Email_Opt_Out'] === 'boolean' ? row['Email_Opt_Out'] : null,
    createdAt,
    updatedAt: parseDate(row['Modified_Time']) ?? createdAt ?? new Date(0),
  };
}

export function fromZohoValue(value: unknown): CrmValue {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'string') return INSTANT.test(value) ? new Date(value).toISOString() : value;
  if (Array.isArray(value))
    return value.flatMap((item) => (typeof item === 'string' ? item : (getReference(item) ?? [])));
  return getReference(value);
}

/** A record for the API. It has the address only for a new person and never clears the surname, which Zoho requires. */
export function toZohoRecord(person: CrmWrite, fields: ReadonlyMap<string, CrmField>): Record<string, unknown> {
  const isNew = person.externalId === null;
  const values = Object.entries(person.fields).filter(
    ([name, value]) => !(isNew && name === 'Email') && !(name === 'Last_Name' && value === null),
  );
  return {
    ...(isNew ? { Email: person.email } : { id: person.externalId }),
    ...Object.fromEntries(values.map(([name, value]) => [name, toZohoValue(value, fields.get(name))])),
    ...(person.ownerId !== undefined && { Owner: { id: person.ownerId } }),
  };
}

function toZohoValue(value: CrmValue, field: CrmField | undefined): unknown {
  if (value === null || field === undefined) return value;
  if (field.type === 'reference') return { id: String(value) };
  if (field.type === 'choices' && typeof value === 'string') return [value];
  if (field.type === 'instant' && typeof value === 'string') return parseInstant(value);
  return value;
}

/** Send an invalid time unchanged: Zoho's error describes it better. */
function parseInstant(text: string): string {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? text : toZohoInstant(at);
}

/** Zoho requires a surname. A person without one gets the first name, or the local part of the address, as users enter it themselves. */
export function getSurname(person: CrmWrite): string {
  const first = person.fields['First_Name'];
  return typeof first === 'string' && first.trim() !== ''
    ? first
    : person.email.slice(0, person.email.lastIndexOf('@'));
}

export function hasSurname({ fields }: CrmWrite): boolean {
  const surname = fields['Last_Name'];
  return typeof surname === 'string' && surname.trim() !== '';
}

export function toZohoNote(activity: CrmActivity): Record<string, unknown> {
  return {
    Note_Title: activity.title.slice(0, MAX_NOTE_TITLE),
    // The text contains the time of the event, because a note has its creation time.
    Note_Content: `${activity.at.toISOString()}\n${activity.body}`.slice(0, MAX_NOTE),
    Parent_Id: { id: activity.externalId, module: { api_name: 'Contacts' } },
  };
}

function getReference(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  return typeof value.id === 'string' ? value.id : null;
}
