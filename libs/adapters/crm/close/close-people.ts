import { type CrmPerson, type CrmValue } from '../port/crm-person';
import { type CrmActivity, type CrmWrite } from '../port/crm-session';
import { parseDate, type JsonRecord, toRecords, toText } from '../http/crm-response';
import { CUSTOM } from './close-fields';

/** The fields read for every contact (https://developer.close.com/api/resources/contacts). */
const OWN = ['id', 'lead_id', 'name', 'title', 'emails', 'phones', 'urls', 'date_created', 'date_updated'];

export function listColumns(fields: readonly string[]): string[] {
  return [...new Set([...OWN, ...fields.filter((name) => CUSTOM.test(name))])];
}

/** @returns null for an invalid contact */
export function toClosePerson(
  contact: JsonRecord,
  fields: readonly string[],
  leadNames: ReadonlyMap<string, string>,
): CrmPerson | null {
  const id = toText(contact['id']);
  if (id === null) return null;
  const emails = toRecords(contact['emails']);
  const createdAt = parseDate(contact['date_created']);
  const leadName = leadNames.get(toText(contact['lead_id']) ?? '') ?? null;
  return {
    externalId: id,
    emails: emails.flatMap(({ email }) => toText(email) ?? []),
    fields: Object.fromEntries(
      fields.map((name) => [name, name === 'lead_name' ? leadName : getCloseValue(contact, name)]),
    ),
    // Contacts have no owner at Close.
    ownerId: null,
    // Close unsubscribes single addresses; one unsubscribed address opts the person out.
    isOptedOut: emails.some((email) => email['is_unsubscribed'] === true),
    createdAt,
    updatedAt: parseDate(contact['date_updated']) ?? createdAt ?? new Date(0),
  };
}

export function getCloseValue(contact: JsonRecord, name: string): CrmValue {
  switch (name) {
    case 'first_name':
      return splitName(contact).first;
    case 'last_name':
      return splitName(contact).last;
    case 'phone':
      return toText(toRecords(contact['phones'])[0]?.['phone']);
    case 'url':
      return toText(toRecords(contact['urls'])[0]?.['url']);
    default:
      return toPlainValue(contact[name]);
  }
}

function toPlainValue(value: unknown): CrmValue {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.flatMap((one) => toText(one) ?? []);
  return toText(value);
}

/** The first word and the remaining words; a name of one word is a first name. */
function splitName(contact: JsonRecord): { readonly first: string | null; readonly last: string | null } {
  const parts = (toText(contact['name']) ?? '').trim().split(/\s+/);
  return { first: toText(parts[0]), last: toText(parts.slice(1).join(' ')) };
}

/** Whether an update needs the stored values first: it changes half of a name or the first entry of a list. */
export function needsCurrent({ externalId, fields }: CrmWrite): boolean {
  if (externalId === null) return false;
  const has = (name: string) => Object.hasOwn(fields, name);
  return has('phone') || has('url') || (has('first_name') !== has('last_name') && !has('name'));
}

/**
 * Body of `POST /contact/` and `PUT /contact/{id}/`, which changes the given fields only (https://developer.close.com/api/overview/fields).
 */
export function toCloseBody({ externalId, email, fields }: CrmWrite, current: JsonRecord): JsonRecord {
  const { first_name: first, last_name: last, name, phone, url, lead_name: _company, ...others } = fields;
  const named = joinName({ first, last, name }, current);
  return {
    ...others,
    ...(externalId === null && { emails: [{ email, type: 'office' }] }),
    ...(named !== undefined && { name: named }),
    ...(phone !== undefined && { phones: replaceFirst(current['phones'], 'phone', phone, { type: 'office' }) }),
    ...(url !== undefined && { urls: replaceFirst(current['urls'], 'url', url, { type: 'url' }) }),
  };
}

interface Named {
  readonly first: CrmValue | undefined;
  readonly last: CrmValue | undefined;
  readonly name: CrmValue | undefined;
}

function joinName({ first, last, name }: Named, current: JsonRecord): string | undefined {
  if (name !== undefined) return toNamePart(name);
  if (first === undefined && last === undefined) return undefined;
  const parts = splitName(current);
  const names = [first === undefined ? parts.first : first, last === undefined ? parts.last : last];
  return names
    .map((name) => toNamePart(name))
    .join(' ')
    .trim();
}

function toNamePart(value: CrmValue): string {
  return typeof value === 'string' ? value : value === null ? '' : String(value);
}

/** The list with a replaced or removed first entry; the other entries stay. */
function replaceFirst(list: unknown, name: string, value: CrmValue, fresh: JsonRecord): JsonRecord[] {
  const [first = fresh, ...others] = toRecords(list);
  return value === null || value === '' ? others : [{ type: first['type'], [name]: value }, ...others];
}

/**
 * Body of `POST /activity/note/`. Emails are notes too: an email of Close belongs to a mailbox connected there and would count as sent by
 * it.
 */
export function toCloseNote(activity: CrmActivity, leadId: string): JsonRecord {
  const { externalId, kind, direction, at, title, body } = activity;
  const what = kind === 'email' ? (direction === 'incoming' ? 'Email received: ' : 'Email sent: ') : '';
  return {
    lead_id: leadId,
    contact_id: externalId,
    activity_at: at.toISOString(),
    title: `${what}${title}`,
    note: body,
  };
}
