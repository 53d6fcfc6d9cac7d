import { CrmError } from '../port/crm.errors';
import { type CrmValue } from '../port/crm-person';
import { type CrmActivity, type CrmRecorded, type CrmWrite, type CrmWritten } from '../port/crm-session';
import { type CrmAnswer, toRecord, toText } from '../http/crm-response';
import { getStatusReason } from '../http/crm-dialect';
import { type CrmRequest, type CrmHttpClient } from '../http/crm-http.client';
import { UnconfirmedWriteError } from '../http/unconfirmed-write.errors';
import { parseAttioFault, toAttioReason, toAttioRefusal } from './attio.errors';
import { type AttioAttribute } from './attio-fields';
import { type AttioRecord, listAttioRecords, toAttioNote, toAttioPerson } from './attio-people';
import { createAttioFindQuery, isAttioId } from './attio-query';
import { isReplacing, type KnownName, toValues } from './attio-values';

const PEOPLE = '/v2/objects/people/records';
const NAME = ['name.first_name', 'name.last_name'];

type Attributes = ReadonlyMap<string, AttioAttribute>;

/** Single requests about people and their notes. */
export class AttioClient {
  constructor(private readonly http: CrmHttpClient) {}

  async query(body: unknown, signal?: AbortSignal): Promise<AttioRecord[]> {
    const { json } = await this.http.send({ method: 'POST', path: `${PEOPLE}/query`, body, isRead: true }, signal);
    const { data } = toRecord(json);
    const records = listAttioRecords(data);
    // A skipped record would make a page look like the last one.
    const isWhole = Array.isArray(data) && data.length === records.length;
    if (!isWhole) throw new CrmError('protocol', 'Attio answered a query without records');
    return records;
  }

  /**
   * An address belongs to one record only. A creation is therefore tried first, which distinguishes new from existing people; an existing
   * person is updated instead.
   * @param known the present name of the person
   */
  async write(person: CrmWrite, attributes: Attributes, known: KnownName, signal?: AbortSignal): Promise<CrmWritten> {
    if (person.externalId !== null)
      return this.#change(person, person.externalId, 'updated', attributes, known, signal);
    const body = { data: { values: toValues(person, attributes, known) } };
    const answer = await this.#send({ method: 'POST', path: PEOPLE, body }, signal);
    if (parseAttioFault(answer.status, answer.json)?.code !== 'uniqueness_conflict')
      return this.#written(person, 'created', answer);
    const [there] = await this.query(createAttioFindQuery([person.email]), signal);
    if (!there) return this.#written(person, 'created', answer);
    const { externalId, fields } = toAttioPerson(there, NAME);
    return this.#change(person, externalId, 'merged', attributes, this.nameIn(fields), signal);
  }

  async record(activity: CrmActivity, signal?: AbortSignal): Promise<CrmRecorded> {
    const { key } = activity;
    if (!isAttioId(activity.externalId))
      return { key, kind: 'refused', reason: 'gone', message: 'This is not an id of Attio' };
    const answer = await this.#send(
      { method: 'POST', path: '/v2/notes', body: { data: toAttioNote(activity) } },
      signal,
    );
    const fault = parseAttioFault(answer.status, answer.json);
    if (answer.status >= 400) {
      const message = this.http.sentence(fault?.message ?? '');
      return { key, kind: 'refused', reason: answer.status === 404 ? 'gone' : 'invalid', message };
    }
    const activityId = toText(toRecord(toRecord(toRecord(answer.json)['data'])['id'])['note_id']);
    if (activityId === null) throw new UnconfirmedWriteError('protocol', 'Attio returned no id of the note');
    return { key, kind: 'recorded', activityId };
  }

  nameIn(fields: Readonly<Record<string, CrmValue>>): KnownName {
    const [first, last] = NAME.map((name) => toText(fields[name]) ?? '');
    return { first: first ?? '', last: last ?? '' };
  }

  async #change(
    person: CrmWrite,
    id: string,
    kind: 'updated' | 'merged',
    attributes: Attributes,
    known: KnownName,
    signal?: AbortSignal,
  ): Promise<CrmWritten> {
    const { key } = person;
    const deleted = {
      key,
      kind: 'refused',
      reason: 'gone',
      message: 'This is not an id of Attio',
      field: null,
      externalId: null,
    } as const;
    if (!isAttioId(id)) return deleted;
    const body = { data: { values: toValues({ ...person, externalId: id }, attributes, known) } };
    const method = isReplacing(person) ? 'PUT' : 'PATCH';
    return this.#written(person, kind, await this.#send({ method, path: `${PEOPLE}/${id}`, body }, signal));
  }

  #send(request: CrmRequest, signal?: AbortSignal): Promise<CrmAnswer> {
    return this.http.send({ ...request, takes: [400, 404, 409, 422] }, signal);
  }

  #written(person: CrmWrite, kind: 'created' | 'updated' | 'merged', answer: CrmAnswer): CrmWritten {
    const { key } = person;
    if (answer.status >= 400) return this.#refused(person, answer);
    const [record] = listAttioRecords([toRecord(answer.json)['data']]);
    if (!record) throw new UnconfirmedWriteError('protocol', 'Attio returned no result for the person');
    const { externalId, updatedAt } = toAttioPerson(record, []);
    return { key, kind, externalId, updatedAt };
  }

  #refused(person: CrmWrite, { status, json }: CrmAnswer): CrmWritten {
    const fault = parseAttioFault(status, json);
    const refusal = fault && toAttioRefusal(person, fault);
    if (refusal) return { ...refusal, message: this.http.sentence(refusal.message) };
    const reason = (fault && toAttioReason(fault)) ?? getStatusReason(status);
    throw new CrmError(reason, `Attio answered ${status}: ${this.http.sentence(fault?.message ?? '')}`);
  }
}
