import { type CrmPerson, type CrmValue } from '../port/crm-person';
import { type CrmActivity } from '../port/crm-session';
import { parseDate, toRecord, toRecords, toText } from '../http/crm-response';
import { splitFieldName } from './attio-fields';

/** A value of an attribute with its start time. Other properties depend on the attribute's type. */
export interface AttioValue {
  readonly active_from?: string;
  readonly attribute_type?: string;
  readonly [property: string]: unknown;
}

/** https://docs.attio.com/rest-api/endpoint-reference/records/list-records */
export interface AttioRecord {
  readonly id: { readonly record_id: string };
  readonly created_at: string;
  readonly values: Readonly<Record<string, readonly AttioValue[]>>;
}

/** Skips invalid records. */
export function listAttioRecords(list: unknown): AttioRecord[] {
  return toRecords(list).filter(
    (record): record is AttioRecord & typeof record =>
      toText(toRecord(record['id'])['record_id']) !== null &&
      typeof record['created_at'] === 'string' &&
      Object.values(toRecord(record['values'])).every(Array.isArray),
  );
}

/** The property with the meaningful value, by type; other types use `value`. */
const CONTENTS: Readonly<Record<string, (value: AttioValue) => unknown>> = {
  'personal-name': (value) => value['full_name'],
  'email-address': (value) => value['email_address'],
  'phone-number': (value) => value['phone_number'],
  domain: (value) => value['domain'],
  currency: (value) => value['currency_value'],
  select: (value) => getTitle(value['option']),
  status: (value) => getTitle(value['status']),
  'record-reference': (value) => value['target_record_id'],
  'actor-reference': (value) => value['referenced_actor_id'],
};

/** The custom attribute for the owner of a person, if the account has one: Attio has no standard attribute. */
export const OWNER = 'owner';

export function toAttioPerson(record: AttioRecord, fields: readonly string[]): CrmPerson {
  const createdAt = parseDate(record.created_at);
  return {
    externalId: record.id.record_id,
    emails: (record.values['email_addresses'] ?? []).flatMap((value) => toText(value['email_address']) ?? []),
    fields: Object.fromEntries(fields.map((field) => [field, getFieldValue(record, field)])),
    ownerId: toText(record.values[OWNER]?.[0]?.['referenced_actor_id']),
    // Attio has no standard attribute for this; a custom one can be mapped.
    isOptedOut: null,
    createdAt,
    updatedAt: getChangeTime(record) ?? createdAt ?? new Date(0),
  };
}

/** Attio reports no update time of a record, only the start time of each value. A removed value leaves no trace. */
function getChangeTime(record: AttioRecord): Date | null {
  let latest: Date | null = parseDate(record.created_at);
  for (const values of Object.values(record.values)) {
    for (const { active_from } of values) {
      const at = parseDate(active_from);
      if (at !== null && (latest === null || at > latest)) latest = at;
    }
  }
  return latest;
}

function getFieldValue(record: AttioRecord, field: string): CrmValue {
  const { slug, part } = splitFieldName(field);
  const [first, ...more] = Object.hasOwn(record.values, slug) ? (record.values[slug] ?? []) : [];
  if (first === undefined) return null;
  if (part !== null) return toPlainValue(first[part]);
  return isChoices(first, more)
    ? [first, ...more].flatMap((value) => toText(getContent(value)) ?? [])
    : getContent(first);
}

/** Multiple choices are kept; of several numbers or addresses, the first is the primary one. */
function isChoices(first: AttioValue, more: readonly AttioValue[]): boolean {
  return first.attribute_type === 'select' && more.length > 0;
}

function getContent(value: AttioValue): CrmValue {
  const content = CONTENTS[value.attribute_type ?? ''];
  const found = toPlainValue(content ? content(value) : value['value']);
  return value.attribute_type === 'timestamp' && typeof found === 'string'
    ? (parseDate(found)?.toISOString() ?? found)
    : found;
}

function toPlainValue(value: unknown): CrmValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

function getTitle(choice: unknown): unknown {
  return typeof choice === 'object' && choice !== null && 'title' in choice ? choice.title : choice;
}

/** https://docs.attio.com/rest-api/endpoint-reference/notes/create-a-note; its time may be given. */
export function toAttioNote(activity: CrmActivity): Record<string, unknown> {
  return {
    parent_object: 'people',
    parent_record_id: activity.externalId,
    title: activity.title,
    format: 'plaintext',
    content: activity.body,
    created_at: activity.at.toISOString(),
  };
}
