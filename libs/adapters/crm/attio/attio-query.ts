import { CrmError } from '../port/crm.errors';
import { type CrmFilter } from '../port/crm-session';
import { type AttioAttribute, splitFieldName } from './attio-fields';
import { type AttioRecord, OWNER } from './attio-people';

/** Records of one query (https://docs.attio.com/rest-api/guides/pagination). */
export const PAGE_RECORDS = 500;

type Filter = Readonly<Record<string, unknown>>;

/**
 * A position in the list of people, by creation time, which never changes: the time of the last read person, the number of earlier people
 * with the same time, and its id. Filters support `at or after` for times but no order of ids. People with one time (an import) are
 * therefore counted, and the id shows whether the count still leads to the same position.
 */
export interface AttioPlace {
  readonly at: string;
  readonly before: number;
  readonly id: string;
}

const PLACE = /^(\d{4}-\d\d-\d\dT[\d:.]{8,18}Z)\|(\d{1,9})\|([0-9a-f-]{36})$/;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the text has the form of a record id. */
export function isAttioId(id: string): boolean {
  return ID.test(id);
}

/** @throws CrmError `cursor` for text that is no place */
export function parseAttioCursor(cursor: string): AttioPlace {
  const [, at, before, id] = PLACE.exec(cursor) ?? [];
  if (at === undefined || id === undefined) throw new CrmError('cursor', 'This is not a cursor of Attio');
  return { at, before: Number(before), id };
}

export function formatAttioCursor({ at, before, id }: AttioPlace): string {
  return `${at}|${before}|${id}`;
}

/**
 * The position of the last of these records, which were read from `offset` on among those created at `since` or later.
 * @param since null for all
 */
export function getLastPlace(records: readonly AttioRecord[], since: string | null, offset: number): AttioPlace | null {
  const last = records.at(-1);
  if (!last) return null;
  const sameTime = records.filter(({ created_at }) => created_at === last.created_at).length;
  const before = (last.created_at === since ? offset : 0) + sameTime - 1;
  return { at: last.created_at, before, id: last.id.record_id };
}

/** The body of a query for a page, in the order of creation. */
export function createPageQuery(conditions: readonly Filter[], since: string | null, offset: number): Filter {
  const all = since === null ? conditions : [{ created_at: { $gte: since } }, ...conditions];
  return {
    ...(all.length > 0 && { filter: { $and: all } }),
    sorts: [
      { attribute: 'created_at', direction: 'asc' },
      { attribute: 'record_id', direction: 'asc' },
    ],
    limit: PAGE_RECORDS,
    offset,
  };
}

/** All conditions except the time of the last change, which Attio does not store. */
export function getAttioConditions(filter: CrmFilter, attributes: readonly AttioAttribute[]): Filter[] {
  if (filter.listId !== undefined)
    throw new CrmError('unsupported', 'Reading people of an Attio list is not supported');
  return [
    ...(filter.ownerId === undefined ? [] : [createOwnerFilter(filter.ownerId)]),
    ...Object.entries(filter.fields ?? {}).map(([name, values]) => createValuesFilter(name, values, attributes)),
  ];
}

/** Attio stores addresses in lower case, so they are compared in lower case. */
export function createAttioFindQuery(emails: readonly string[]): Filter {
  return {
    filter: { $or: emails.map((email) => ({ email_addresses: email.toLowerCase() })) },
    limit: PAGE_RECORDS,
  };
}

export function createAttioReadQuery(ids: readonly string[]): Filter {
  return { filter: { record_id: { $in: ids } }, limit: PAGE_RECORDS };
}

function createOwnerFilter(memberId: string): Filter {
  return { [OWNER]: { referenced_actor_type: 'workspace-member', referenced_actor_id: memberId } };
}

function createValuesFilter(name: string, values: readonly string[], attributes: readonly AttioAttribute[]): Filter {
  const { slug, part } = splitFieldName(name);
  const attribute = attributes.find(({ api_slug }) => api_slug === slug);
  if (!attribute) throw new CrmError('unknown_field', `Attio has no attribute ${slug}`, { field: name });
  return {
    $or: values.map((text) => ({ [slug]: part === null ? filterValue(text, attribute) : { [part]: text } })),
  };
}

function filterValue(text: string, { type }: AttioAttribute): unknown {
  if (type === 'checkbox') return text === 'true';
  if (type === 'number' || type === 'rating' || type === 'currency') return Number(text);
  return text;
}
