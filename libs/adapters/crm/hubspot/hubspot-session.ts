import { CrmError } from '../port/crm.errors';
import { type CrmField, type CrmPerson } from '../port/crm-person';
import {
  type CrmActivity,
  type CrmIdentity,
  type CrmLimits,
  type CrmPage,
  type CrmPull,
  type CrmRecorded,
  type CrmSession,
  type CrmWrite,
  type CrmWritten,
} from '../port/crm-session';
import { type CrmAnswer, type JsonRecord, requireRecords, toRecord, toText } from '../http/crm-response';
import { type CrmHttpClient } from '../http/crm-http.client';
import { toHubSpotFields } from './hubspot-fields';
import { matchesHubSpotFilter, toHubSpotPerson, listProperties } from './hubspot-people';
import { createFindQuery, parseHubSpotCursor, createHubSpotPullQuery, SEARCH_PAGE } from './hubspot-query';
import { recordActivities, writePeople } from './hubspot-writes';

const CONTACTS = '/crm/v3/objects/contacts';
/** Maximum records of one batch (https://developers.hubspot.com/docs/api-reference/crm-contacts-v3/guide). */
const BATCH = 100;

const LIMITS: CrmLimits = {
  page: SEARCH_PAGE,
  find: BATCH,
  read: BATCH,
  write: BATCH,
  record: BATCH,
  requestsFor: (call, count) =>
    call === 'pull' ? Math.max(1, Math.ceil(count / SEARCH_PAGE)) : Math.ceil(count / BATCH),
};

/** One account of HubSpot. */
export class HubSpotSession implements CrmSession {
  readonly limits = LIMITS;

  constructor(private readonly http: CrmHttpClient) {}

  get requests(): number {
    return this.http.requests;
  }

  get cooldownUntil(): Date | null {
    return this.http.cooldownUntil;
  }

  /** https://developers.hubspot.com/docs/api-reference/account-account-info-v3/guide: an account has a number and a domain but no name. */
  async identity(signal?: AbortSignal): Promise<CrmIdentity> {
    const { json } = await this.http.send({ method: 'GET', path: '/account-info/v3/details' }, signal);
    const { portalId, uiDomain } = toRecord(json);
    const accountId = typeof portalId === 'number' ? String(portalId) : toText(portalId);
    if (accountId === null) throw new CrmError('protocol', 'HubSpot returned no account');
    return { accountId, accountName: `${toText(uiDomain) ?? 'app.hubspot.com'} ${accountId}` };
  }

  async fields(signal?: AbortSignal): Promise<readonly CrmField[]> {
    const { json } = await this.http.send({ method: 'GET', path: '/crm/v3/properties/contacts' }, signal);
    return toHubSpotFields(json);
  }

  async pull(request: CrmPull, signal?: AbortSignal): Promise<CrmPage> {
    const { filter, fields, cursor } = request;
    if (filter.listId !== undefined) return this.#pullList(request, filter.listId, signal);
    const after = parseHubSpotCursor(cursor, false);
    const { body, remaining } = createHubSpotPullQuery(filter, fields, after);
    const { records, total, next } = await this.#search(body, after, signal);
    return {
      people: toPeople(
        records.filter((record) => matchesHubSpotFilter(record, remaining)),
        fields,
      ),
      cursor: next === null ? null : `id:${next}`,
      total: after === null ? total : null,
    };
  }

  async find(
    emails: readonly string[],
    fields: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly CrmPerson[]> {
    if (emails.length === 0) return [];
    const found: CrmPerson[] = [];
    for (let after: string | null = null; ;) {
      const { records, next } = await this.#search(createFindQuery(emails, fields, after), after, signal);
      found.push(...toPeople(records, fields));
      if (next === null) return found;
      after = next;
    }
  }

  async read(ids: readonly string[], fields: readonly string[], signal?: AbortSignal): Promise<readonly CrmPerson[]> {
    // Any other text is no id of HubSpot and would make the whole batch invalid.
    const inputs = ids.filter((id) => /^\d{1,20}$/.test(id)).map((id) => ({ id }));
    if (inputs.length === 0) return [];
    return toPeople(await this.#read(inputs, listProperties(fields), signal), fields);
  }

  write(people: readonly CrmWrite[], signal?: AbortSignal): Promise<readonly CrmWritten[]> {
    return writePeople(this.http, people, BATCH, signal);
  }

  record(activities: readonly CrmActivity[], signal?: AbortSignal): Promise<readonly CrmRecorded[]> {
    return recordActivities(this.http, activities, BATCH, signal);
  }

  async #search(body: JsonRecord, after: string | null, signal?: AbortSignal): Promise<HubSpotPage> {
    const answer = await this.http.send({ method: 'POST', path: `${CONTACTS}/search`, body, isRead: true }, signal);
    return parsePage(answer, after);
  }

  async #read(
    inputs: readonly JsonRecord[],
    properties: readonly string[],
    signal?: AbortSignal,
  ): Promise<JsonRecord[]> {
    const path = `${CONTACTS}/batch/read`;
    // Some missing people: 207 with the others; all missing: 404.
    const request = { method: 'POST', path, body: { properties, inputs }, isRead: true, takes: [404] } as const;
    const { status, json } = await this.http.send(request, signal);
    return status === 404 ? [] : requireRecords(toRecord(json)['results'], 'HubSpot');
  }

  /**
   * The API returns members as ids in its own order; a second request reads them, and all other conditions are evaluated here
   * (https://developers.hubspot.com/docs/api-reference/crm-lists-v3/guide, "Retrieve the records in a list").
   */
  async #pullList({ filter, fields, cursor }: CrmPull, listId: string, signal?: AbortSignal): Promise<CrmPage> {
    const after = parseHubSpotCursor(cursor, true) ?? undefined;
    const path = `/crm/v3/lists/${encodeURIComponent(listId)}/memberships`;
    const { json } = await this.http.send({ method: 'GET', path, query: { limit: BATCH, after } }, signal);
    const { results, paging } = toRecord(json);
    const inputs = requireRecords(results, 'HubSpot').flatMap(({ recordId }) => {
      const id = typeof recordId === 'number' ? String(recordId) : toText(recordId);
      return id === null ? [] : [{ id }];
    });
    const records = inputs.length === 0 ? [] : await this.#read(inputs, listProperties(fields, filter), signal);
    const next = toText(toRecord(toRecord(paging)['next'])['after']);
    if (next !== null && next === after) throw new CrmError('protocol', 'HubSpot returned a list without an end');
    return {
      people: toPeople(
        records.filter((record) => matchesHubSpotFilter(record, filter)),
        fields,
      ),
      cursor: next === null ? null : `list:${next}`,
      total: null,
    };
  }
}

interface HubSpotPage {
  readonly records: readonly JsonRecord[];
  readonly total: number | null;
  /** The id that the next page follows; null after the last page. */
  readonly next: string | null;
}

/** @throws CrmError `protocol` when it is no page, or one that does not lead further than `after` */
function parsePage({ json }: CrmAnswer, after: string | null): HubSpotPage {
  const { results, total, paging } = toRecord(json);
  const records = requireRecords(results, 'HubSpot');
  const isEnd = toRecord(toRecord(paging)['next'])['after'] === undefined;
  const last = toText(records.at(-1)?.['id']);
  const isFurther = last !== null && /^\d{1,20}$/.test(last) && (after === null || BigInt(last) > BigInt(after));
  if (!isEnd && !isFurther) throw new CrmError('protocol', 'HubSpot returned a list without an end');
  return { records, total: typeof total === 'number' ? total : null, next: isEnd ? null : last };
}

function toPeople(records: readonly JsonRecord[], fields: readonly string[]): CrmPerson[] {
  return records.flatMap((record) => toHubSpotPerson(record, fields) ?? []);
}
