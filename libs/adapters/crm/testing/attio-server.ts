import { AttioFilter, type AttioFilterBody, FilterFault } from './attio.filter';
import { CrmStore, type StoredPerson } from './crm-store';
import { type Served, type ServerAnswer, VendorServer } from './vendor-server';

const MAX_LIMIT = 500;

export interface ServerAttribute {
  readonly api_slug: string;
  readonly title: string;
  readonly type: string;
  readonly is_system_attribute: boolean;
  readonly is_writable: boolean;
  readonly is_multiselect: boolean;
  readonly is_archived: boolean;
  /** Titles of the allowed choices. */
  readonly options?: readonly string[];
}

const attribute = (api_slug: string, type: string, more: Partial<ServerAttribute> = {}): ServerAttribute => ({
  api_slug,
  title: api_slug.replaceAll('_', ' '),
  type,
  is_system_attribute: true,
  is_writable: true,
  is_multiselect: false,
  is_archived: false,
  ...more,
});

const own = { is_system_attribute: false };

const ATTRIBUTES: readonly ServerAttribute[] = [
  attribute('record_id', 'text', { is_writable: false }),
  attribute('name', 'personal-name'),
  attribute('email_addresses', 'email-address', { is_multiselect: true }),
  attribute('phone_numbers', 'phone-number', { is_multiselect: true }),
  attribute('job_title', 'text'),
  attribute('company', 'record-reference'),
  attribute('primary_location', 'location'),
  attribute('created_at', 'timestamp', { is_writable: false }),
  attribute('owner', 'actor-reference', own),
  attribute('favourite', 'text', own),
  attribute('score', 'number', own),
  attribute('wants_mail', 'checkbox', own),
  attribute('met_at', 'timestamp', own),
  attribute('tier', 'select', { ...own, options: ['Gold', 'Silver'] }),
  attribute('interests', 'select', { ...own, is_multiselect: true, options: ['Chess', 'Go'] }),
  attribute('retired', 'text', { ...own, is_archived: true }),
];

type Values = Record<string, unknown>;

/**
 * People of Attio as version 2 of its API documents them (https://docs.attio.com/rest-api): records whose values have a start time, queries
 * with filters and offsets, one record per write, and unique addresses.
 */
export class AttioServer extends VendorServer {
  readonly store = new CrmStore((n) => `0a0b0c0d-0000-4000-8000-${n.toString(16).padStart(12, '0')}`);
  readonly members: readonly [string, string] = [
    '50cf242c-7fa3-4cad-87d0-75b1af71c57b',
    '60cf242c-7fa3-4cad-87d0-75b1af71c57c',
  ];
  /** The creation time of all new people, as in an import. */
  importedAt: Date | null = null;
  readonly #removed = new Set<string>();
  readonly #createdAt = new Map<string, string>();
  /** The first person created at a time. */
  readonly #firstOf = new Map<string, string>();
  /** Start times of values, by person and attribute. */
  readonly #since = new Map<string, string>();

  /** An administrator removes an attribute. */
  removeAttribute(slug: string): void {
    this.#removed.add(slug);
  }

  /** The creation time of a record, in nanoseconds. */
  createdAt({ id, createdAt }: StoredPerson): string {
    const known = this.#createdAt.get(id);
    if (known !== undefined) return known;
    const at = toNanoseconds(this.importedAt ?? createdAt);
    this.#createdAt.set(id, at);
    if (!this.#firstOf.has(at)) this.#firstOf.set(at, id);
    return at;
  }

  protected override answer(request: Served): ServerAnswer {
    const { method, path, headers } = request;
    const [, token = ''] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
    const isIn = this.tokens.has(token);
    if (path === '/v2/self') return { status: 200, body: isIn ? this.#self() : { active: false } };
    if (!isIn) return toRefusal(401, 'unauthorized', 'Your access token is not valid.', { type: 'auth_error' });
    const [, id] = /^\/v2\/objects\/people\/records\/([0-9a-f-]{36})$/.exec(path) ?? [];
    if (id !== undefined && (method === 'PATCH' || method === 'PUT')) return this.#change(id, request);
    switch (`${method} ${path}`) {
      case 'GET /v2/objects/people/attributes':
        return { status: 200, body: { data: this.#attributes().map(({ options: _options, ...told }) => told) } };
      case 'POST /v2/objects/people/records/query':
        return this.#query(request);
      case 'POST /v2/objects/people/records':
        return this.#make(request);
      case 'POST /v2/notes':
        return this.#note(request);
      default:
        return this.#choices(path) ?? toRefusal(404, 'not_found', 'The requested path was not found.');
    }
  }

  #self(): Values {
    return { active: true, workspace_id: '14beef7a-99f7-4534-a87e-70b564330a4c', workspace_name: 'Salarya' };
  }

  #choices(path: string): ServerAnswer | null {
    const [, slug] = /^\/v2\/objects\/people\/attributes\/([a-z_]+)\/options$/.exec(path) ?? [];
    const found = this.#attributes().find(({ api_slug }) => api_slug === slug);
    if (!found?.options) return null;
    return { status: 200, body: { data: found.options.map((title) => ({ title, is_archived: false })) } };
  }

  #query({ body }: Served): ServerAnswer {
    const { filter = {}, limit = MAX_LIMIT, offset = 0, sorts = [] } = body as QueryBody;
    if (limit > MAX_LIMIT || limit < 1 || offset < 0)
      return toInvalid('limit', 'Number must be less than or equal to 500');
    for (const { attribute: slug } of sorts) {
      if (!this.#has(slug)) return toUnknownFilter([slug], slug);
    }
    try {
      const slugs = new Map(this.#attributes().map((one) => [one.api_slug, one.type]));
      const holds = new AttioFilter(slugs).test(filter);
      const from = this.#peopleFrom(filter);
      const page = toPage(from, (person) => holds((slug) => this.#plain(person, slug)), offset, limit);
      return { status: 200, body: { data: page.map((person) => this.#record(person)) } };
    } catch (error) {
      if (error instanceof FilterFault) return toUnknownFilter(error.path, error.slug);
      throw error;
    }
  }

  /**
   * The store lists people in the order of creation, which is the order of ids too. People before the start time of a page are skipped, as
   * with a database index.
   */
  *#peopleFrom({ $and: [first] = [] }: AttioFilterBody & { $and?: unknown[] }): Generator<StoredPerson> {
    const since = (first as { created_at?: { $gte?: string } } | undefined)?.created_at?.$gte;
    const id = (since !== undefined && this.#firstOf.get(since)) || null;
    const person = id === null ? undefined : this.store.get(id);
    if (person) yield person;
    yield* this.store.peopleAfter(id);
  }

  #make({ body }: Served): ServerAnswer {
    const values = toAttioValues(body);
    const fault = this.#faultIn(values);
    if (fault) return fault;
    const emails = values['email_addresses'] as string[];
    const taken = emails.find((email) => this.store.withEmail(email).length > 0);
    if (taken !== undefined) {
      const message = `The value "{"email_address":"${taken}"}" provided for attribute with slug "email_addresses" conflicts with one already in the system.`;
      return toRefusal(400, 'uniqueness_conflict', message);
    }
    const person = this.store.add({ emails });
    this.createdAt(person);
    return this.#assigned(person, values, 'PUT');
  }

  #change(id: string, { method, body }: Served): ServerAnswer {
    const person = this.store.get(id);
    if (!person) return toRefusal(404, 'not_found', `Record with ID "${id}" was not found.`);
    const values = toAttioValues(body);
    return this.#faultIn(values) ?? this.#assigned(person, values, method);
  }

  #assigned(person: StoredPerson, values: Values, method: string): ServerAnswer {
    const { name, owner, email_addresses: emails, ...others } = values as Values & Assigned;
    const fields: Values = {};
    for (const [slug, value] of Object.entries(others)) fields[slug] = this.#merged(person, slug, value, method);
    if (name) {
      fields['name.first_name'] = name.first_name;
      fields['name.last_name'] = name.last_name;
    }
    const changed = this.store.change(person.id, {
      fields,
      ...(owner !== undefined && { ownerId: owner?.referenced_actor_id ?? null }),
      ...(emails && { emails: method === 'PUT' ? emails : [...new Set([...emails, ...person.emails])] }),
    });
    const at = toNanoseconds(changed?.updatedAt ?? person.updatedAt);
    for (const slug of Object.keys(values)) this.#since.set(`${person.id} ${slug}`, at);
    return { status: 200, body: { data: this.#record(person) } };
  }

  /** Multiple values: PATCH adds them before the existing ones, PUT replaces them. */
  #merged(person: StoredPerson, slug: string, value: unknown, method: string): unknown {
    if (method === 'PUT' || !Array.isArray(value)) return value;
    const there = (person.fields[slug] ?? []) as unknown[];
    return [...new Set([...(value as unknown[]), ...there])];
  }

  #note({ body }: Served): ServerAnswer {
    const { data } = body as { data: Record<string, string> };
    const { parent_object: object, parent_record_id: id = '', title = '', format } = data;
    if (object !== 'people' || (format !== 'plaintext' && format !== 'markdown'))
      return toInvalid('format', 'Invalid enum value');
    if (title === '') return toInvalid('title', 'String must contain at least 1 character(s)');
    if (!this.store.get(id)) return toRefusal(404, 'not_found', `Record with ID "${id}" was not found.`);
    return { status: 200, body: { data: { id: { note_id: this.store.record(id, 'note', data).id } } } };
  }

  #faultIn(values: Values): ServerAnswer | null {
    for (const [slug, value] of Object.entries(values)) {
      const found = this.#attributes().find(({ api_slug }) => api_slug === slug);
      if (!found) return toRefusal(400, 'value_not_found', `Cannot find attribute with slug/ID "${slug}".`);
      if (!found.is_writable)
        return toRefusal(400, 'immutable_value', `Attribute with slug "${slug}" cannot be written.`);
      if (value === null || (Array.isArray(value) && value.length === 0)) continue;
      const all = Array.isArray(value) ? value : [value];
      if (!found.is_multiselect && Array.isArray(value))
        return toInvalid(slug, 'One value is allowed', 'validation_type');
      if (!all.every((one) => isValidValue(found, one, this.members))) {
        return toInvalid(slug, `Invalid value was passed to attribute with slug "${slug}".`, 'validation_type');
      }
    }
    return null;
  }

  /** All attributes, including those without a value. */
  #record(person: StoredPerson): Values {
    const values = Object.fromEntries(
      this.#attributes().map((told) => {
        const at = this.#since.get(`${person.id} ${told.api_slug}`) ?? this.#lastChange(person, told);
        const known = { active_from: at, active_until: null, attribute_type: told.type };
        return [told.api_slug, this.#values(person, told).map((value) => ({ ...known, ...value }))];
      }),
    );
    return { id: { record_id: person.id }, created_at: this.createdAt(person), values };
  }

  /** Values changed by a test start at the last change of the person. */
  #lastChange(person: StoredPerson, { is_writable }: ServerAttribute): string {
    return is_writable ? toNanoseconds(person.updatedAt) : this.createdAt(person);
  }

  #values(person: StoredPerson, { api_slug: slug, type }: ServerAttribute): Values[] {
    const plain = this.#plain(person, slug);
    const all = Array.isArray(plain) ? (plain as unknown[]) : plain === null || plain === undefined ? [] : [plain];
    return all.map((value) => toAttioValue(type, value));
  }

  #plain(person: StoredPerson, slug: string): unknown {
    if (slug === 'record_id') return person.id;
    if (slug === 'created_at') return this.createdAt(person);
    if (slug === 'email_addresses') return person.emails;
    if (slug === 'owner') return person.ownerId;
    if (slug !== 'name') return person.fields[slug] ?? null;
    const [first, last] = ['first', 'last'].map(
      (part) => (person.fields[`name.${part}_name`] ?? null) as string | null,
    );
    if (first === null && last === null) return null;
    return { first_name: first, last_name: last, full_name: [first, last].filter(Boolean).join(' ') };
  }

  #attributes(): ServerAttribute[] {
    return ATTRIBUTES.filter(({ api_slug, is_archived }) => !is_archived && !this.#removed.has(api_slug));
  }

  #has(slug: string): boolean {
    return this.#attributes().some(({ api_slug }) => api_slug === slug);
  }
}

interface QueryBody {
  readonly filter?: AttioFilterBody;
  readonly limit?: number;
  readonly offset?: number;
  readonly sorts?: readonly { readonly attribute: string }[];
}

interface Assigned {
  readonly name?: { readonly first_name: string; readonly last_name: string };
  readonly owner?: { readonly referenced_actor_id: string } | null;
  readonly email_addresses?: string[];
}

function toPage(
  people: Iterable<StoredPerson>,
  holds: (person: StoredPerson) => boolean,
  offset: number,
  limit: number,
): StoredPerson[] {
  const page: StoredPerson[] = [];
  let passed = 0;
  for (const person of people) {
    if (!holds(person)) continue;
    passed += 1;
    if (passed > offset) page.push(person);
    if (page.length === limit) break;
  }
  return page;
}

function toAttioValues(body: unknown): Values {
  return (body as { data: { values: Values } }).data.values;
}

function toAttioValue(type: string, value: unknown): Values {
  switch (type) {
    case 'personal-name':
      return value as Values;
    case 'email-address':
      return { email_address: String(value).toLowerCase(), original_email_address: value };
    case 'phone-number':
      return { phone_number: value, original_phone_number: value };
    case 'select':
      return { option: { title: value, is_archived: false } };
    case 'actor-reference':
      return { referenced_actor_type: 'workspace-member', referenced_actor_id: value };
    case 'record-reference':
      return { target_object: 'companies', target_record_id: value };
    case 'location':
      return value as Values;
    default:
      return { value };
  }
}

function isValidValue({ type, options }: ServerAttribute, value: unknown, members: readonly string[]): boolean {
  if (type === 'personal-name') {
    const { first_name, last_name, full_name } = value as Values;
    return [first_name, last_name, full_name].every((part) => typeof part === 'string');
  }
  if (type === 'actor-reference')
    return members.includes((value as { referenced_actor_id: string }).referenced_actor_id);
  if (type === 'number') return typeof value === 'number';
  if (type === 'checkbox') return typeof value === 'boolean';
  if (type === 'select') return options?.includes(String(value)) === true;
  if (type === 'timestamp') return typeof value === 'string' && !Number.isNaN(Date.parse(value));
  if (type === 'phone-number') return typeof value === 'string' && /^\+\d{6,15}$/.test(value);
  return typeof value === 'string';
}

function toRefusal(status: number, code: string, message: string, more: Values = {}): ServerAnswer {
  return { status, body: { status_code: status, type: 'invalid_request_error', code, message, ...more } };
}

function toInvalid(where: string, message: string, code = 'validation_error'): ServerAnswer {
  return toRefusal(400, code, message, { path: ['data', 'values', where] });
}

function toUnknownFilter(path: readonly string[], slug: string): ServerAnswer {
  return toRefusal(400, 'unknown_filter_attribute_slug', `Unknown attribute slug: ${slug}.`, { path });
}

function toNanoseconds(at: Date): string {
  return at.toISOString().replace('Z', '000000Z');
}
