import { CrmError } from '../port/crm.errors';
import { type CrmField, type CrmPerson } from '../port/crm-person';
import {
  type CrmActivity,
  type CrmFilter,
  type CrmIdentity,
  type CrmLimits,
  type CrmPage,
  type CrmPull,
  type CrmRecorded,
  type CrmSession,
  type CrmWrite,
  type CrmWritten,
} from '../port/crm-session';
import { type CrmAnswer, parseDate, type JsonRecord, toRecord, toRecords, toText } from '../http/crm-response';
import { readInChunks, writeInChunks } from '../http/request-chunks';
import { type CrmRequest, type CrmHttpClient } from '../http/crm-http.client';
import { getPipedriveCallFault, getFault, REQUESTS_AT_ONCE } from './pipedrive-dialect';
import { toPipedriveActivityRefusal, toPipedriveRefusal } from './pipedrive.errors';
import {
  getActivity,
  toPipedriveBody,
  listIncludedFields,
  matchesPipedriveFilter,
  needsPerson,
  toPipedriveNote,
  toPersonId,
  toPipedrivePerson,
  type PipedrivePerson,
} from './pipedrive-people';
import { isListed, PersonSchema } from './person-schema';

const PERSONS = '/api/v2/persons';

/** Maximum entries of one page, ids of one lookup, and named custom fields of one request (API Reference, "Get all persons"). */
const PAGE_SIZE = 500;
const IDS_AT_ONCE = 100;
const MAX_CUSTOM_FIELDS = 15;
/** Maximum pages of a list that is read completely: more indicate a fault. */
const MAX_PAGES = 20;

/** Concurrent requests: the smallest plan allows twenty in two seconds, and every plan ten searches. */
const WRITES_AT_ONCE = 3;
const READS_AT_ONCE = 2;

/** Maximum organisation names cached per session. */
const MAX_ORGANISATIONS = 10_000;

/** Statuses that refuse one person or activity, not the call. */
const REFUSALS = [400, 403, 404, 409, 410, 422];

const LIMITS: CrmLimits = {
  page: PAGE_SIZE,
  find: REQUESTS_AT_ONCE,
  read: IDS_AT_ONCE,
  write: REQUESTS_AT_ONCE,
  record: REQUESTS_AT_ONCE,
  requestsFor: (call, count) => {
    if (call === 'pull') return Math.max(1, Math.ceil(count / PAGE_SIZE));
    if (call === 'read') return Math.ceil(count / IDS_AT_ONCE);
    // A search returns an address and an id; the people are read in batches of a hundred.
    return call === 'find' ? count + Math.ceil(count / IDS_AT_ONCE) : count;
  },
};

/** Persons of a Pipedrive company by version 2 of its API, and version 1 for notes and the user, which version 2 lacks. */
export class PipedriveSession implements CrmSession {
  readonly limits = LIMITS;
  #schema: PersonSchema | null = null;
  readonly #organisations = new Map<number, string>();
  /** Searches have their own window, which other responses do not report. */
  #searchCooldownUntil: Date | null = null;

  constructor(
    private readonly http: CrmHttpClient,
    private readonly now: () => Date,
  ) {}

  get requests(): number {
    return this.http.requests;
  }

  get cooldownUntil(): Date | null {
    const { cooldownUntil } = this.http;
    const searches = this.#searchCooldownUntil;
    if (searches === null || searches <= this.now()) return cooldownUntil;
    return cooldownUntil !== null && cooldownUntil > searches ? cooldownUntil : searches;
  }

  async identity(signal?: AbortSignal): Promise<CrmIdentity> {
    const { json } = await this.http.send({ method: 'GET', path: '/api/v1/users/me' }, signal);
    const { company_id: id, company_name: name } = toRecord(toRecord(json)['data']);
    if (typeof id !== 'number') throw new CrmError('protocol', 'Pipedrive returned no company');
    return { accountId: String(id), accountName: toText(name) ?? '' };
  }

  async fields(signal?: AbortSignal): Promise<readonly CrmField[]> {
    const listed = await this.#listed('/api/v2/personFields', {}, signal);
    this.#schema = new PersonSchema(listed.flatMap((entry) => (isListed(entry) ? [entry] : [])));
    return this.#schema.all;
  }

  /**
   * In the order of ids, which never change. The cursor is Pipedrive's own: it contains the next id, and Pipedrive stores nothing for it.
   */
  async pull({ filter, fields, cursor }: CrmPull, signal?: AbortSignal): Promise<CrmPage> {
    if (cursor !== null && !/^[\w=-]{1,1000}$/.test(cursor)) {
      throw new CrmError('cursor', 'This is not a cursor of Pipedrive');
    }
    const schema = await this.#known(signal);
    const columns = [...new Set([...fields, ...Object.keys(filter.fields ?? {})])];
    const query = {
      limit: PAGE_SIZE,
      sort_by: 'id',
      sort_direction: 'asc',
      cursor: cursor ?? undefined,
      ...toFilters(filter),
      ...this.#selection(columns, schema),
    };
    const { entries, next } = await this.#page(PERSONS, query, signal);
    const people = await this.#peopleOf(entries, columns, schema, signal);
    const named = (person: CrmPerson): CrmPerson =>
      columns.length === fields.length
        ? person
        : { ...person, fields: Object.fromEntries(fields.map((name) => [name, person.fields[name] ?? null])) };
    return {
      people: people.filter((person) => matchesPipedriveFilter(person, filter)).map(named),
      cursor: next,
      total: null,
    };
  }

  /** A search takes one address. Its results are read by id and compared again, because a search may lag. */
  async find(
    emails: readonly string[],
    fields: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly CrmPerson[]> {
    const addresses = new Set(emails.map((email) => email.trim().toLowerCase()).filter((email) => email !== ''));
    if (addresses.size === 0) return [];
    const ids = await readInChunks([...addresses], { size: 1, atOnce: READS_AT_ONCE }, async ([term = '']) => {
      const found = await this.#listed(`${PERSONS}/search`, { term, fields: 'email', exact_match: 'true' }, signal);
      return found.flatMap(({ item }) => getResponseId(toRecord(item)['id']));
    });
    this.#searchCooldownUntil = this.http.cooldownUntil;
    const people = await this.#read([...new Set(ids)], fields, signal);
    return people.filter(({ emails: own }) => own.some((email) => addresses.has(email.trim().toLowerCase())));
  }

  async read(
    externalIds: readonly string[],
    fields: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly CrmPerson[]> {
    return this.#read([...new Set(externalIds.flatMap((id) => toPersonId(id) ?? []))], fields, signal);
  }

  /** One request per item, a few concurrently. */
  async write(people: readonly CrmWrite[], signal?: AbortSignal): Promise<readonly CrmWritten[]> {
    if (people.length === 0) return [];
    const schema = await this.#known(signal);
    const needed = people.filter(needsPerson).flatMap(({ externalId }) => toPersonId(externalId ?? '') ?? []);
    const present = new Map((await this.#raw([...new Set(needed)], {}, signal)).map((person) => [person.id, person]));
    return writeInChunks(
      people,
      { size: 1, atOnce: WRITES_AT_ONCE },
      async (piece) => Promise.all(piece.map((person) => this.#write(person, schema, present, signal))),
      toAmbiguous,
    );
  }

  async record(activities: readonly CrmActivity[], signal?: AbortSignal): Promise<readonly CrmRecorded[]> {
    return writeInChunks(
      activities,
      { size: 1, atOnce: WRITES_AT_ONCE },
      async (piece) => Promise.all(piece.map((activity) => this.#record(activity, signal))),
      toAmbiguous,
    );
  }

  async #write(
    write: CrmWrite,
    schema: PersonSchema,
    present: ReadonlyMap<number, PipedrivePerson>,
    signal?: AbortSignal,
  ): Promise<CrmWritten> {
    const { key, externalId } = write;
    const id = externalId === null ? null : toPersonId(externalId);
    const person = id === null ? null : (present.get(id) ?? null);
    if (externalId !== null && (id === null || (person === null && needsPerson(write)))) return toMissingPerson(key);
    const made = toPipedriveBody(write, schema, person);
    if (made.kind === 'refused') return made.written;
    const { body } = made;
    // No request is needed when the person already has all values.
    if (id !== null && Object.keys(body).length === 0) {
      return { key, kind: 'updated', externalId: String(id), updatedAt: parseDate(person?.update_time) };
    }
    const answer = await this.#ask(
      id === null ? { method: 'POST', path: PERSONS, body } : { method: 'PATCH', path: `${PERSONS}/${id}`, body },
      signal,
    );
    if (!isFine(answer)) return this.#shown(toPipedriveRefusal(key, getFault(answer)) ?? this.#fail(answer));
    const { id: written, update_time: updatedAt } = toRecord(toRecord(answer.json)['data']);
    if (typeof written !== 'number') return toAmbiguous(write, 'Pipedrive did not say whom it wrote');
    const kind = id === null ? 'created' : 'updated';
    return { key, kind, externalId: String(written), updatedAt: parseDate(updatedAt) };
  }

  async #record(activity: CrmActivity, signal?: AbortSignal): Promise<CrmRecorded> {
    const { key, kind, externalId } = activity;
    if (toPersonId(externalId) === null) return { key, kind: 'refused', reason: 'gone', message: NOBODY };
    const answer = await this.#ask(
      kind === 'email'
        ? { method: 'POST', path: '/api/v2/activities', body: getActivity(activity) }
        : { method: 'POST', path: '/api/v1/notes', body: toPipedriveNote(activity) },
      signal,
    );
    if (!isFine(answer)) return this.#shown(toPipedriveActivityRefusal(key, getFault(answer)) ?? this.#fail(answer));
    const { id } = toRecord(toRecord(answer.json)['data']);
    if (typeof id !== 'number') return toAmbiguous(activity, 'Pipedrive did not say what it recorded');
    return { key, kind: 'recorded', activityId: String(id) };
  }

  #ask(request: CrmRequest, signal?: AbortSignal): Promise<CrmAnswer> {
    return this.http.send({ ...request, takes: REFUSALS }, signal);
  }

  /** A refusal that concerns the whole call. */
  #fail(answer: CrmAnswer): never {
    const { reason, sentence, field = null, retryAfterMs = null } = getPipedriveCallFault(answer);
    const message = `Pipedrive answered ${answer.status}: ${this.http.sentence(sentence)}`;
    throw new CrmError(reason, message, { field, retryAfterMs });
  }

  async #known(signal?: AbortSignal): Promise<PersonSchema> {
    if (this.#schema === null) await this.fields(signal);
    return this.#schema ?? new PersonSchema([]);
  }

  /** @throws CrmError `unknown_field` */
  #selection(
    fields: readonly string[],
    schema: PersonSchema,
  ): { readonly include_fields?: string; readonly custom_fields?: string } {
    const custom: string[] = [];
    for (const name of fields) {
      const field = schema.get(name);
      if (!field) throw new CrmError('unknown_field', `Pipedrive has no person field ${name}`, { field: name });
      if (field.isCustom) custom.push(name);
    }
    const included = listIncludedFields(schema);
    return {
      ...(included !== undefined && { include_fields: included }),
      // More fields than a request can name: then all are requested, as when none is named.
      ...(custom.length > 0 && custom.length <= MAX_CUSTOM_FIELDS && { custom_fields: custom.join(',') }),
    };
  }

  async #read(ids: readonly number[], fields: readonly string[], signal?: AbortSignal): Promise<CrmPerson[]> {
    if (ids.length === 0) return [];
    const schema = await this.#known(signal);
    const persons = await this.#raw(ids, this.#selection(fields, schema), signal);
    return this.#peopleOf(persons as unknown as JsonRecord[], fields, schema, signal);
  }

  async #raw(ids: readonly number[], selection: object, signal?: AbortSignal): Promise<PipedrivePerson[]> {
    const entries = await readInChunks(ids, { size: IDS_AT_ONCE, atOnce: READS_AT_ONCE }, async (piece) => {
      const query = { ids: piece.join(','), limit: IDS_AT_ONCE, ...selection };
      return (await this.#page(PERSONS, query, signal)).entries;
    });
    return listPersons(entries);
  }

  async #peopleOf(
    entries: readonly JsonRecord[],
    fields: readonly string[],
    schema: PersonSchema,
    signal?: AbortSignal,
  ): Promise<CrmPerson[]> {
    const persons = listPersons(entries);
    if (fields.includes('org_name')) await this.#learnOrganisations(persons, signal);
    return persons.map((person) => toPipedrivePerson(person, fields, schema, this.#organisations));
  }

  async #learnOrganisations(persons: readonly PipedrivePerson[], signal?: AbortSignal): Promise<void> {
    if (this.#organisations.size > MAX_ORGANISATIONS) this.#organisations.clear();
    const ids = [...new Set(persons.flatMap(({ org_id: id }) => getResponseId(id)))].filter(
      (id) => !this.#organisations.has(id),
    );
    const found = await readInChunks(ids, { size: IDS_AT_ONCE, atOnce: READS_AT_ONCE }, async (piece) => {
      const query = { ids: piece.join(','), limit: IDS_AT_ONCE };
      return (await this.#page('/api/v2/organizations', query, signal)).entries;
    });
    for (const { id, name } of found) if (typeof id === 'number') this.#organisations.set(id, toText(name) ?? '');
  }

  async #listed(path: string, query: Query, signal?: AbortSignal): Promise<JsonRecord[]> {
    const all: JsonRecord[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      const { entries, next } = await this.#page(path, { ...query, limit: PAGE_SIZE, cursor }, signal);
      all.push(...entries);
      if (next === null) return all;
      cursor = next;
    }
    throw new CrmError('protocol', 'Pipedrive returned a list without an end');
  }

  /** Lists are in `data`, search results in `data.items`. */
  async #page(path: string, query: Query, signal?: AbortSignal): Promise<Page> {
    const { json } = await this.http.send({ method: 'GET', path, query }, signal);
    const { data, additional_data: more } = toRecord(json);
    const list = Array.isArray(data) ? data : toRecord(data)['items'];
    if (!Array.isArray(list)) throw new CrmError('protocol', 'Pipedrive answered without a list');
    return { entries: toRecords(list), next: toText(toRecord(more)['next_cursor']) };
  }

  #shown<T extends CrmWritten | CrmRecorded>(result: T): T {
    return 'message' in result ? { ...result, message: this.http.sentence(result.message) } : result;
  }
}

type Query = Readonly<Record<string, string | number | undefined>>;

interface Page {
  readonly entries: readonly JsonRecord[];
  readonly next: string | null;
}

const NOBODY = 'Pipedrive has no person of this id';

/**
 * The conditions that the API supports. A list is one of the account's filters for people. The API ignores the owner together with a
 * filter, so the owner is checked afterwards (`matchesFilter`). The API refuses fractions of a second.
 */
function toFilters({ updatedSince, ownerId, listId }: CrmFilter): Query {
  return {
    ...(updatedSince && { updated_since: `${updatedSince.toISOString().slice(0, 19)}Z` }),
    ...(ownerId !== undefined && listId === undefined && { owner_id: parseIdNumber(ownerId, 'user') }),
    ...(listId !== undefined && { filter_id: parseIdNumber(listId, 'filter') }),
  };
}

/** @throws CrmError `rejected` */
function parseIdNumber(text: string, what: string): number {
  const id = toPersonId(text);
  if (id === null) throw new CrmError('rejected', `The id of the ${what} is not one of Pipedrive`);
  return id;
}

function listPersons(entries: readonly JsonRecord[]): PipedrivePerson[] {
  const persons = entries as readonly unknown[] as readonly PipedrivePerson[];
  return persons.filter(({ id, is_deleted: isDeleted }) => typeof id === 'number' && isDeleted !== true);
}

function getResponseId(value: unknown): number[] {
  return typeof value === 'number' ? [value] : [];
}

function isFine({ status }: CrmAnswer): boolean {
  return status >= 200 && status < 300;
}

function toAmbiguous({ key }: { readonly key: string }, message: string) {
  return { key, kind: 'ambiguous' as const, message };
}

function toMissingPerson(key: string): CrmWritten {
  return { key, kind: 'refused', reason: 'gone', message: NOBODY, field: null, externalId: null };
}
