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
import { type CrmAnswer, toRecord as jsonRecord, toRecords, toText } from '../http/crm-response';
import { getStatusReason } from '../http/crm-dialect';
import { writeInChunks } from '../http/request-chunks';
import { type CrmRequest, type CrmHttpClient } from '../http/crm-http.client';
import { UnconfirmedWriteError } from '../http/unconfirmed-write.errors';
import {
  createZohoFindQuery,
  IN_VALUES,
  isZohoId,
  PAGE_ROWS,
  createZohoPullQuery,
  createZohoReadQuery,
} from './zoho-coql';
import { parseZohoAnswer, getReason, toZohoRecorded, type ZohoAnswer, toZohoWritten } from './zoho.errors';
import { toZohoFields, listZohoFields } from './zoho-fields';
import { hasSurname, toZohoNote, toZohoPerson, toZohoRecord, getSurname, type ZohoRow } from './zoho-people';

/** Maximum records of one write request (v8/upsert-records.html, v8/update-records.html, v8/create-notes.html). */
const MAX_RECORDS = 100;

const LIMITS: CrmLimits = {
  page: PAGE_ROWS,
  find: IN_VALUES,
  read: IN_VALUES,
  write: MAX_RECORDS,
  record: MAX_RECORDS,
  requestsFor: (call, count) => Math.max(1, Math.ceil(count / LIMITS[call === 'pull' ? 'page' : call])),
};

/** A person to write, and the existing record; null to create one. */
interface Target {
  readonly person: CrmWrite;
  readonly id: string | null;
}

export class ZohoSession implements CrmSession {
  readonly limits = LIMITS;
  #fields: Promise<ReadonlyMap<string, CrmField>> | null = null;

  constructor(private readonly http: CrmHttpClient) {}

  get requests(): number {
    return this.http.requests;
  }

  get cooldownUntil(): Date | null {
    return this.http.cooldownUntil;
  }

  async identity(signal?: AbortSignal): Promise<CrmIdentity> {
    const { json } = await this.http.send({ method: 'GET', path: '/crm/v8/org' }, signal);
    const [org] = toRecords(jsonRecord(json)['org']);
    const accountId = toText(org?.['id']);
    if (accountId === null) throw new CrmError('protocol', 'Zoho returned no account');
    return { accountId, accountName: toText(org?.['company_name']) ?? '' };
  }

  async fields(signal?: AbortSignal): Promise<readonly CrmField[]> {
    return [...(await this.#knownFields(signal)).values()];
  }

  async pull({ filter, fields, cursor }: CrmPull, signal?: AbortSignal): Promise<CrmPage> {
    const { rows, hasMore } = await this.#query(createZohoPullQuery(filter, fields, cursor), signal);
    return { people: listPeople(rows, fields), cursor: hasMore ? getNextPlace(cursor, rows) : null, total: null };
  }

  async find(
    emails: readonly string[],
    fields: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly CrmPerson[]> {
    const found: CrmPerson[] = [];
    let after: string | null = null;
    // A second page is needed only when a hundred addresses match more than two thousand people.
    do {
      if (emails.length === 0) break;
      const { rows, hasMore } = await this.#query(createZohoFindQuery(emails, fields, after), signal);
      found.push(...listPeople(rows, fields));
      after = hasMore ? getNextPlace(after, rows) : null;
    } while (after !== null);
    return found;
  }

  async read(ids: readonly string[], fields: readonly string[], signal?: AbortSignal): Promise<readonly CrmPerson[]> {
    if (!ids.some(isZohoId)) return [];
    const { rows } = await this.#query(createZohoReadQuery(ids, fields), signal);
    return listPeople(rows, fields);
  }

  async write(people: readonly CrmWrite[], signal?: AbortSignal): Promise<readonly CrmWritten[]> {
    if (people.length === 0) return [];
    const fields = await this.#knownFields(signal);
    const refused = people.flatMap((person) => toUnwritableRefusal(person, fields) ?? []);
    const keys = new Set(refused.map(({ key }) => key));
    const targets = await this.#targets(
      people.filter(({ key }) => !keys.has(key)),
      signal,
    );
    const batches = [targets.filter(({ id }) => id !== null), targets.filter(({ id }) => id === null)];
    const written = await writeInChunks(
      batches.filter((batch) => batch.length > 0),
      { size: 1, atOnce: 1 },
      async ([batch = []]) => [await this.#writeBatch(batch, fields, signal)],
      (batch, message) => batch.map(({ person: { key } }): CrmWritten => ({ key, kind: 'ambiguous', message })),
    );
    const results = new Map([...refused, ...written.flat()].map((result) => [result.key, result]));
    return people.map(
      ({ key }) => results.get(key) ?? { key, kind: 'ambiguous', message: 'Zoho returned an empty response' },
    );
  }

  async record(activities: readonly CrmActivity[], signal?: AbortSignal): Promise<readonly CrmRecorded[]> {
    if (activities.length === 0) return [];
    return writeInChunks(
      activities,
      { size: MAX_RECORDS, atOnce: 1 },
      async (piece) => {
        const body = { data: piece.map(toZohoNote) };
        const answers = await this.#change({ method: 'POST', path: '/crm/v8/Notes', body }, piece.length, signal);
        return piece.map(({ key }, at) => this.#shown(toZohoRecorded(key, answers[at] ?? null)));
      },
      ({ key }, message) => ({ key, kind: 'ambiguous', message }),
    );
  }

  async #query(query: string, signal?: AbortSignal): Promise<{ rows: readonly ZohoRow[]; hasMore: boolean }> {
    const body = { select_query: query };
    const { status, json } = await this.http.send({ method: 'POST', path: '/crm/v8/coql', body, isRead: true }, signal);
    // Zoho answers 204 without a body when no record matches.
    if (status === 204) return { rows: [], hasMore: false };
    const { data, info } = jsonRecord(json);
    const rows = toRecords(data);
    if (getLastId(rows) === null) throw new CrmError('protocol', 'Zoho answered a query with no records');
    return { rows, hasMore: jsonRecord(info)['more_records'] === true };
  }

  /** Requested once: Zoho accepts values of missing fields, reports success and discards them. */
  #knownFields(signal?: AbortSignal): Promise<ReadonlyMap<string, CrmField>> {
    this.#fields ??= this.#askFields(signal).catch((error: unknown) => {
      this.#fields = null;
      throw error;
    });
    return this.#fields;
  }

  async #askFields(signal?: AbortSignal): Promise<ReadonlyMap<string, CrmField>> {
    const path = '/crm/v8/settings/fields';
    const { json } = await this.http.send({ method: 'GET', path, query: { module: 'Contacts' } }, signal);
    const fields = toZohoFields(listZohoFields(jsonRecord(json)['fields']));
    if (fields.length === 0) throw new CrmError('protocol', 'Zoho returned no fields');
    return new Map(fields.map((field) => [field.name, field]));
  }

  /**
   * A new person without a surname gets a substitute, which must not overwrite the surname of an existing record: so the address is
   * searched first.
   */
  async #targets(people: readonly CrmWrite[], signal?: AbortSignal): Promise<Target[]> {
    const nameless = people.filter((person) => person.externalId === null && !hasSurname(person));
    const found = await this.find([...new Set(nameless.map(({ email }) => email))], [], signal);
    const ids = new Map(
      found.toReversed().flatMap((person) => person.emails.map((email) => [email.toLowerCase(), person.externalId])),
    );
    return people.map((person) => {
      if (person.externalId !== null || hasSurname(person)) return { person, id: person.externalId };
      return { person, id: ids.get(person.email.toLowerCase()) ?? null };
    });
  }

  async #writeBatch(
    batch: readonly Target[],
    fields: ReadonlyMap<string, CrmField>,
    signal?: AbortSignal,
  ): Promise<readonly CrmWritten[]> {
    const isNew = batch[0]?.id === null;
    const data = batch.map(({ person, id }) => {
      const record = toZohoRecord({ ...person, externalId: id }, fields);
      return isNew && !hasSurname(person) ? { ...record, Last_Name: getSurname(person) } : record;
    });
    // No workflow of the account starts: some send mail to people, and a backfill would start all of them.
    const request: CrmRequest = isNew
      ? {
          method: 'POST',
          path: '/crm/v8/Contacts/upsert',
          body: { data, duplicate_check_fields: ['Email'], trigger: [] },
        }
      : { method: 'PUT', path: '/crm/v8/Contacts', body: { data, trigger: [] } };
    const answers = await this.#change(request, data.length, signal);
    return batch.map(({ person, id }, at) => {
      const answer = answers[at] ?? null;
      return this.#shown(toZohoWritten(person, isAnother(answer, id) ? null : answer));
    });
  }

  /**
   * The result of each record; the status is 400 when all were refused. Results are in the order of the records and do not name them, so a
   * different number cannot be matched.
   */
  async #change(request: CrmRequest, count: number, signal?: AbortSignal): Promise<readonly (ZohoAnswer | null)[]> {
    const answer = await this.http.send({ ...request, takes: [400] }, signal);
    const said = jsonRecord(answer.json)['data'];
    if (Array.isArray(said) && said.length === count) return said.map(parseZohoAnswer);
    if (Array.isArray(said))
      throw new UnconfirmedWriteError('protocol', 'Zoho did not return a result for each record');
    throw this.#failureFor(answer);
  }

  #failureFor({ status, json }: CrmAnswer): CrmError {
    const answer = parseZohoAnswer(json);
    if (status < 400) return new UnconfirmedWriteError('protocol', 'Zoho returned no results for the records');
    const sentence = this.http.sentence(answer?.message ?? '');
    return new CrmError(
      getReason(answer, status, null) ?? getStatusReason(status),
      `Zoho answered ${status}: ${sentence}`,
    );
  }

  #shown<T extends CrmWritten | CrmRecorded>(result: T): T {
    return 'message' in result ? { ...result, message: this.http.sentence(result.message) } : result;
  }
}

function listPeople(rows: readonly ZohoRow[], fields: readonly string[]): CrmPerson[] {
  return rows.flatMap((row) => toZohoPerson(row, fields) ?? []);
}

function getLastId(rows: readonly ZohoRow[]): string | null {
  return toText(rows.at(-1)?.['id']);
}

/** The position after these rows. @throws CrmError `protocol` when it is not after the previous one */
function getNextPlace(after: string | null, rows: readonly ZohoRow[]): string {
  const last = getLastId(rows);
  const isFurther = last !== null && isZohoId(last) && (after === null || BigInt(last) > BigInt(after));
  if (!isFurther) throw new CrmError('protocol', 'Zoho returned a list without an end');
  return last;
}

/** Whether the result belongs to another record than the changed one. */
function isAnother(answer: ZohoAnswer | null, id: string | null): boolean {
  const writtenId = answer?.code === 'SUCCESS' ? toText(answer.details['id']) : null;
  return id !== null && writtenId !== null && writtenId !== id;
}

/** Null when all fields exist and are writable: Zoho also ignores read-only ones. */
function toUnwritableRefusal({ key, fields }: CrmWrite, known: ReadonlyMap<string, CrmField>): CrmWritten | null {
  const field = Object.keys(fields).find((name) => known.get(name)?.isWritable !== true);
  if (field === undefined) return null;
  const refused = { key, kind: 'refused', field, externalId: null } as const;
  return known.has(field)
    ? { ...refused, reason: 'invalid', message: `Zoho does not allow writing the field ${field}` }
    : { ...refused, reason: 'unknown_field', message: `Zoho has no field ${field}` };
}
