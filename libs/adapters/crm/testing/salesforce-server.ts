import { CrmStore, type StoredPerson } from './crm-store';
import {
  getChanges,
  CONTACT_FIELDS,
  getDuplicates,
  error,
  getInstant,
  type RecordError,
  findRefusal,
  shown,
  unreadable,
  toValue,
  type Values,
} from './salesforce-contacts';
import { parseSoql, type SoqlCondition, type SoqlQuery } from './salesforce-soql';
import { type Served, type ServerAnswer, VendorServer } from './vendor-server';

const API = '/services/data/v62.0';
const MAX_ROWS = 2_000;
const MAX_RECORDS = 200;
const MAX_SUBREQUESTS = 25;
const MAX_COLLECTIONS = 5;
const MAX_ADDRESS_BYTES = 16_384;

export const SALESFORCE_OWNERS = ['0055g000001AAAAAA4', '0055g000001BBBBBB4'] as const;

/** Ascending ids: three characters for the object, twelve for a number, three for the capitals (none here). */
export function salesforceId(prefix: string, n: number): string {
  return `${prefix}${n.toString().padStart(12, '0')}AAA`;
}

interface Subrequest {
  readonly method: string;
  readonly url: string;
  readonly referenceId: string;
  readonly httpHeaders?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * Contacts of an organisation as documented in the REST API Developer Guide (version 62.0): queries in several parts, describe, composite
 * collection requests with one error per record, and the limits of a day, a URL and a collection.
 */
export class SalesforceServer extends VendorServer {
  readonly store = new CrmStore((n) => salesforceId('003', n));
  /** Rows of one part of a response: fewer than 2,000 when rows are large. */
  rowsAtOnce = MAX_ROWS;
  /** Maximum requests in 24 hours. */
  quota = 100_000;
  /** Whether the connected user may see the opt-out. */
  showsOptOut = true;
  hasDuplicateRule = true;
  /** Ids of contacts locked by another client. */
  readonly locked = new Set<string>();
  readonly #removed = new Set<string>();
  readonly #places = new Map<
    string,
    { readonly query: SoqlQuery; readonly rows: readonly StoredPerson[]; at: number }
  >();

  remove(id: string): void {
    if (this.store.remove(id)) this.#removed.add(id);
  }

  protected override answer(request: Served): ServerAnswer {
    const answer = this.#answer(request);
    const headers = { 'sforce-limit-info': `api-usage=${Math.min(this.count, this.quota)}/${this.quota}` };
    return { ...answer, headers: { ...headers, ...answer.headers } };
  }

  #answer(request: Served): ServerAnswer {
    const { method, path, query, headers } = request;
    if (path.length + query.toString().length > MAX_ADDRESS_BYTES) return { status: 414 };
    const token = headers.authorization?.replace(/^Bearer /, '') ?? '';
    if (!this.tokens.has(token)) return refusal(401, 'INVALID_SESSION_ID', 'Session expired or invalid');
    if (this.count > this.quota) return refusal(403, 'REQUEST_LIMIT_EXCEEDED', 'TotalRequests Limit exceeded.');
    if (method === 'GET' && path === `${API}/query`) return this.#query(query.get('q') ?? '');
    if (method === 'GET' && path.startsWith(`${API}/query/`)) return this.#rest(path.slice(`${API}/query/`.length));
    if (method === 'GET' && path === `${API}/sobjects/Contact/describe`) return this.#describe();
    if (method === 'POST' && path === `${API}/composite`) return this.#composite(request.body);
    return refusal(404, 'NOT_FOUND', 'The requested resource does not exist');
  }

  #describe(): ServerAnswer {
    return { status: 200, body: { name: 'Contact', fields: CONTACT_FIELDS.filter(({ name }) => this.#shows(name)) } };
  }

  #shows(name: string): boolean {
    return this.showsOptOut || name !== 'HasOptedOutOfEmail';
  }

  #query(text: string): ServerAnswer {
    const query = parseSoql(text);
    if (!query) return refusal(400, 'MALFORMED_QUERY', `${text}\n  ^\nERROR at Row:1:Column:1\nunexpected token`);
    if (query.object === 'Organization') {
      const record = { attributes: { type: 'Organization' }, Id: '00D5g000001CCCCCC4', Name: 'Acme Sales' };
      return { status: 200, body: { totalSize: 1, done: true, records: [record] } };
    }
    if (query.object !== 'Contact')
      return refusal(400, 'INVALID_TYPE', `sObject type '${query.object}' is not supported.`);
    const wrong = this.#wrongIn(query);
    if (wrong) return wrong;
    const rows: StoredPerson[] = [];
    for (const person of this.#candidates(query)) {
      if (rows.length === query.limit) break;
      if (query.conditions.every((condition) => this.#holds(person, condition))) rows.push(person);
    }
    const place = `01g${this.#places.size.toString().padStart(15, '0')}`;
    this.#places.set(place, { query, rows, at: 0 });
    return this.#part(place);
  }

  #wrongIn({ fields, conditions }: SoqlQuery): ServerAnswer | null {
    const names = [...fields, ...conditions.map(({ field }) => field)];
    const strange = names.find((name) => name !== 'Account.Name' && (!isKnown(name) || !this.#shows(name)));
    if (strange !== undefined) {
      const sentence = `No such column '${strange}' on entity 'Contact'. If you are attempting to use a custom field, be sure to append the '__c'.`;
      return refusal(
        400,
        'INVALID_FIELD',
        `\nSELECT ${fields.join(',')} FROM Contact\n  ^\nERROR at Row:1:Column:8\n${sentence}`,
      );
    }
    for (const { field, operator, values } of conditions) {
      const type = CONTACT_FIELDS.find(({ name }) => name === field)?.type ?? 'string';
      const isBare = type === 'date' || type === 'datetime' || type === 'double' || type === 'boolean';
      const isId = (type === 'id' || type === 'reference') && operator !== '>';
      if (values.some(({ isQuoted }) => isQuoted === isBare)) {
        return refusal(400, 'INVALID_FIELD', `value of filter criterion for field '${field}' must be of type ${type}`);
      }
      if (isId && values.some(({ text }) => !/^\w{15}(?:\w{3})?$/.test(text))) {
        return refusal(400, 'INVALID_QUERY_FILTER_OPERATOR', `invalid ID field: ${values[0]?.text ?? ''}`);
      }
    }
    return null;
  }

  /** Uses an index where one exists, so that a hundred thousand contacts are fast. */
  #candidates({ conditions }: SoqlQuery): Iterable<StoredPerson> {
    const by = (field: string, operator: string) =>
      conditions.find((one) => one.field === field && one.operator === operator)?.values.map(({ text }) => text);
    const emails = by('Email', 'IN');
    if (emails)
      return new Set(emails.flatMap((email) => (email === '' ? this.#unaddressed() : this.store.withEmail(email))));
    const ids = by('Id', 'IN');
    if (ids) return ids.flatMap((id) => this.store.get(id) ?? []);
    return this.store.peopleAfter(by('Id', '>')?.[0] ?? null);
  }

  /** SOQL treats an empty text as null. */
  #unaddressed(): StoredPerson[] {
    return [...this.store.people()].filter(({ emails }) => emails.length === 0);
  }

  #holds(person: StoredPerson, { field, operator, values }: SoqlCondition): boolean {
    const value = toValue(person, field);
    const texts = values.map(({ text }) => text);
    const [first = ''] = texts;
    if (operator === 'MEMBER OF') return this.store.lists.get(first)?.has(person.id) ?? false;
    if (operator === '>') return shown(value) > first;
    if (operator === '>=') return shown(value) >= getInstant(new Date(first));
    if (field === 'Id' || field === 'OwnerId') return texts.includes(shown(value));
    const held = operator === 'INCLUDES' ? shown(value).split(';') : [shown(value)];
    return texts.some((text) => held.some((one) => one.toLowerCase() === text.toLowerCase()));
  }

  #rest(place: string): ServerAnswer {
    const isThere = this.#places.has(place);
    return isThere ? this.#part(place) : refusal(400, 'INVALID_QUERY_LOCATOR', 'invalid query locator');
  }

  #part(place: string): ServerAnswer {
    const found = this.#places.get(place);
    if (!found) return refusal(400, 'INVALID_QUERY_LOCATOR', 'invalid query locator');
    const { query, rows } = found;
    const part = rows.slice(found.at, found.at + Math.min(this.rowsAtOnce, MAX_ROWS));
    found.at += part.length;
    const done = found.at >= rows.length;
    if (done) this.#places.delete(place);
    const records = part.map((person) => this.#record(person, query.fields));
    const next = done ? {} : { nextRecordsUrl: `${API}/query/${place}` };
    return { status: 200, body: { totalSize: rows.length, done, ...next, records } };
  }

  #record(person: StoredPerson, fields: readonly string[]): Values {
    const own = fields.filter((name) => name !== 'Account.Name').map((name) => [name, toValue(person, name)]);
    const company = person.fields['Account.Name'];
    return {
      attributes: { type: 'Contact', url: `${API}/sobjects/Contact/${person.id}` },
      ...Object.fromEntries(own),
      ...(fields.includes('Account.Name') && {
        Account: company === undefined ? null : { attributes: { type: 'Account' }, Name: company },
      }),
    };
  }

  #composite(body: unknown): ServerAnswer {
    const { compositeRequest: subrequests = [] } = body as { compositeRequest?: readonly Subrequest[] };
    const collections = subrequests.filter(({ url }) => url.startsWith(`${API}/composite/sobjects`));
    if (subrequests.length > MAX_SUBREQUESTS || collections.length > MAX_COLLECTIONS) {
      return refusal(400, 'LIMIT_EXCEEDED', 'Too many subrequests');
    }
    const compositeResponse = subrequests.map((subrequest) => {
      const { status, body: result = null } = this.#collection(subrequest);
      return { body: result, httpHeaders: {}, httpStatusCode: status, referenceId: subrequest.referenceId };
    });
    return { status: 200, body: { compositeResponse } };
  }

  #collection({ method, url, httpHeaders = {}, body }: Subrequest): ServerAnswer {
    if (url !== `${API}/composite/sobjects`) return refusal(404, 'NOT_FOUND', 'The requested resource does not exist');
    const { records = [] } = body as { records?: readonly Values[] };
    if (records.length > MAX_RECORDS) {
      return refusal(
        400,
        'EXCEEDED_ID_LIMIT',
        'record limit reached. cannot submit more than 200 records into this call',
      );
    }
    const wrong = unreadable(records);
    if (wrong !== null) return refusal(400, 'JSON_PARSER_ERROR', wrong);
    const hasDetails = /includeRecordDetails=true/.test(httpHeaders['Sforce-Duplicate-Rule-Header'] ?? '');
    return { status: 200, body: records.map((record) => this.#saved(method, record, hasDetails)) };
  }

  #saved(method: string, record: Values, hasDetails: boolean): object {
    const { type } = record['attributes'] as { type?: string };
    if (type === 'Task' && method === 'POST') return this.#task(record);
    if (type !== 'Contact') return failed(error('INVALID_TYPE', 'sObject type is not supported'));
    const wrong = this.#wrongWith(method, record, hasDetails);
    if (wrong) return failed(wrong);
    if (method === 'POST') {
      const made = { ownerId: SALESFORCE_OWNERS[0], ...getChanges(record) };
      return { id: this.store.add(made).id, success: true, errors: [] };
    }
    const id = shown(record['Id']);
    this.store.change(id, getChanges(record));
    return { id, success: true, errors: [] };
  }

  #wrongWith(method: string, record: Values, hasDetails: boolean): RecordError | null {
    const refused = findRefusal(record, method === 'POST');
    if (method === 'POST') {
      return refused ?? (this.hasDuplicateRule ? getDuplicates(this.store, record['Email'], hasDetails) : null);
    }
    const id = shown(record['Id']);
    if (!/^\w{15}(?:\w{3})?$/.test(id))
      return error('MALFORMED_ID', `Contact ID: id value of incorrect type: ${id}`, ['Id']);
    if (this.#removed.has(id)) return error('ENTITY_IS_DELETED', 'entity is deleted');
    if (!this.store.get(id)) return error('INVALID_CROSS_REFERENCE_KEY', 'invalid cross reference id');
    if (this.locked.has(id)) return error('UNABLE_TO_LOCK_ROW', 'unable to obtain exclusive access to this record');
    return refused;
  }

  #task(record: Values): object {
    const who = shown(record['WhoId']);
    if (this.#removed.has(who)) return failed(error('ENTITY_IS_DELETED', 'entity is deleted'));
    if (!this.store.get(who))
      return failed(error('FIELD_INTEGRITY_EXCEPTION', 'Related To ID: id value of incorrect type', ['WhoId']));
    if (shown(record['Subject']).length > 255)
      return failed(error('STRING_TOO_LONG', 'Subject: data value too large', ['Subject']));
    const { id } = this.store.record(who, shown(record['TaskSubtype']), record);
    return { id: id.replace(/^003/, '00T'), success: true, errors: [] };
  }
}

function isKnown(name: string): boolean {
  return CONTACT_FIELDS.some((one) => one.name === name);
}

function refusal(status: number, errorCode: string, message: string): ServerAnswer {
  return { status, body: [{ message, errorCode }] };
}

function failed(one: RecordError): object {
  return { success: false, errors: [one] };
}
