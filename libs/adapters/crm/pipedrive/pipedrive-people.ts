import { type CrmPerson, type CrmValue } from '../port/crm-person';
import { type CrmActivity, type CrmFilter, type CrmWrite, type CrmWritten } from '../port/crm-session';
import { MARKETING_STATUS, type PersonSchema } from './person-schema';
import { requirePipedriveId, getStored, fromPipedriveValue } from './pipedrive-values';
import { UnfitValueError } from './pipedrive.errors';

/** An address or a number of a person; at most one is the main one. */
export interface Contact {
  readonly value: string;
  readonly primary: boolean;
  readonly label?: string;
}

/** A person of API v2 (API Reference, "Get all persons"). */
export interface PipedrivePerson {
  readonly id: number;
  readonly name?: string | null;
  readonly first_name?: string | null;
  readonly last_name?: string | null;
  readonly owner_id?: number | null;
  readonly org_id?: number | null;
  readonly add_time?: string | null;
  readonly update_time?: string | null;
  readonly emails?: readonly Contact[] | null;
  readonly phones?: readonly Contact[] | null;
  readonly is_deleted?: boolean;
  readonly marketing_status?: string | null;
  readonly custom_fields?: Readonly<Record<string, unknown>> | null;
}

/** Maximum length of the texts of an activity and a note; both are HTML. */
const MAX_SUBJECT = 255;
const MAX_NOTE = 32_000;

/** @param organisations organisation names by id */
export function toPipedrivePerson(
  person: PipedrivePerson,
  fields: readonly string[],
  schema: PersonSchema,
  organisations: ReadonlyMap<number, string>,
): CrmPerson {
  return {
    externalId: String(person.id),
    emails: listValues(person.emails),
    fields: Object.fromEntries(fields.map((name) => [name, getCrmField(person, name, schema, organisations)])),
    ownerId: typeof person.owner_id === 'number' ? String(person.owner_id) : null,
    isOptedOut: schema.hasMarketing ? person.marketing_status === 'unsubscribed' : null,
    createdAt: parseInstant(person.add_time),
    // A returned person always has one; without it, everything counts as new.
    updatedAt: parseInstant(person.update_time) ?? new Date(0),
  };
}

function getCrmField(
  person: PipedrivePerson,
  name: string,
  schema: PersonSchema,
  organisations: ReadonlyMap<number, string>,
): CrmValue {
  if (name === 'phones') return listValues(person.phones)[0] ?? null;
  if (name === 'org_name') return typeof person.org_id === 'number' ? (organisations.get(person.org_id) ?? null) : null;
  const field = schema.get(name);
  if (!field) return null;
  const raw = field.isCustom ? person.custom_fields?.[name] : (person as unknown as Record<string, unknown>)[name];
  return fromPipedriveValue(field, raw);
}

function listValues(contacts: readonly Contact[] | null | undefined): string[] {
  return sortPrimaryFirst(contacts).map(({ value }) => value);
}

/** The main one first. */
function sortPrimaryFirst(contacts: readonly Contact[] | null | undefined): Contact[] {
  const listed: readonly Contact[] = Array.isArray(contacts) ? contacts : [];
  const filled = listed.filter(({ value }) => typeof value === 'string' && value.trim() !== '');
  return [...filled.filter(({ primary }) => primary), ...filled.filter(({ primary }) => !primary)];
}

function parseInstant(text: string | null | undefined): Date | null {
  const at = new Date(text ?? NaN);
  return Number.isNaN(at.getTime()) ? null : at;
}

/** Conditions that the API does not support: the owner together with a saved filter, and fields that only saved filters support. */
export function matchesPipedriveFilter(person: CrmPerson, { ownerId, fields = {} }: CrmFilter): boolean {
  if (ownerId !== undefined && person.ownerId !== ownerId) return false;
  return Object.entries(fields).every(([name, accepted]) => {
    const value = person.fields[name] ?? null;
    return (Array.isArray(value) ? value : [String(value ?? '')]).some((stored: string) => accepted.includes(stored));
  });
}

/**
 * Whether a change requires the stored person: the API replaces the whole list of numbers and the full name, so one number or one part of
 * the name would overwrite the rest.
 */
export function needsPerson({ externalId, fields }: CrmWrite): boolean {
  if (externalId === null) return false;
  return 'phones' in fields || ('name' in fields ? false : 'first_name' in fields !== 'last_name' in fields);
}

export type PersonBody =
  | { readonly kind: 'body'; readonly body: Readonly<Record<string, unknown>> }
  | { readonly kind: 'refused'; readonly written: CrmWritten };

/** @param person the stored person, where `needsPerson` */
export function toPipedriveBody(write: CrmWrite, schema: PersonSchema, person: PipedrivePerson | null): PersonBody {
  const { externalId, email, fields, ownerId } = write;
  const common: Record<string, unknown> = {};
  const custom: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const field = schema.get(name);
    if (!field) return toInvalid(write, 'unknown_field', `There is no person field ${name}`, name);
    if (!field.isWritable) return toInvalid(write, 'forbidden', `The field ${field.label} cannot be written`, name);
    if (PARTS.has(name)) continue;
    try {
      const stored = getStored(field, value);
      if (stored !== undefined) (field.isCustom ? custom : common)[name] = stored;
    } catch (error) {
      if (!(error instanceof UnfitValueError)) throw error;
      return toInvalid(write, 'invalid', error.message, name);
    }
  }
  if (ownerId !== undefined) {
    const owner = getOwnerId(ownerId);
    if (owner === null) return toInvalid(write, 'invalid', 'The owner is not an id of a user', 'owner_id');
    common['owner_id'] = owner;
  }
  const name = getName(write, person);
  const phones = toPhones(write, person);
  const body = {
    ...common,
    ...(name !== null && { name }),
    ...(phones !== null && { phones }),
    ...(externalId === null && { emails: [{ value: email, primary: true, label: 'work' }] }),
    ...(Object.keys(custom).length > 0 && { custom_fields: custom }),
  };
  return { kind: 'body', body };
}

/** Replaced as a whole. */
const PARTS: ReadonlySet<string> = new Set(['name', 'first_name', 'last_name', 'phones']);

function getOwnerId(text: string): number | null {
  try {
    return requirePipedriveId(text);
  } catch {
    return null;
  }
}

function toInvalid(
  { key }: CrmWrite,
  reason: Extract<CrmWritten, { kind: 'refused' }>['reason'],
  message: string,
  field: string,
): PersonBody {
  return { kind: 'refused', written: { key, kind: 'refused', reason, message, field, externalId: null } };
}

/** Null: unchanged. A person must have a name: a new one without a name gets the local part of its address, and a name is never cleared. */
function getName({ externalId, email, fields }: CrmWrite, person: PipedrivePerson | null): string | null {
  const whole = 'name' in fields ? toFieldText(fields['name']) : joinName(fields, person);
  if (whole !== '') return whole;
  return externalId === null ? (email.split('@')[0] ?? email) : null;
}

function joinName(fields: CrmWrite['fields'], person: PipedrivePerson | null): string {
  if (!('first_name' in fields) && !('last_name' in fields)) return '';
  const first = 'first_name' in fields ? fields['first_name'] : person?.first_name;
  const last = 'last_name' in fields ? fields['last_name'] : person?.last_name;
  return `${toFieldText(first)} ${toFieldText(last)}`.trim();
}

function toFieldText(value: CrmValue | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** Replaces the main number; the others stay. Null: unchanged. */
function toPhones({ fields }: CrmWrite, person: PipedrivePerson | null): Contact[] | null {
  if (!('phones' in fields)) return null;
  const value = toFieldText(fields['phones']);
  const [main, ...others] = sortPrimaryFirst(person?.phones);
  if (value === (main?.value ?? '')) return null;
  const remaining = others.filter((other) => other.value !== value);
  if (value !== '') return [{ label: 'work', ...main, value, primary: true }, ...remaining];
  return remaining.map((other, place) => ({ ...other, primary: place === 0 }));
}

/** A done activity of a type that every account has by default (API Reference, "Add a new activity"). */
export function getActivity({ externalId, at, title, body }: CrmActivity): Readonly<Record<string, unknown>> {
  const instant = at.toISOString();
  return {
    subject: title.slice(0, MAX_SUBJECT),
    type: 'email',
    done: true,
    due_date: instant.slice(0, 10),
    due_time: instant.slice(11, 16),
    participants: [{ person_id: Number(externalId), primary: true }],
    note: toHtml(body),
  };
}

/** Notes have no title; their time is in UTC (API Reference, "Add a note"). */
export function toPipedriveNote({ externalId, at, title, body }: CrmActivity): Readonly<Record<string, unknown>> {
  return {
    person_id: Number(externalId),
    content: `<b>${toHtml(title)}</b><br>${toHtml(body)}`,
    add_time: at.toISOString().slice(0, 19).replace('T', ' '),
  };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function toHtml(text: string): string {
  const escaped = text.slice(0, MAX_NOTE).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
  return escaped.replace(/\r?\n/g, '<br>');
}

/** An id in the API's format; null for invalid text, which no person can have. */
export function toPersonId(text: string): number | null {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

/** Fields read for every person in addition to the requested ones. */
export function listIncludedFields(schema: PersonSchema): string | undefined {
  return schema.hasMarketing ? MARKETING_STATUS : undefined;
}
