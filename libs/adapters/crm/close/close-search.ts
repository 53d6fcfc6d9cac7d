import { CrmError } from '../port/crm.errors';
import { type CrmFilter } from '../port/crm-session';
import { type JsonRecord, requireRecords, toRecord, toText } from '../http/crm-response';
import { type CrmHttpClient } from '../http/crm-http.client';
import { CUSTOM, isCloseField, SEARCHED } from './close-fields';
import { getCloseValue } from './close-people';
import { toChangedSinceQuery, createContactSearch, createLeadSearch, toFieldQuery } from './close-query';

/** Maximum custom fields of one request. */
const CUSTOM_FIELDS_PAGE = 100;
/** Maximum pages of one lookup: Close returns at most 10,000 results, so a cursor beyond them is invalid. */
const MAX_PAGES = 51;
const TEXTS: ReadonlySet<unknown> = new Set(['text', 'textarea']);

export interface FoundContacts {
  readonly contacts: readonly JsonRecord[];
  /** A cursor of Close, valid for thirty seconds. */
  readonly cursor: string | null;
  readonly total: number | null;
}

/** Searches in one account of Close, with the account data that they need. */
export class CloseSearch {
  /** The custom fields of the account, after the first request. */
  #customs: readonly JsonRecord[] | null = null;
  readonly #views = new Map<string, JsonRecord>();

  constructor(private readonly http: CrmHttpClient) {}

  async #contacts(
    query: JsonRecord,
    columns: readonly string[],
    cursor: string | null,
    signal?: AbortSignal,
  ): Promise<FoundContacts> {
    const json = await this.#search(createContactSearch(query, columns, cursor), signal);
    const { total } = toRecord(json['count']);
    return {
      contacts: requireRecords(json['data'], 'Close'),
      cursor: toText(json['cursor']),
      total: typeof total === 'number' ? total : null,
    };
  }

  /** The requested pages of one query. */
  async *pages(query: JsonRecord, columns: readonly string[], signal?: AbortSignal): AsyncGenerator<FoundContacts> {
    let cursor: string | null = null;
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      const page = await this.#contacts(query, columns, cursor, signal);
      yield page;
      ({ cursor } = page);
      if (cursor === null) return;
    }
    throw createEndlessListError();
  }

  /** Names of the leads of contacts, by the leads' ids. */
  async leadNames(contacts: JsonRecord, signal?: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const names = new Map<string, string>();
    let cursor: string | null = null;
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      const json = await this.#search(createLeadSearch(contacts, cursor), signal);
      for (const { id, name } of requireRecords(json['data'], 'Close')) names.set(toText(id) ?? '', toText(name) ?? '');
      cursor = toText(json['cursor']);
      if (cursor === null) return names;
    }
    throw createEndlessListError();
  }

  /** https://developer.close.com/api/resources/custom-fields/custom-fields-contact/list */
  async customFields(signal?: AbortSignal): Promise<readonly JsonRecord[]> {
    const fields: JsonRecord[] = [];
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      const query = { _limit: CUSTOM_FIELDS_PAGE, _skip: fields.length };
      const { json } = await this.http.send({ method: 'GET', path: '/api/v1/custom_field/contact/', query }, signal);
      fields.push(...requireRecords(toRecord(json)['data'], 'Close'));
      if (toRecord(json)['has_more'] !== true) return (this.#customs = fields);
    }
    throw createEndlessListError();
  }

  /** @throws CrmError `unsupported`, `unknown_field` */
  async conditions(filter: CrmFilter, signal?: AbortSignal): Promise<JsonRecord[]> {
    if (filter.ownerId !== undefined) throw new CrmError('unsupported', 'Contacts have no owner at Close');
    const conditions: JsonRecord[] = [];
    if (filter.listId !== undefined) conditions.push(await this.#view(filter.listId, signal));
    if (filter.updatedSince) conditions.push(toChangedSinceQuery(filter.updatedSince));
    for (const [name, values] of Object.entries(filter.fields ?? {})) {
      if (!isCloseField(name)) throw new CrmError('unknown_field', 'Close has no such field', { field: name });
      if (SEARCHED.has(name)) conditions.push(toFieldQuery(name, values, true));
      else if (CUSTOM.test(name)) conditions.push(toFieldQuery(name, values, await this.#isText(name, signal)));
    }
    return conditions.length === 0 ? [{ type: 'match_all' }] : conditions;
  }

  async #isText(name: string, signal?: AbortSignal): Promise<boolean> {
    const customs = this.#customs ?? (await this.customFields(signal));
    const custom = customs.find(({ id }) => `custom.${toText(id) ?? ''}` === name);
    if (!custom) throw new CrmError('unknown_field', 'Close has no such field', { field: name });
    return TEXTS.has(custom['type']);
  }

  /** A smart view of contacts is a saved query (https://developer.close.com/api/resources/smart-views). */
  async #view(id: string, signal?: AbortSignal): Promise<JsonRecord> {
    const known = this.#views.get(id);
    if (known) return known;
    const path = `/api/v1/saved_search/${encodeURIComponent(id)}/`;
    const { json } = await this.http.send({ method: 'GET', path }, signal);
    const { type, s_query: saved } = toRecord(json);
    if (type !== 'contact') throw new CrmError('unsupported', 'This smart view of Close does not contain contacts');
    const query = toRecord(toRecord(saved)['query']);
    this.#views.set(id, query);
    return query;
  }

  async #search(body: JsonRecord, signal?: AbortSignal): Promise<JsonRecord> {
    const path = '/api/v1/data/search/';
    return toRecord((await this.http.send({ method: 'POST', path, body, isRead: true }, signal)).json);
  }
}

function createEndlessListError(): CrmError {
  return new CrmError('protocol', 'Close returned a list without an end');
}

/** Conditions that the API cannot search. */
export function matchesCloseFilter(
  contact: JsonRecord,
  { fields = {} }: CrmFilter,
  leadNames: ReadonlyMap<string, string>,
): boolean {
  return Object.entries(fields).every(([name, values]) => {
    if (SEARCHED.has(name) || CUSTOM.test(name)) return true;
    const stored =
      name === 'lead_name' ? leadNames.get(toText(contact['lead_id']) ?? '') : getCloseValue(contact, name);
    return typeof stored === 'string' && values.some((value) => value.toLowerCase() === stored.toLowerCase());
  });
}
