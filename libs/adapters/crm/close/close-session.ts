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
import { type JsonRecord, toRecord, toRecords, toText } from '../http/crm-response';
import { readInChunks, writeInChunks } from '../http/request-chunks';
import { type CrmHttpClient } from '../http/crm-http.client';
import { toCloseFields } from './close-fields';
import { listColumns, toClosePerson } from './close-people';
import {
  toAndQuery,
  type ClosePlace,
  formatCloseCursor,
  getIdEnd,
  toCreatedQuery,
  parseCloseCursor,
  SEARCH_PAGE,
  toEmailsQuery,
} from './close-query';
import { CloseSearch, type FoundContacts, matchesCloseFilter } from './close-search';
import { CloseLeadLookup, getContactPath } from './close-lead-lookup';
import { toAmbiguous, recordActivity, writeOne } from './close-writes';

/** Maximum addresses of one search: each is a separate condition. */
const FIND = 50;
/** Close has no batches; one call handles this many people. */
const CALL = 50;
/** One person per request, several concurrently: the limit of a key is some twenty requests per second. */
const ONE_BY_ONE = { size: 1, atOnce: 4 };

const LIMITS: CrmLimits = {
  page: SEARCH_PAGE,
  find: FIND,
  read: CALL,
  write: CALL,
  record: CALL,
  requestsFor: (call, count) => {
    // The next page starts with the last person of this page, so that no person with the same timestamp is skipped.
    if (call === 'pull') return Math.max(1, Math.ceil(count / (SEARCH_PAGE - 1)));
    if (call === 'find') return Math.ceil(count / FIND);
    // A note needs the lead of its contact, which takes a request.
    return call === 'record' ? count + Math.min(count, 1) : count;
  },
};

/** One account of Close. */
export class CloseSession implements CrmSession {
  readonly limits = LIMITS;
  readonly #search: CloseSearch;
  readonly #leads: CloseLeadLookup;

  constructor(private readonly http: CrmHttpClient) {
    this.#search = new CloseSearch(http);
    this.#leads = new CloseLeadLookup(http);
  }

  get requests(): number {
    return this.http.requests;
  }

  get cooldownUntil(): Date | null {
    return this.http.cooldownUntil;
  }

  /** https://developer.close.com/api/resources/users/me: a key or token belongs to one organisation. */
  async identity(signal?: AbortSignal): Promise<CrmIdentity> {
    const { json } = await this.http.send({ method: 'GET', path: '/api/v1/me/' }, signal);
    const [organization = {}] = toRecords(toRecord(json)['organizations']);
    const accountId = toText(organization['id']);
    if (accountId === null) throw new CrmError('protocol', 'Close returned no account');
    return { accountId, accountName: toText(organization['name']) ?? accountId };
  }

  async fields(signal?: AbortSignal): Promise<readonly CrmField[]> {
    return toCloseFields(await this.#search.customFields(signal));
  }

  async pull({ filter, fields, cursor }: CrmPull, signal?: AbortSignal): Promise<CrmPage> {
    const place = parseCloseCursor(cursor);
    const conditions = await this.#search.conditions(filter, signal);
    const query = toAndQuery(...conditions, ...(place ? [toCreatedQuery(place.since)] : []));
    const columns = listColumns([...fields, ...Object.keys(filter.fields ?? {})]);
    const { page, fresh } = await this.#freshPage(query, columns, place, signal);
    const wantsCompany = fields.includes('lead_name') || Object.hasOwn(filter.fields ?? {}, 'lead_name');
    const leadNames = wantsCompany ? await this.#leadNames(fresh, conditions, signal) : new Map<string, string>();
    const meant = fresh.filter((contact) => matchesCloseFilter(contact, filter, leadNames));
    return {
      people: meant.flatMap((contact) => toClosePerson(contact, fields, leadNames) ?? []),
      cursor: page.cursor === null ? null : formatCloseCursor(getNextPlace(page.contacts, place)),
      total: place === null ? page.total : null,
    };
  }

  async find(
    emails: readonly string[],
    fields: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly CrmPerson[]> {
    if (emails.length === 0) return [];
    const query = toEmailsQuery(emails);
    const found: JsonRecord[] = [];
    for await (const { contacts } of this.#search.pages(query, listColumns(fields), signal)) found.push(...contacts);
    const needsNames = fields.includes('lead_name') && found.length > 0;
    const leadNames = needsNames ? await this.#search.leadNames(query, signal) : new Map<string, string>();
    return found.flatMap((contact) => toClosePerson(contact, fields, leadNames) ?? []);
  }

  async read(ids: readonly string[], fields: readonly string[], signal?: AbortSignal): Promise<readonly CrmPerson[]> {
    const contacts = await readInChunks(ids, ONE_BY_ONE, ([id = '']) => this.#contact(id, fields, signal));
    const leadIds = contacts.flatMap((contact) => toText(contact['lead_id']) ?? []);
    const namedIds = fields.includes('lead_name') ? [...new Set(leadIds)] : [];
    const leads = await readInChunks(namedIds, ONE_BY_ONE, ([id = '']) => this.#lead(id, signal));
    return contacts.flatMap((contact) => toClosePerson(contact, fields, new Map(leads)) ?? []);
  }

  write(people: readonly CrmWrite[], signal?: AbortSignal): Promise<readonly CrmWritten[]> {
    const write = (piece: readonly CrmWrite[]) => Promise.all(piece.map((one) => writeOne(this.http, one, signal)));
    return writeInChunks(people, ONE_BY_ONE, write, toAmbiguous);
  }

  record(activities: readonly CrmActivity[], signal?: AbortSignal): Promise<readonly CrmRecorded[]> {
    const record = (piece: readonly CrmActivity[]) =>
      Promise.all(piece.map((one) => recordActivity(this.http, this.#leads, one, signal)));
    return writeInChunks(activities, ONE_BY_ONE, record, toAmbiguous);
  }

  async #contact(id: string, fields: readonly string[], signal?: AbortSignal): Promise<JsonRecord[]> {
    const path = getContactPath(id);
    if (path === null) return [];
    const query = { _fields: listColumns(fields).join(',') };
    const { status, json } = await this.http.send({ method: 'GET', path, query, takes: [404] }, signal);
    if (status === 404) return [];
    const contact = toRecord(json);
    if (toText(contact['id']) === null) throw new CrmError('protocol', 'Close answered without a contact');
    const leadId = toText(contact['lead_id']);
    if (leadId !== null) this.#leads.cache(id, leadId);
    return [contact];
  }

  async #lead(id: string, signal?: AbortSignal): Promise<[string, string][]> {
    const path = `/api/v1/lead/${encodeURIComponent(id)}/`;
    const { json } = await this.http.send({ method: 'GET', path, query: { _fields: 'id,name' }, takes: [404] }, signal);
    return [[id, toText(toRecord(json)['name']) ?? '']];
  }

  /** The first page with a person that was not returned before. */
  async #freshPage(query: JsonRecord, columns: readonly string[], place: ClosePlace | null, signal?: AbortSignal) {
    for await (const page of this.#search.pages(query, columns, signal)) {
      const fresh = listNewContacts(page, place);
      if (fresh.length > 0 || page.cursor === null) return { page, fresh };
    }
    throw new CrmError('protocol', 'Close returned a list without an end');
  }

  /** Companies of a page in one search: those of the contacts created between its first and its last. */
  async #leadNames(
    contacts: readonly JsonRecord[],
    conditions: readonly JsonRecord[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, string>> {
    const [from, to] = [contacts.at(0), contacts.at(-1)].map((contact) => toText(contact?.['date_created']));
    if (!from || !to) return new Map();
    const before = new Date(Date.parse(to) + 1_000).toISOString();
    return this.#search.leadNames(toAndQuery(...conditions, toCreatedQuery(from, before)), signal);
  }
}

function listNewContacts({ contacts }: FoundContacts, place: ClosePlace | null): readonly JsonRecord[] {
  if (place === null) return contacts;
  const idEnds = new Set(place.idEnds);
  return contacts.filter(({ id, date_created: at }) => at !== place.since || !idEnds.has(getIdEnd(toText(id) ?? '')));
}

function getNextPlace(contacts: readonly JsonRecord[], place: ClosePlace | null): ClosePlace {
  const since = toText(contacts.at(-1)?.['date_created']) ?? '';
  const ofMoment = contacts.filter(({ date_created: at }) => at === since).map(({ id }) => getIdEnd(toText(id) ?? ''));
  const before = place?.since === since ? place.idEnds : [];
  return { since, idEnds: [...new Set([...before, ...ofMoment])] };
}
