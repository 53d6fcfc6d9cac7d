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
import { getCallFault, getFault, REQUESTS_AT_ONCE } from './pipedrive-dialect';
import { toRecordRefusal, toPipedriveRefusal } from './pipedrive.errors';
import {
  getActivity,
  toBody,
  listIncludedFields,
  matchesFilter,
  needsPerson,
  toNote,
  toPersonId,
  toPerson,
  type PipedrivePerson,
} from './pipedrive-people';
import { isListed, PersonSchema } from './person-schema';

const PERSONS = '/api/v2/persons';

/** Most entries of one page, ids of one look-up, and keys of custom fields that are asked for by name (API Reference, "Get all persons"). */
const PAGE_SIZE = 500;
const IDS_AT_ONCE = 100;
const MAX_CUSTOM_FIELDS = 15;
/** Pages of a list that is read as a whole: more is no list. */
const MAX_PAGES = 20;

/** Requests under way at the same time; there are twenty in two seconds for the smallest plan, and ten searches for all. */
const WRITES_AT_ONCE = 3;
const READS_AT_ONCE = 2;

/** Names of organisations that a session remembers. */
const MAX_ORGANISATIONS = 10_000;

/** Statuses by which one person or activity is refused, and not the call. */
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
    // A search gives an address and an id; who that is, is read for a hundred at once.
    return call === 'find' ? count + Math.ceil(count / IDS_AT_ONCE) : count;
  },
};

/** Persons of a company at Pipedrive, over version 2 of its API, and version 1 for notes and the user, which version 2 does not have. */
export class PipedriveSession implements CrmSession {
  readonly limits = LIMITS;
  #schema: PersonSchema | null = null;
  readonly #organisations = new Map<number, string>();
  /** Searches have a window of their own, of which other answers do not tell. */
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

  /** By the ids, of which none changes. The cursor is Pipedrive's own: it names the next id, and nothing at Pipedrive is kept for it. */
  async pull({ filter, fields, cursor }: CrmPull, signal?: AbortSignal): Promise<CrmPage> {
    if (cursor !== null && !/^[\w=-]{1,1000}$/.test(cursor)) {
      throw new CrmError('cursor', 'This is not a cursor of Pipedrive');
    }
    const schema = await this.#known(signal);
    const wanted = [...new Set([...fields, ...Object.keys(filter.fields ?? {})])];
    const query = {
      limit: PAGE_SIZE,
      sort_by: 'id',
      sort_direction: 'asc',
      cursor: cursor ?? undefined,
      ...toFilters(filter),
      ...this.#selection(wanted, schema),
    };
    const { entries, next } = await this.#page(PERSONS, query, signal);
    const people = await this.#peopleOf(entries, wanted, schema, signal);
    const named = (person: CrmPerson): CrmPerson =>
      wanted.length === fields.length
        ? person
        : { ...person, fields: Object.fromEntries(fields.map((name) => [name, person.fields[name] ?? null])) };
    return { people: people.filter((person) => matchesFilter(person, filter)).map(named), cursor: next, total: null };
  }

  /** A search takes one address. What it finds is read by id, and looked at again: a search answers what it knew a moment ago. */
  async find(
    emails: readonly string[],
    fields: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly CrmPerson[]> {
    const wanted = new Set(emails.map((email) => email.trim().toLowerCase()).filter((email) => email !== ''));
    if (wanted.size === 0) return [];
    const ids = await readInChunks([...wanted], { size: 1, atOnce: READS_AT_ONCE }, async ([term = '']) => {
      const found = await this.#listed(`${PERSONS}/search`, { term, fields: 'email', exact_match: 'true' }, signal);
      return found.flatMap(({ item }) => getResponseId(toRecord(item)['id']));
    });
    this.#searchCooldownUntil = this.http.cooldownUntil;
    const people = await this.#read([...new Set(ids)], fields, signal);
    return people.filter(({ emails: own }) => own.some((email) => wanted.has(email.trim().toLowerCase())));
  }

  async read(
    externalIds: readonly string[],
    fields: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly CrmPerson[]> {
    return this.#read([...new Set(externalIds.flatMap((id) => toPersonId(id) ?? []))], fields, signal);
  }

  /** A request for each, a few at once. */
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
    const made = toBody(write, schema, person);
    if (made.kind === 'refused') return made.written;
    const { body } = made;
    // There is nothing to say where the person has it all already.
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
        : { method: 'POST', path: '/api/v1/notes', body: toNote(activity) },
      signal,
    );
    if (!isFine(answer)) return this.#shown(toRecordRefusal(key, getFault(answer)) ?? this.#fail(answer));
    const { id } = toRecord(toRecord(answer.json)['data']);
    if (typeof id !== 'number') return toAmbiguous(activity, 'Pipedrive did not say what it recorded');
    return { key, kind: 'recorded', activityId: String(id) };
  }

  #ask(request: CrmRequest, signal?: AbortSignal): Promise<CrmAnswer> {
    return this.http.send({ ...request, takes: REFUSALS }, signal);
  }

  /** A refusal that is about the call after all. */
  #fail(answer: CrmAnswer): never {
    const { reason, sentence, field = null, retryAfterMs = null } = getCallFault(answer);
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
      // More than can be named: then all come, as they do when none is named.
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
    return persons.map((person) => toPerson(person, fields, schema, this.#organisations));
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

  /** Lists are under `data`, what a search found is under `data.items`. */
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
 * What the API filters by. A list is one of the account's filters for people. The API leaves out the owner where a filter is given, so
 * that he is looked at afterwards (`matchesFilter`). Parts of a second are refused.
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
