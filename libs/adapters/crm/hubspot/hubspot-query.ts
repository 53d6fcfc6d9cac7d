import { CrmError } from '../port/crm.errors';
import { type CrmFilter } from '../port/crm-session';
import { type JsonRecord } from '../http/crm-response';
import { listProperties } from './hubspot-people';

/** People of one search (https://developers.hubspot.com/docs/api-reference/search/guide, "Limits"). */
export const SEARCH_PAGE = 200;
/** Maximum filters of one group; further conditions are evaluated here. */
const MAX_FILTERS = 6;
/**
 * Maximum delay after which a search finds a change (milliseconds). The documentation says "a few moments"; unchanged people in the overlap
 * do no harm.
 */
const INDEX_LAG_MS = 5 * 60_000;

export interface HubSpotQuery {
  readonly body: JsonRecord;
  /** Conditions that the search does not support. */
  readonly remaining: CrmFilter;
}

/** The next people by id. Ids do not change, so updates in between skip no person, and no search reaches the limit of 10,000 results. */
export function createHubSpotPullQuery(
  filter: CrmFilter,
  fields: readonly string[],
  after: string | null,
): HubSpotQuery {
  const { updatedSince, ownerId } = filter;
  const own = [
    ...(after === null ? [] : [{ propertyName: 'hs_object_id', operator: 'GT', value: after }]),
    ...(updatedSince ? [{ propertyName: 'lastmodifieddate', operator: 'GTE', value: toLaggedTime(updatedSince) }] : []),
    ...(ownerId === undefined ? [] : [{ propertyName: 'hubspot_owner_id', operator: 'EQ', value: ownerId }]),
  ];
  const conditions = Object.entries(filter.fields ?? {});
  const room = MAX_FILTERS - own.length;
  const filters = conditions.slice(0, room).map(([name, values]) => toInFilter(name, values));
  const body = {
    ...(own.length + filters.length > 0 && { filterGroups: [{ filters: [...own, ...filters] }] }),
    sorts: [{ propertyName: 'hs_object_id', direction: 'ASCENDING' }],
    properties: listProperties(fields, filter),
    limit: SEARCH_PAGE,
  };
  return { body, remaining: { fields: Object.fromEntries(conditions.slice(room)) } };
}

/** People with one of these addresses as their main or secondary one. */
export function createFindQuery(
  emails: readonly string[],
  fields: readonly string[],
  after: string | null,
): JsonRecord {
  // Texts are compared in lower case; one filter takes a hundred values.
  const values = [...new Set(emails.map((email) => email.toLowerCase()))];
  const last = after === null ? [] : [{ propertyName: 'hs_object_id', operator: 'GT', value: after }];
  return {
    filterGroups: [
      { filters: [{ propertyName: 'email', operator: 'IN', values }, ...last] },
      { filters: [{ propertyName: 'hs_additional_emails', operator: 'IN', values }, ...last] },
    ],
    sorts: [{ propertyName: 'hs_object_id', direction: 'ASCENDING' }],
    properties: listProperties(fields),
    limit: SEARCH_PAGE,
  };
}

/** Texts are compared in lower case, options exactly. Both forms are requested, because the type of the field is unknown here. */
function toInFilter(propertyName: string, values: readonly string[]): JsonRecord {
  const spellings = values.flatMap((value) => [value, value.toLowerCase()]);
  return { propertyName, operator: 'IN', values: [...new Set(spellings)] };
}

function toLaggedTime(since: Date): string {
  return String(since.getTime() - INDEX_LAG_MS);
}

/** The position of a pull: an id, or a position among the members of a list. */
export function parseHubSpotCursor(cursor: string | null, isList: boolean): string | null {
  if (cursor === null) return null;
  const [, id] = (isList ? /^list:([\w+/=-]{1,200})$/ : /^id:(\d{1,20})$/).exec(cursor) ?? [];
  if (id === undefined) throw new CrmError('cursor', 'This is not a cursor of HubSpot');
  return id;
}
