import { CrmError } from '../port/crm.errors';
import { type CrmFilter } from '../port/crm-session';
import { type JsonRecord } from '../http/crm-response';
import { listProperties } from './hubspot-people';

/** People of one search (https://developers.hubspot.com/docs/api-reference/search/guide, "Limits"). */
export const SEARCH_PAGE = 200;
/** Filters of one group; what is beyond is looked at here. */
const MAX_FILTERS = 6;
/**
 * How much later than it happened a search may know of a change (milliseconds). The documents say "a few moments"; what is asked for again in
 * vain is found unchanged.
 */
const INDEX_LAG_MS = 5 * 60_000;

export interface HubSpotQuery {
  readonly body: JsonRecord;
  /** What the search does not look at. */
  readonly remaining: CrmFilter;
}

/** The next people by id. Ids do not change, so updates in between skip no person, and no search reaches the limit of 10,000 results. */
export function createPullQuery(filter: CrmFilter, fields: readonly string[], after: string | null): HubSpotQuery {
  const { updatedSince, ownerId } = filter;
  const own = [
    ...(after === null ? [] : [{ propertyName: 'hs_object_id', operator: 'GT', value: after }]),
    ...(updatedSince ? [{ propertyName: 'lastmodifieddate', operator: 'GTE', value: toLaggedTime(updatedSince) }] : []),
    ...(ownerId === undefined ? [] : [{ propertyName: 'hubspot_owner_id', operator: 'EQ', value: ownerId }]),
  ];
  const wanted = Object.entries(filter.fields ?? {});
  const room = MAX_FILTERS - own.length;
  const asked = wanted.slice(0, room).map(([name, values]) => toInFilter(name, values));
  const body = {
    ...(own.length + asked.length > 0 && { filterGroups: [{ filters: [...own, ...asked] }] }),
    sorts: [{ propertyName: 'hs_object_id', direction: 'ASCENDING' }],
    properties: listProperties(fields, filter),
    limit: SEARCH_PAGE,
  };
  return { body, remaining: { fields: Object.fromEntries(wanted.slice(room)) } };
}

/** People who have one of these addresses as their main or as another one. */
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

/** Texts are compared in lower case, options as they are: both are asked for, as nothing says here what the field is. */
function toInFilter(propertyName: string, values: readonly string[]): JsonRecord {
  const asked = values.flatMap((value) => [value, value.toLowerCase()]);
  return { propertyName, operator: 'IN', values: [...new Set(asked)] };
}

function toLaggedTime(since: Date): string {
  return String(since.getTime() - INDEX_LAG_MS);
}

/** Where a pull goes on: behind an id, or behind a place in the members of a list. */
export function parseCursor(cursor: string | null, isList: boolean): string | null {
  if (cursor === null) return null;
  const [, id] = (isList ? /^list:([\w+/=-]{1,200})$/ : /^id:(\d{1,20})$/).exec(cursor) ?? [];
  if (id === undefined) throw new CrmError('cursor', 'This is not a cursor of HubSpot');
  return id;
}
