import { CrmStore, type StoredPerson } from './crm-store';
import { type Served, type ServerAnswer, VendorServer } from './vendor-server';
import { type CoqlComparison, type CoqlCondition, CoqlFault, type CoqlQuery, CoqlReader } from './zoho-coql-reader';

/** Maximum records of one write request. */
const MAX_RECORDS = 100;
const MAX_NOTE_TITLE = 120;
const MAX_NOTE = 32_000;

interface Meta {
  readonly api_name: string;
  readonly field_label: string;
  readonly data_type: string;
  readonly custom_field: boolean;
  readonly read_only: boolean;
  readonly length?: number;
  readonly isUnique?: boolean;
  readonly pick_list_values?: readonly { readonly actual_value: string }[];
}

const field = (api_name: string, data_type: string, more: Partial<Meta> = {}): Meta => ({
  api_name,
  field_label: api_name.replaceAll('_', ' '),
  data_type,
  custom_field: false,
  read_only: false,
  ...more,
});

const FIELDS: readonly Meta[] = [
  field('First_Name', 'text', { length: 40 }),
  field('Last_Name', 'text', { length: 80 }),
  field('Email', 'email', { length: 100 }),
  field('Secondary_Email', 'email', { length: 100 }),
  field('Title', 'text', { length: 100 }),
  field('Phone', 'phone', { length: 50 }),
  field('Account_Name', 'lookup'),
  field('Lead_Source', 'picklist', { pick_list_values: [{ actual_value: 'Web' }, { actual_value: 'Fair' }] }),
  field('Email_Opt_Out', 'boolean'),
  field('Owner', 'ownerlookup'),
  field('Created_Time', 'datetime', { read_only: true }),
  field('Modified_Time', 'datetime', { read_only: true }),
  field('Favourite', 'text', { length: 255, custom_field: true }),
  field('Met_At', 'datetime', { custom_field: true }),
  field('Interests', 'multiselectpicklist', { custom_field: true, pick_list_values: [{ actual_value: 'Chess' }] }),
  field('Passport', 'text', { length: 50, custom_field: true, isUnique: true }),
];

type Told = Readonly<Record<string, unknown>>;

/**
 * Contacts of Zoho CRM as version 8 of its API documents them (https://www.zoho.com/crm/developer/docs/api/v8/): queries with their limits,
 * batches with a result per record, notes, and silence about missing fields.
 */
export class ZohoServer extends VendorServer {
  readonly store = new CrmStore((n) => String(4_876_876_000_000_000_000n + BigInt(n)));
  /** Users who may own records. */
  readonly owners: readonly [string, string] = ['4876876000000900134', '4876876000000900987'];
  /** Account names by id. */
  readonly accounts = new Map<string, string>();
  /** The remaining credits of the account; reported once set. */
  creditsLeft: number | null = null;
  readonly #gone = new Set<string>();

  /** An administrator removes a field. */
  removeField(name: string): void {
    this.#gone.add(name);
  }

  protected override answer(request: Served): ServerAnswer {
    const { tokens } = this;
    const [, token = ''] = /^Zoho-oauthtoken (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    if (!tokens.has(token)) return refusal(401, 'INVALID_TOKEN', 'invalid oauth token');
    if (this.creditsLeft === 0) return this.#withCredits(TOO_MANY);
    return this.#withCredits(this.#answered(request));
  }

  #answered(request: Served): ServerAnswer {
    switch (`${request.method} ${request.path}`) {
      case 'GET /crm/v8/org':
        return { status: 200, body: { org: [{ id: '4876876000000000225', company_name: 'Zylker', zgid: '66' }] } };
      case 'GET /crm/v8/settings/fields':
        return this.#settings(request);
      case 'POST /crm/v8/coql':
        return this.#query(request);
      case 'POST /crm/v8/Contacts/upsert':
        return this.#batch(request, (told) => this.#upserted(told));
      case 'PUT /crm/v8/Contacts':
        return this.#batch(request, (told) => this.#changed(told));
      case 'POST /crm/v8/Notes':
        return this.#batch(request, (told) => this.#noted(told));
      default:
        return refusal(404, 'INVALID_URL_PATTERN', 'Please check if the URL trying to access is a correct one');
    }
  }

  #withCredits(answer: ServerAnswer): ServerAnswer {
    if (this.creditsLeft === null) return answer;
    return { ...answer, headers: { ...answer.headers, 'x-api-credits-remaining': String(this.creditsLeft) } };
  }

  #settings({ query }: Served): ServerAnswer {
    if (query.get('module') !== 'Contacts') return refusal(400, 'REQUIRED_PARAM_MISSING', 'module is missing');
    const fields = this.#fields().map((meta) => ({
      ...meta,
      operation_type: { api_update: !meta.read_only },
    }));
    return { status: 200, body: { fields } };
  }

  #query({ body }: Served): ServerAnswer {
    try {
      const query = new CoqlReader((body as { select_query: string }).select_query).read();
      const isKnown = (column: string): boolean => this.#isColumn(column);
      const unknown = [...query.columns, ...listColumns(query.where)].find((column) => !isKnown(column));
      if (unknown !== undefined) throw new CoqlFault('INVALID_QUERY', { column_name: unknown }, 'invalid query formed');
      return this.#selected(query);
    } catch (error) {
      if (!(error instanceof CoqlFault)) throw error;
      return {
        status: 400,
        body: { code: error.code, details: error.details, message: error.message, status: 'error' },
      };
    }
  }

  #selected({ columns, source, where, limit }: CoqlQuery): ServerAnswer {
    const view = source === 'Contacts' ? null : this.store.lists.get(source);
    if (view === undefined) throw new CoqlFault('INVALID_QUERY', { cvid: source }, 'invalid query formed');
    const rows: Told[] = [];
    let hasMore = false;
    const holds = this.#test(where);
    for (const person of this.store.people()) {
      if (view?.has(person.id) === false || !holds(person)) continue;
      hasMore = rows.length === limit;
      if (hasMore) break;
      rows.push(Object.fromEntries(columns.map((column) => [column, this.#cell(person, column)])));
    }
    if (rows.length === 0) return { status: 204 };
    return { status: 200, body: { data: rows, info: { count: rows.length, more_records: hasMore } } };
  }

  #test(condition: CoqlCondition): (person: StoredPerson) => boolean {
    if (condition.kind === 'compare') return this.#comparison(condition);
    const sides = condition.sides.map((side) => this.#test(side));
    if (condition.kind === 'and') return (person) => sides.every((holds) => holds(person));
    return (person) => sides.some((holds) => holds(person));
  }

  #comparison({ column, operator, values }: CoqlComparison): (person: StoredPerson) => boolean {
    const isYesNo = this.#fields().some(({ api_name, data_type }) => api_name === column && data_type === 'boolean');
    if (isYesNo && operator !== '=') {
      const details = { reason: 'invalid operator found', column_name: column, operator };
      throw new CoqlFault('INVALID_QUERY', details, 'invalid query formed');
    }
    const wanted = values.map(comparable);
    return (person) => compares(operator, comparable(this.#cell(person, column)), wanted);
  }

  #cell(person: StoredPerson, column: string): unknown {
    if (column === 'id') return person.id;
    if (column === 'Email') return person.emails[0] ?? null;
    if (column === 'Secondary_Email') return person.emails[1] ?? null;
    if (column === 'Owner') return person.ownerId === null ? null : { id: person.ownerId };
    if (column === 'Email_Opt_Out') return person.isOptedOut;
    if (column === 'Created_Time') return toZonedTime(person.createdAt);
    if (column === 'Modified_Time') return toZonedTime(person.updatedAt);
    if (column === 'Account_Name.Account_Name') {
      const account = person.fields['Account_Name'] as { id: string } | undefined;
      return this.accounts.get(account?.id ?? '') ?? null;
    }
    return person.fields[column] ?? null;
  }

  #batch({ body }: Served, carry: (told: Told) => Told): ServerAnswer {
    const { data, trigger } = body as { data?: Told[]; trigger?: unknown };
    if (!Array.isArray(data) || data.length === 0)
      return refusal(400, 'MANDATORY_NOT_FOUND', 'required field not found');
    if (data.length > MAX_RECORDS) return refusal(400, 'INVALID_DATA', 'invalid data');
    if (trigger !== undefined && !Array.isArray(trigger)) return refusal(400, 'INVALID_DATA', 'invalid data');
    const results = data.map(carry);
    const failed = results.filter(({ status }) => status === 'error').length;
    const status = failed === 0 ? 200 : failed === results.length ? 400 : 207;
    return { status, body: { data: results } };
  }

  #upserted(told: Told): Told {
    const email = told['Email'] as string;
    const [there] = this.store.withEmail(email);
    if (there) return { ...this.#changed({ ...told, id: there.id }), action: 'update', duplicate_field: 'Email' };
    const fault = this.#faultIn(told, null) ?? (told['Last_Name'] ? null : missing('Last_Name'));
    if (fault) return fault;
    const person = this.store.add({ emails: [email] });
    return { ...this.#success(this.#assign(person, told), 'record added'), action: 'insert', duplicate_field: null };
  }

  #changed(told: Told): Told {
    const person = this.store.get(String(told['id']));
    if (!person) return wrong({ api_name: 'id', json_path: '$.data[0].id' }, 'the id given seems to be invalid');
    const fault = this.#faultIn(told, person.id) ?? (told['Last_Name'] === null ? missing('Last_Name') : null);
    if (fault) return fault;
    return this.#success(this.#assign(person, told), 'record updated');
  }

  #noted(told: Told): Told {
    const { id } = told['Parent_Id'] as { id: string };
    if (!this.store.get(id)) return wrong({ api_name: 'Parent_Id' });
    if ((told['Note_Title'] as string).length > MAX_NOTE_TITLE) return tooLong('Note_Title', MAX_NOTE_TITLE);
    if ((told['Note_Content'] as string).length > MAX_NOTE) return tooLong('Note_Content', MAX_NOTE);
    const note = this.store.record(id, 'note', told);
    return { code: 'SUCCESS', details: { id: note.id }, message: 'record added', status: 'success' };
  }

  /** Unknown names are ignored, as by Zoho. */
  #assign(person: StoredPerson, told: Told): StoredPerson {
    const own = new Set(['First_Name', 'Last_Name', 'Title', 'Phone', 'Account_Name', 'Lead_Source']);
    const known = this.#fields().filter(({ api_name, custom_field }) => custom_field || own.has(api_name));
    const fields = Object.fromEntries(
      known.flatMap(({ api_name: name }) => (name in told ? [[name, told[name]]] : [])),
    );
    const { Email: email, Secondary_Email: second, Owner: owner, Email_Opt_Out: optOut } = told;
    const [main, other] = [email, second].map((given, at) =>
      given === undefined ? person.emails[at] : (given as string | null),
    );
    return (
      this.store.change(person.id, {
        fields,
        ...((email !== undefined || second !== undefined) && {
          emails: [main, other].filter((one) => typeof one === 'string'),
        }),
        ...(owner !== undefined && { ownerId: (owner as { id: string }).id }),
        ...(typeof optOut === 'boolean' && { isOptedOut: optOut }),
      }) ?? person
    );
  }

  #success(person: StoredPerson, message: string): Told {
    const details = {
      id: person.id,
      Modified_Time: toZonedTime(person.updatedAt),
      Created_Time: toZonedTime(person.createdAt),
    };
    return { code: 'SUCCESS', details, message, status: 'success' };
  }

  #faultIn(told: Told, id: string | null): Told | null {
    const owner = told['Owner'] as { id?: string } | undefined;
    if (owner && !this.owners.includes(owner.id ?? ''))
      return wrong({ api_name: 'Owner', expected_data_type: 'ownerlookup' });
    for (const meta of this.#fields()) {
      const value = told[meta.api_name];
      if (value === undefined || value === null) continue;
      const fault = findValueFault(meta, value) ?? this.#taken(meta, value, id);
      if (fault) return fault;
    }
    return null;
  }

  #taken({ api_name: name, isUnique }: Meta, value: unknown, id: string | null): Told | null {
    if (isUnique !== true) return null;
    for (const other of this.store.people()) {
      if (other.id === id || other.fields[name] !== value) continue;
      const duplicate_record = { id: other.id, module: { api_name: 'Contacts' } };
      const details = { api_name: name, json_path: `$.data[0].${name}`, duplicate_record };
      return { code: 'DUPLICATE_DATA', details, message: 'duplicate data', status: 'error' };
    }
    return null;
  }

  #fields(): readonly Meta[] {
    return FIELDS.filter(({ api_name }) => !this.#gone.has(api_name));
  }

  #isColumn(column: string): boolean {
    return column === 'id' || this.#fields().some(({ api_name }) => api_name === column.split('.')[0]);
  }
}

const TOO_MANY = refusal(429, 'TOO_MANY_REQUESTS', 'You have made too many requests within a certain period of time.');

function refusal(status: number, code: string, message: string): ServerAnswer {
  return { status, body: { code, details: {}, message, status: 'error' } };
}

function wrong(details: Told, message = 'invalid data'): Told {
  return { code: 'INVALID_DATA', details, message, status: 'error' };
}

function tooLong(name: string, length: number): Told {
  return wrong({ api_name: name, maximum_length: length });
}

function missing(name: string): Told {
  return {
    code: 'MANDATORY_NOT_FOUND',
    details: { api_name: name },
    message: 'required field not found',
    status: 'error',
  };
}

function findValueFault({ api_name: name, data_type: type, length }: Meta, value: unknown): Told | null {
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
  const fits =
    type === 'boolean'
      ? typeof value === 'boolean'
      : type === 'multiselectpicklist'
        ? isList
        : type === 'lookup' || type === 'ownerlookup'
          ? typeof (value as { id?: unknown }).id === 'string'
          : type === 'datetime'
            ? /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/.test(String(value))
            : type === 'email'
              ? /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(String(value))
              : typeof value === 'string';
  if (!fits) return wrong({ api_name: name, expected_data_type: type });
  return length !== undefined && String(value).length > length ? tooLong(name, length) : null;
}

function listColumns(condition: CoqlCondition): string[] {
  return condition.kind === 'compare' ? [condition.column] : condition.sides.flatMap(listColumns);
}

/** Sort keys: text without case, times and ids in their order. */
function comparable(cell: unknown): string | number | null {
  if (cell === null || cell === undefined) return null;
  if (typeof cell === 'object') return comparable((cell as { id: string }).id);
  if (typeof cell !== 'string') return JSON.stringify(cell);
  if (/^\d{1,24}$/.test(cell)) return cell.padStart(24, '0');
  return /^\d{4}-\d\d-\d\dT/.test(cell) ? Date.parse(cell) : cell.toLowerCase();
}

type Comparable = ReturnType<typeof comparable>;

function compares(operator: string, cell: Comparable, values: readonly Comparable[]): boolean {
  const [value] = values;
  if (operator === 'is null') return cell === null;
  if (operator === 'is not null') return cell !== null;
  if (cell === null || value === null || value === undefined) return false;
  if (operator === '=') return cell === value;
  if (operator === 'in') return values.includes(cell);
  return operator === '>' ? cell > value : operator === '>=' && cell >= value;
}

/** In the zone of the organisation, in whole seconds. */
function toZonedTime(at: Date): string {
  return `${new Date(at.getTime() + 19_800_000).toISOString().slice(0, 19)}+05:30`;
}
