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
import { type CrmAnswer, type JsonRecord, listIn, toRecord, toText } from '../http/crm-response';
import { type CrmHttpClient } from '../http/crm-http.client';
import { toFields } from './hubspot-fields';
import { isMeant, toPerson, propertiesFor } from './hubspot-people';
import { findQuery, placeIn, pullQuery, SEARCH_PAGE } from './hubspot-query';
import { recordActivities, writePeople } from './hubspot-writes';

const CONTACTS = '/crm/v3/objects/contacts';
/** Records of one batch (https://developers.hubspot.com/docs/api-reference/crm-contacts-v3/guide). */
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

  constructor(private readonly rest: CrmHttpClient) {}

  get requests(): number {
    return this.rest.requests;
  }

  get restUntil(): Date | null {
    return this.rest.restUntil;
  }

  /** https://developers.hubspot.com/docs/api-reference/account-account-info-v3/guide: an account has a number and a domain, and no name. */
  async identity(signal?: AbortSignal): Promise<CrmIdentity> {
    const { json } = await this.rest.send({ method: 'GET', path: '/account-info/v3/details' }, signal);
    const { portalId, uiDomain } = toRecord(json);
    const accountId = typeof portalId === 'number' ? String(portalId) : toText(portalId);
    if (accountId === null) throw new CrmError('protocol', 'HubSpot did not say whose account this is');
    return { accountId, accountName: `${toText(uiDomain) ?? 'app.hubspot.com'} ${accountId}` };
  }

  async fields(signal?: AbortSignal): Promise<readonly CrmField[]> {
    const { json } = await this.rest.send({ method: 'GET', path: '/crm/v3/properties/contacts' }, signal);
    return toFields(json);
  }

  async pull(request: CrmPull, signal?: AbortSignal): Promise<CrmPage> {
    const { filter, fields, cursor } = request;
    if (filter.listId !== undefined) return this.#pullList(request, filter.listId, signal);
    const after = placeIn(cursor, false);
    const { body, rest } = pullQuery(filter, fields, after);
    const { records, total, next } = await this.#search(body, after, signal);
    return {
      people: peopleOf(
        records.filter((record) => isMeant(record, rest)),
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
      const { records, next } = await this.#search(findQuery(emails, fields, after), after, signal);
      found.push(...peopleOf(records, fields));
      if (next === null) return found;
      after = next;
    }
  }

  async read(ids: readonly string[], fields: readonly string[], signal?: AbortSignal): Promise<readonly CrmPerson[]> {
    // Other text is no id of HubSpot and would make the whole batch wrong.
    const inputs = ids.filter((id) => /^\d{1,20}$/.test(id)).map((id) => ({ id }));
    if (inputs.length === 0) return [];
    return peopleOf(await this.#read(inputs, propertiesFor(fields), signal), fields);
  }

  write(people: readonly CrmWrite[], signal?: AbortSignal): Promise<readonly CrmWritten[]> {
    return writePeople(this.rest, people, BATCH, signal);
  }

  record(activities: readonly CrmActivity[], signal?: AbortSignal): Promise<readonly CrmRecorded[]> {
    return recordActivities(this.rest, activities, BATCH, signal);
  }

  async #search(body: JsonRecord, after: string | null, signal?: AbortSignal): Promise<HubSpotPage> {
    const answer = await this.rest.send({ method: 'POST', path: `${CONTACTS}/search`, body, isRead: true }, signal);
    return pageIn(answer, after);
  }

  async #read(
    inputs: readonly JsonRecord[],
    properties: readonly string[],
    signal?: AbortSignal,
  ): Promise<JsonRecord[]> {
    const path = `${CONTACTS}/batch/read`;
    // Some who are not there: 207 with the others; none there: 404.
    const asked = { method: 'POST', path, body: { properties, inputs }, isRead: true, takes: [404] } as const;
    const { status, json } = await this.rest.send(asked, signal);
    return status === 404 ? [] : listIn(toRecord(json)['results'], 'HubSpot');
  }

  /**
   * Members come as ids, in an order of their own; they are read in a second request, and all other conditions are looked at here
   * (https://developers.hubspot.com/docs/api-reference/crm-lists-v3/guide, "Retrieve the records in a list").
   */
  async #pullList({ filter, fields, cursor }: CrmPull, listId: string, signal?: AbortSignal): Promise<CrmPage> {
    const after = placeIn(cursor, true) ?? undefined;
    const path = `/crm/v3/lists/${encodeURIComponent(listId)}/memberships`;
    const { json } = await this.rest.send({ method: 'GET', path, query: { limit: BATCH, after } }, signal);
    const { results, paging } = toRecord(json);
    const inputs = listIn(results, 'HubSpot').flatMap(({ recordId }) => {
      const id = typeof recordId === 'number' ? String(recordId) : toText(recordId);
      return id === null ? [] : [{ id }];
    });
    const records = inputs.length === 0 ? [] : await this.#read(inputs, propertiesFor(fields, filter), signal);
    const next = toText(toRecord(toRecord(paging)['next'])['after']);
    if (next !== null && next === after) throw new CrmError('protocol', 'HubSpot gives a list that has no end');
    return {
      people: peopleOf(
        records.filter((record) => isMeant(record, filter)),
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
  /** Id behind which the next page begins; null when this was the last. */
  readonly next: string | null;
}

/** @throws CrmError `protocol` when it is no page, or one that does not lead further than `after` */
function pageIn({ json }: CrmAnswer, after: string | null): HubSpotPage {
  const { results, total, paging } = toRecord(json);
  const records = listIn(results, 'HubSpot');
  const isEnd = toRecord(toRecord(paging)['next'])['after'] === undefined;
  const last = toText(records.at(-1)?.['id']);
  const isFurther = last !== null && /^\d{1,20}$/.test(last) && (after === null || BigInt(last) > BigInt(after));
  if (!isEnd && !isFurther) throw new CrmError('protocol', 'HubSpot gives a list that has no end');
  return { records, total: typeof total === 'number' ? total : null, next: isEnd ? null : last };
}

function peopleOf(records: readonly JsonRecord[], fields: readonly string[]): CrmPerson[] {
  return records.flatMap((record) => toPerson(record, fields) ?? []);
}
