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
import { toRecord, toRecords, toText } from '../http/crm-response';
import { readInChunks, writeInChunks } from '../http/request-chunks';
import { type CrmHttpClient } from '../http/crm-http.client';
import { toSalesforceActivityRefusal, toSalesforceRefusal } from './salesforce.errors';
import { toSalesforceFields, isDescribed } from './salesforce-fields';
import {
  getContactId,
  OPT_OUT_FIELD,
  PERSON_OBJECT,
  toSalesforcePerson,
  listSelectedFields,
  getTask,
} from './salesforce-people';
import {
  getSalesforceConditions,
  getCursor,
  parseSalesforceCursor,
  type QueryAnswer,
  getQueryAnswer,
  getWhere,
} from './salesforce-query';
import {
  toComposite,
  toUnsavedError,
  isAboutRecords,
  toSalesforceRecorded,
  type Saved,
  toSaved,
  type Saving,
  getSavings,
  getSaying,
  toUnwritable,
  toSalesforceWritten,
} from './salesforce-saving';
import { isFieldName, packConditions, toTextLiteral } from './soql';

/** Winter '25; Salesforce supports a version for at least three years. */
const API = '/services/data/v62.0';

/** Maximum people of one query response. */
const PAGE_SIZE = 2_000;
/** Maximum records of one collection. */
const COLLECTION_SIZE = 200;
/** The maximum length of the search values in a URL; the field names need the remaining length. */
const LONGEST_VALUES = 10_000;
const AT_ONCE = 2;
/** Maximum parts of one lookup response: more indicate a fault. */
const MAX_PARTS = 50;

const SIZES = {
  pull: PAGE_SIZE,
  find: COLLECTION_SIZE,
  read: COLLECTION_SIZE,
  write: COLLECTION_SIZE,
  record: COLLECTION_SIZE,
};

const LIMITS: CrmLimits = {
  page: PAGE_SIZE,
  find: COLLECTION_SIZE,
  read: COLLECTION_SIZE,
  write: COLLECTION_SIZE,
  record: COLLECTION_SIZE,
  requestsFor: (call, count) => Math.max(call === 'pull' ? 1 : 0, Math.ceil(count / SIZES[call])),
};

/** An organisation at Salesforce, over its REST API. People are contacts; see `PERSON_OBJECT`. */
export class SalesforceSession implements CrmSession {
  readonly limits = LIMITS;
  /** True until Salesforce reports that the connected user may not see the field. */
  #seesOptOut = true;
  #described: readonly CrmField[] | null = null;

  constructor(private readonly http: CrmHttpClient) {}

  get requests(): number {
    return this.http.requests;
  }

  get cooldownUntil(): Date | null {
    return this.http.cooldownUntil;
  }

  async identity(signal?: AbortSignal): Promise<CrmIdentity> {
    const { records } = await this.#query('SELECT Id,Name FROM Organization LIMIT 1', signal);
    const { Id: id, Name: name } = records[0] ?? {};
    const accountId = toText(id);
    if (accountId === null) throw new CrmError('protocol', 'Salesforce returned no organisation');
    return { accountId, accountName: toText(name) ?? '' };
  }

  async fields(signal?: AbortSignal): Promise<readonly CrmField[]> {
    const { json } = await this.http.send({ method: 'GET', path: `${API}/sobjects/${PERSON_OBJECT}/describe` }, signal);
    const { fields } = toRecord(json);
    if (!Array.isArray(fields)) throw new CrmError('protocol', 'Salesforce did not describe its contacts');
    this.#described = toSalesforceFields(toRecords(fields).flatMap((entry) => (isDescribed(entry) ? [entry] : [])));
    return this.#described;
  }

  /**
   * Pages by id, because ids do not change: a query after the last id is valid at any time, even if many records change in the same second.
   * Salesforce's own cursors last two days, and a user can have only ten.
   */
  async pull({ filter, fields, cursor }: CrmPull, signal?: AbortSignal): Promise<CrmPage> {
    const place = cursor === null ? null : parseSalesforceCursor(cursor);
    const described = Object.keys(filter.fields ?? {}).length > 0 ? await this.#schema(signal) : [];
    const conditions = getSalesforceConditions(filter, described);
    if (place) conditions.push(`Id > ${toTextLiteral(place.after)}`);
    // Without a LIMIT the first response states the total.
    const limit = place ? ` LIMIT ${PAGE_SIZE}` : '';
    const answer = await this.#contacts(fields, `${getWhere(conditions)} ORDER BY Id${limit}`, signal);
    const people = this.#peopleOf(answer, fields);
    const total = place?.total ?? answer.total;
    if (answer.isDone && (place === null || answer.records.length < PAGE_SIZE)) return { people, cursor: null, total };
    const after = people.at(-1)?.externalId;
    if (after === undefined) throw new CrmError('protocol', 'Salesforce returned an empty part of a list');
    return { people, cursor: getCursor({ after, total }), total };
  }

  /**
   * Searches `Email`, the one address of a contact. Custom address fields are not searched: they often hold the address of another person
   * (an assistant, a manager, an invoice office).
   */
  async find(
    emails: readonly string[],
    fields: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly CrmPerson[]> {
    // SOQL treats an empty text as null, which would match everyone without an address.
    const addresses = new Set(emails.filter((email) => /[^\s\p{Cc}]/u.test(email)));
    const groups = packConditions([...addresses], LONGEST_VALUES);
    return readInChunks(groups, { size: 1, atOnce: AT_ONCE }, ([group = []]) =>
      this.#all(fields, ` WHERE Email IN (${group.map(toTextLiteral).join(',')}) ORDER BY Id`, signal),
    );
  }

  /** A query, because reading a collection returns only a contact's own fields without the name of its account. */
  async read(
    externalIds: readonly string[],
    fields: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly CrmPerson[]> {
    const ids = [...new Set(externalIds.flatMap((id) => getContactId(id) ?? []))];
    return readInChunks(ids, { size: COLLECTION_SIZE, atOnce: AT_ONCE }, (piece) =>
      this.#all(fields, ` WHERE Id IN (${piece.map(toTextLiteral).join(',')}) ORDER BY Id`, signal),
    );
  }

  async write(people: readonly CrmWrite[], signal?: AbortSignal): Promise<readonly CrmWritten[]> {
    return writeInChunks(
      people,
      { size: COLLECTION_SIZE, atOnce: 1 },
      (piece) => this.#write(piece, signal),
      toAmbiguous,
    );
  }

  async record(activities: readonly CrmActivity[], signal?: AbortSignal): Promise<readonly CrmRecorded[]> {
    return writeInChunks(
      activities,
      { size: COLLECTION_SIZE, atOnce: 1 },
      (piece) => this.#record(piece, signal),
      toAmbiguous,
    );
  }

  async #write(people: readonly CrmWrite[], signal?: AbortSignal): Promise<CrmWritten[]> {
    const results = new Map<CrmWrite, CrmWritten>();
    const records = people.map((person) => {
      const externalId = person.externalId === null ? null : getContactId(person.externalId);
      if (person.externalId !== null && externalId === null) results.set(person, toMissingContact(person));
      return { person, write: { ...person, externalId } };
    });
    const sent = records.filter(({ person }) => !results.has(person));
    const written = await this.#save(
      sent.map(({ write }) => write),
      signal,
    );
    sent.forEach(({ person }, at) => results.set(person, written[at] ?? toAmbiguous(person, 'No response arrived')));
    return people.map((person) => this.#shown(results.get(person) ?? toAmbiguous(person, 'No response arrived')));
  }

  /** Results in the order of the people. */
  async #save(people: readonly CrmWrite[], signal?: AbortSignal): Promise<CrmWritten[]> {
    const results = new Map<CrmWrite, CrmWritten>();
    const parts = getSavings(people);
    const saved = await this.#composite(
      parts.map(({ saving }) => saving),
      signal,
    );
    const failures: CrmError[] = [];
    for (const [at, outcome] of saved.entries()) {
      const { writes = [] } = parts[at] ?? {};
      try {
        const written = await this.#outcomeOf(writes, outcome, signal);
        writes.forEach((write, place) =>
          results.set(write, written[place] ?? toAmbiguous(write, 'No response arrived')),
        );
      } catch (error) {
        if (!(error instanceof CrmError)) throw error;
        failures.push(error);
        writes.forEach((write) => results.set(write, toAmbiguous(write, error.message)));
      }
    }
    // The results of one part stay valid when the other part fails.
    const [failure] = failures;
    if (failure && failures.length === saved.length) throw failure;
    return people.map((person) => results.get(person) ?? toAmbiguous(person, 'No response arrived'));
  }

  /** @throws CrmError when nothing of it was done */
  async #outcomeOf(writes: readonly CrmWrite[], outcome: Saved, signal?: AbortSignal): Promise<CrmWritten[]> {
    if (outcome.kind === 'results') {
      return writes.map((write, place) => toSalesforceWritten(write, outcome.results[place] ?? {}));
    }
    if (isAboutRecords(outcome)) return this.#sortedOut(writes, outcome, signal);
    const failure = toUnsavedError(outcome, this.#saying(outcome));
    if (failure !== null) throw failure;
    return writes.map((write) => toAmbiguous(write, getSaying(outcome)));
  }

  /**
   * Handles a request that Salesforce could not parse because of one record: records that violate the field metadata are removed, and the
   * others are sent once more.
   */
  async #sortedOut(
    writes: readonly CrmWrite[],
    outcome: Extract<Saved, { kind: 'fault' }>,
    signal?: AbortSignal,
  ): Promise<CrmWritten[]> {
    const fields = await this.fields(signal);
    const results = new Map(writes.map((write) => [write, toUnwritable(write, fields)]));
    const fit = writes.filter((write) => results.get(write) === null);
    if (fit.length > 0 && fit.length < writes.length) {
      const [again] = await this.#composite(
        getSavings(fit).map(({ saving }) => saving),
        signal,
      );
      if (again?.kind === 'results') {
        fit.forEach((write, at) => results.set(write, toSalesforceWritten(write, again.results[at] ?? {})));
      }
    }
    return writes.map((write) => results.get(write) ?? toSalesforceRefusal(write, outcome.fault));
  }

  async #record(activities: readonly CrmActivity[], signal?: AbortSignal): Promise<CrmRecorded[]> {
    const [saved] = await this.#composite([{ method: 'POST', records: activities.map(getTask) }], signal);
    if (saved?.kind === 'results') {
      return activities.map(({ key }, at) => this.#shown(toSalesforceRecorded(key, saved.results[at] ?? {})));
    }
    if (!saved) return activities.map((activity) => toAmbiguous(activity, 'No response arrived'));
    if (isAboutRecords(saved))
      return activities.map(({ key }) => this.#shown(toSalesforceActivityRefusal(key, saved.fault)));
    const failure = toUnsavedError(saved, this.#saying(saved));
    if (failure !== null) throw failure;
    return activities.map((activity) => this.#shown(toAmbiguous(activity, getSaying(saved))));
  }

  async #composite(savings: readonly Saving[], signal?: AbortSignal): Promise<Saved[]> {
    if (savings.length === 0) return [];
    const body = toComposite(API, savings);
    const { json } = await this.http.send({ method: 'POST', path: `${API}/composite`, body }, signal);
    return toSaved(json, savings);
  }

  async #schema(signal?: AbortSignal): Promise<readonly CrmField[]> {
    return this.#described ?? this.fields(signal);
  }

  async #all(fields: readonly string[], clauses: string, signal?: AbortSignal): Promise<CrmPerson[]> {
    let answer = await this.#contacts(fields, clauses, signal);
    const people = this.#peopleOf(answer, fields);
    for (let parts = 1; answer.next !== null && !answer.isDone; parts += 1) {
      if (parts === MAX_PARTS) throw new CrmError('protocol', 'Salesforce returned a result without an end');
      answer = getQueryAnswer((await this.http.send({ method: 'GET', path: answer.next }, signal)).json);
      people.push(...this.#peopleOf(answer, fields));
    }
    return people;
  }

  #peopleOf({ records }: QueryAnswer, fields: readonly string[]): CrmPerson[] {
    return records.flatMap((record) => toSalesforcePerson(record, fields, this.#seesOptOut) ?? []);
  }

  /** Salesforce reports no such field to a user who may not see the opt-out: then the query is retried once without it. */
  async #contacts(fields: readonly string[], clauses: string, signal?: AbortSignal): Promise<QueryAnswer> {
    const strange = fields.find((name) => !isFieldName(name));
    if (strange !== undefined)
      throw new CrmError('unknown_field', 'Salesforce has no field of this name', { field: strange });
    const ask = () =>
      this.#query(
        `SELECT ${listSelectedFields(fields, this.#seesOptOut).join(',')} FROM ${PERSON_OBJECT}${clauses}`,
        signal,
      );
    try {
      return await ask();
    } catch (error) {
      const isOptOut = error instanceof CrmError && error.reason === 'unknown_field' && error.field === OPT_OUT_FIELD;
      if (!isOptOut || !this.#seesOptOut || fields.includes(OPT_OUT_FIELD)) throw error;
      this.#seesOptOut = false;
      return ask();
    }
  }

  async #query(soql: string, signal?: AbortSignal): Promise<QueryAnswer> {
    const { json } = await this.http.send({ method: 'GET', path: `${API}/query`, query: { q: soql } }, signal);
    return getQueryAnswer(json);
  }

  #saying(saved: Extract<Saved, { kind: 'fault' }>): string {
    return `Salesforce answered ${saved.status}: ${this.http.sentence(getSaying(saved))}`;
  }

  #shown<T extends CrmWritten | CrmRecorded>(result: T): T {
    return 'message' in result ? { ...result, message: this.http.sentence(result.message) } : result;
  }
}

function toAmbiguous({ key }: { readonly key: string }, message: string) {
  return { key, kind: 'ambiguous' as const, message };
}

/** A text that is no contact id, so no contact can have it. */
function toMissingContact({ key }: CrmWrite): CrmWritten {
  const message = 'Salesforce has no contact with this id';
  return { key, kind: 'refused', reason: 'gone', message, field: null, externalId: null };
}
