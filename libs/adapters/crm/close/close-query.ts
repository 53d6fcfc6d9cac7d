import { CrmError } from '../port/crm.errors';
import { type JsonRecord, toRecord } from '../http/crm-response';
import { CUSTOM } from './close-fields';

/** People of one search (https://developer.close.com/api/resources/advanced-filtering, "Pagination"). */
export const SEARCH_PAGE = 200;
/** Maximum delay after which a search finds a change (milliseconds). */
const INDEX_LAG_MS = 5 * 60_000;

const CREATED = { type: 'regular_field', object_type: 'contact', field_name: 'date_created' };

/** The position of a pull: the creation time to continue at, without the people already returned. */
export interface ClosePlace {
  /** As returned by Close, in microseconds. */
  readonly since: string;
  /** The id endings of the returned people with this creation time. */
  readonly idEnds: readonly string[];
}

export function toAndQuery(...queries: readonly JsonRecord[]): JsonRecord {
  return { type: 'and', queries };
}

export function toCreatedQuery(since: string, before?: string): JsonRecord {
  return toRangeCondition(CREATED, {
    on_or_after: toFixedUtc(since),
    ...(before !== undefined && { before: toFixedUtc(before) }),
  });
}

export function toChangedSinceQuery(at: Date): JsonRecord {
  const field = { ...CREATED, field_name: 'date_updated' };
  return toRangeCondition(field, { on_or_after: toFixedUtc(new Date(at.getTime() - INDEX_LAG_MS).toISOString()) });
}

function toRangeCondition(field: JsonRecord, range: JsonRecord): JsonRecord {
  return { type: 'field_condition', field, condition: { type: 'moment_range', ...range } };
}

function toFixedUtc(value: string): JsonRecord {
  return { type: 'fixed_utc', value };
}

/** @param isText how the values of the field are matched: as whole texts or as names of choices */
export function toFieldQuery(name: string, values: readonly string[], isText: boolean): JsonRecord {
  const [, custom] = CUSTOM.exec(name) ?? [];
  const field =
    custom === undefined
      ? { type: 'regular_field', object_type: 'contact', field_name: name }
      : { type: 'custom_field', custom_field_id: custom };
  if (!isText) return { type: 'field_condition', field, condition: { type: 'term', values } };
  const conditions = values.map((value) => ({ type: 'text', mode: 'exact_value', value }));
  return { type: 'or', queries: conditions.map((condition) => ({ type: 'field_condition', field, condition })) };
}

/** Contacts with at least one of these addresses. */
export function toEmailsQuery(emails: readonly string[]): JsonRecord {
  const field = { type: 'regular_field', object_type: 'contact_email', field_name: 'email' };
  const queries = emails.map((email) => ({
    type: 'has_related',
    this_object_type: 'contact',
    related_object_type: 'contact_email',
    related_query: {
      type: 'field_condition',
      field,
      condition: { type: 'text', mode: 'exact_value', value: email.toLowerCase() },
    },
  }));
  return { type: 'or', queries };
}

/**
 * Contacts in the order of creation, which does not change. A cursor of Close is valid for thirty seconds and a query returns at most ten
 * thousand contacts: each page is a separate query, and a cursor is used within one call only.
 */
export function createContactSearch(query: JsonRecord, columns: readonly string[], cursor: string | null): JsonRecord {
  return {
    query: toAndQuery({ type: 'object_type', object_type: 'contact' }, query),
    sort: [{ direction: 'asc', field: CREATED }],
    _fields: { contact: columns },
    _limit: SEARCH_PAGE,
    include_counts: true,
    ...(cursor !== null && { cursor }),
  };
}

/** The leads (companies) of those contacts. */
export function createLeadSearch(contacts: JsonRecord, cursor: string | null): JsonRecord {
  const related = { this_object_type: 'lead', related_object_type: 'contact', related_query: contacts };
  return {
    query: toAndQuery({ type: 'object_type', object_type: 'lead' }, { type: 'has_related', ...related }),
    _fields: { lead: ['id', 'name'] },
    _limit: SEARCH_PAGE,
    ...(cursor !== null && { cursor }),
  };
}

export function formatCloseCursor({ since, idEnds }: ClosePlace): string {
  return Buffer.from(JSON.stringify({ since, seen: idEnds })).toString('base64url');
}

export function parseCloseCursor(cursor: string | null): ClosePlace | null {
  if (cursor === null) return null;
  const { since, seen: idEnds } = toRecord(parseJson(Buffer.from(cursor, 'base64url').toString('utf8')));
  const isPlace = typeof since === 'string' && !Number.isNaN(Date.parse(since)) && Array.isArray(idEnds);
  if (!isPlace) throw new CrmError('cursor', 'This is not a cursor of Close');
  return { since, idEnds: idEnds.filter((end): end is string => typeof end === 'string') };
}

/** A part of an id that is unique among contacts with one creation time. */
export function getIdEnd(id: string): string {
  return id.slice(-10);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
