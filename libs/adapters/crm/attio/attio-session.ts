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
import { AttioClient } from './attio.client';
import { type AttioAttribute, listAttributes, toAttioFields, hasOptions, splitFieldName } from './attio-fields';
import { type AttioRecord, toAttioPerson } from './attio-people';
import {
  getAttioConditions,
  formatAttioCursor,
  createAttioFindQuery,
  isAttioId,
  PAGE_RECORDS,
  createPageQuery,
  parseAttioCursor,
  getLastPlace,
  createAttioReadQuery,
} from './attio-query';
import { isAttioField, isNameHalf, type KnownName, NO_NAME, findUnknownField } from './attio-values';

const LIMITS: CrmLimits = {
  page: PAGE_RECORDS,
  // Filters cost more the longer they are (v2, "Score-based rate limits").
  find: 50,
  read: 100,
  // One record or note is one request.
  write: 20,
  record: 20,
  requestsFor: (call, count) => {
    if (call === 'write' || call === 'record') return Math.max(1, count);
    return Math.max(1, Math.ceil(count / LIMITS[call === 'pull' ? 'page' : call]));
  },
};

/** Concurrent requests: well below Attio's limits of 25 writes and 100 reads per second. */
const AT_ONCE = 4;

export class AttioSession implements CrmSession {
  readonly limits = LIMITS;
  readonly #api: AttioClient;
  #attributes: Promise<ReadonlyMap<string, AttioAttribute>> | null = null;

  constructor(private readonly http: CrmHttpClient) {
    this.#api = new AttioClient(http);
  }

  get requests(): number {
    return this.http.requests;
  }

  get cooldownUntil(): Date | null {
    return this.http.cooldownUntil;
  }

  async identity(signal?: AbortSignal): Promise<CrmIdentity> {
    // `self` also answers an invalid token and reports it as inactive. The first request refuses the token, so that it is renewed.
    await this.#getAttributes(signal);
    const { json } = await this.http.send({ method: 'GET', path: '/v2/self' }, signal);
    const self = toRecord(json);
    const accountId = toText(self['workspace_id']);
    if (self['active'] !== true || accountId === null)
      throw new CrmError('unauthorised', 'Attio does not accept the token');
    return { accountId, accountName: toText(self['workspace_name']) ?? '' };
  }

  async fields(signal?: AbortSignal): Promise<readonly CrmField[]> {
    const attributes = [...(await this.#getAttributes(signal)).values()];
    return readInChunks(attributes, { size: 1, atOnce: AT_ONCE }, async ([attribute]) => {
      if (!attribute) return [];
      return toAttioFields(attribute, hasOptions(attribute) ? await this.#options(attribute, signal) : null);
    });
  }

  /** Attio stores no update time of a record, so all records are read and unchanged ones are skipped here. */
  async pull({ filter, fields, cursor }: CrmPull, signal?: AbortSignal): Promise<CrmPage> {
    const place = cursor === null ? null : parseAttioCursor(cursor);
    const attributes = filter.fields ? [...(await this.#getAttributes(signal)).values()] : [];
    const conditions = getAttioConditions(filter, attributes);
    const since = place?.at ?? null;
    let offset = place?.before ?? 0;
    let records = await this.#api.query(createPageQuery(conditions, since, offset), signal);
    if (place !== null && offset > 0 && records[0]?.id.record_id !== place.id) {
      // A record with the same time was deleted, so the offset is too large: start again at the first record with that time.
      offset = 0;
      records = await this.#api.query(createPageQuery(conditions, since, offset), signal);
    }
    await this.#checkFields(records, fields, signal);
    const last = getLastPlace(records, since, offset);
    const fresh = records[0]?.id.record_id === place?.id ? records.slice(1) : records;
    const { updatedSince } = filter;
    const people = fresh.map((record) => toAttioPerson(record, fields));
    return {
      people: updatedSince ? people.filter(({ updatedAt }) => updatedAt >= updatedSince) : people,
      cursor: records.length === PAGE_RECORDS && last !== null ? formatAttioCursor(last) : null,
      total: null,
    };
  }

  async find(
    emails: readonly string[],
    fields: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly CrmPerson[]> {
    if (emails.length === 0) return [];
    const records = await this.#api.query(createAttioFindQuery(emails), signal);
    await this.#checkFields(records, fields, signal);
    return records.map((record) => toAttioPerson(record, fields));
  }

  async read(ids: readonly string[], fields: readonly string[], signal?: AbortSignal): Promise<readonly CrmPerson[]> {
    const known = ids.filter(isAttioId);
    if (known.length === 0) return [];
    const records = await this.#api.query(createAttioReadQuery(known), signal);
    await this.#checkFields(records, fields, signal);
    return records.map((record) => toAttioPerson(record, fields));
  }

  async write(people: readonly CrmWrite[], signal?: AbortSignal): Promise<readonly CrmWritten[]> {
    if (people.length === 0) return [];
    const attributes = await this.#getAttributes(signal);
    const fine = people.filter((person) => findUnknownField(person, attributes) === null);
    const names = await this.#readNames(fine, signal);
    const written = await writeInChunks(
      fine,
      { size: 1, atOnce: AT_ONCE },
      async (piece) =>
        Promise.all(
          piece.map(async (person) =>
            this.#api.write(person, attributes, names.get(person.externalId ?? '') ?? NO_NAME, signal),
          ),
        ),
      ({ key }, message): CrmWritten => ({ key, kind: 'ambiguous', message }),
    );
    const results = new Map(written.map((result) => [result.key, result]));
    return people.map(
      (person) => results.get(person.key) ?? toUnknownField(person, findUnknownField(person, attributes)),
    );
  }

  async record(activities: readonly CrmActivity[], signal?: AbortSignal): Promise<readonly CrmRecorded[]> {
    return writeInChunks(
      activities,
      { size: 1, atOnce: AT_ONCE },
      (piece) => Promise.all(piece.map((activity) => this.#api.record(activity, signal))),
      ({ key }, message): CrmRecorded => ({ key, kind: 'ambiguous', message }),
    );
  }

  #getAttributes(signal?: AbortSignal): Promise<ReadonlyMap<string, AttioAttribute>> {
    this.#attributes ??= this.#readAttributes(signal).catch((error: unknown) => {
      this.#attributes = null;
      throw error;
    });
    return this.#attributes;
  }

  async #readAttributes(signal?: AbortSignal): Promise<ReadonlyMap<string, AttioAttribute>> {
    const { json } = await this.http.send({ method: 'GET', path: '/v2/objects/people/attributes' }, signal);
    const attributes = listAttributes(toRecord(json)['data']);
    if (attributes.length === 0) throw new CrmError('protocol', 'Attio returned no attributes');
    return new Map(attributes.map((attribute) => [attribute.api_slug, attribute]));
  }

  async #options({ api_slug: slug, type }: AttioAttribute, signal?: AbortSignal): Promise<string[]> {
    const path = `/v2/objects/people/attributes/${encodeURIComponent(slug)}/${type === 'status' ? 'statuses' : 'options'}`;
    const { json } = await this.http.send({ method: 'GET', path }, signal);
    return toRecords(toRecord(json)['data']).flatMap((option) =>
      option['is_archived'] === true ? [] : (toText(option['title']) ?? []),
    );
  }

  /** A record contains all attributes, empty ones too; a field that no record has is searched among the attributes. */
  async #checkFields(records: readonly AttioRecord[], fields: readonly string[], signal?: AbortSignal): Promise<void> {
    const isMissing = (name: string): boolean =>
      !records.some(({ values }) => Object.hasOwn(values, splitFieldName(name).slug));
    const missing = records.length === 0 ? [] : fields.filter(isMissing);
    if (missing.length === 0) return;
    const attributes = await this.#getAttributes(signal);
    const unknown = missing.find((name) => !isAttioField(name, attributes));
    if (unknown !== undefined) throw new CrmError('unknown_field', `Attio has no field ${unknown}`, { field: unknown });
  }

  /** The names of people with one changed part of the name: Attio accepts all parts or none. */
  async #readNames(people: readonly CrmWrite[], signal?: AbortSignal): Promise<ReadonlyMap<string, KnownName>> {
    const ids = people.flatMap((person) => (isNameHalf(person) ? (person.externalId ?? []) : []));
    const known = await this.read(ids, ['name.first_name', 'name.last_name'], signal);
    return new Map(known.map(({ externalId, fields }) => [externalId, this.#api.nameIn(fields)]));
  }
}

function toUnknownField({ key }: CrmWrite, field: string | null): CrmWritten {
  const message = `Attio has no field ${field ?? ''}`.trim();
  return { key, kind: 'refused', reason: 'unknown_field', message, field, externalId: null };
}
