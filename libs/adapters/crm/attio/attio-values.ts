import { type CrmValue } from '../port/crm-person';
import { type CrmWrite } from '../port/crm-session';
import { type AttioAttribute, toAttioFields, splitFieldName } from './attio-fields';
import { OWNER } from './attio-people';

/** The present name of a person: all parts of a name have to be written together. */
export interface KnownName {
  readonly first: string;
  readonly last: string;
}

export const NO_NAME: KnownName = { first: '', last: '' };

const NAME_PARTS = ['name.first_name', 'name.last_name'];

/** The values of a record for the API, by attribute. The address is included only for a new person. */
export function toValues(
  person: CrmWrite,
  attributes: ReadonlyMap<string, AttioAttribute>,
  known: KnownName,
): Record<string, unknown> {
  const named = NAME_PARTS.some((part) => part in person.fields);
  return {
    ...(person.externalId === null && { email_addresses: [person.email] }),
    ...(named && { name: toAttioName(person, known) }),
    ...Object.fromEntries(
      Object.entries(person.fields)
        .filter(([field]) => !NAME_PARTS.includes(field))
        .filter(([field]) => person.externalId !== null || field !== 'email_addresses')
        .map(([field, value]) => [field, toAttioValue(value, attributes.get(field))]),
    ),
    ...(person.ownerId !== undefined && { [OWNER]: toMemberReference(person.ownerId) }),
  };
}

/** Whether the update would need a part of the name that is not in the input. */
export function isNameHalf({ fields }: CrmWrite): boolean {
  return NAME_PARTS.filter((part) => part in fields).length === 1;
}

/**
 * Whether the written values replace the existing ones (PUT) or are added before them (PATCH): multiple choices and empty values replace. A
 * number becomes the main one, and the others stay.
 */
export function isReplacing(person: CrmWrite): boolean {
  return Object.values(person.fields).some((value) => value === null || typeof value === 'object');
}

/** The first of these fields that does not exist or is read-only; null when all can be written. */
export function findUnknownField(person: CrmWrite, attributes: ReadonlyMap<string, AttioAttribute>): string | null {
  if (person.ownerId !== undefined && !attributes.has(OWNER)) return OWNER;
  const names = Object.keys(person.fields);
  return names.find((name) => !isAttioField(name, attributes)) ?? null;
}

/** Whether people have this field in Attio. */
export function isAttioField(name: string, attributes: ReadonlyMap<string, AttioAttribute>): boolean {
  const attribute = attributes.get(splitFieldName(name).slug);
  return attribute !== undefined && toAttioFields(attribute, null).some((field) => field.name === name);
}

function toAttioName({ fields }: CrmWrite, known: KnownName): Record<string, string> {
  const part = (name: string, now: string): string => (name in fields ? String(fields[name] ?? '') : now);
  const first = part('name.first_name', known.first);
  const last = part('name.last_name', known.last);
  return { first_name: first, last_name: last, full_name: `${first} ${last}`.trim() };
}

function toAttioValue(value: CrmValue, attribute: AttioAttribute | undefined): unknown {
  if (attribute?.type === 'actor-reference' && typeof value === 'string') return toMemberReference(value);
  if (attribute?.is_multiselect === true) return value === null ? [] : Array.isArray(value) ? value : [value];
  return value;
}

function toMemberReference(id: string): Record<string, string> {
  return { referenced_actor_type: 'workspace-member', referenced_actor_id: id };
}
