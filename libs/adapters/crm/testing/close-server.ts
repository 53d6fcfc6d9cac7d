import { CrmStore, type StoredPerson } from './crm-store';
import { type Served, type ServerAnswer, VendorServer } from './vendor-server';

/** The supported part of an Advanced Filtering query; other queries are refused. */
interface Query {
  readonly type: string;
  readonly queries?: readonly Query[];
  readonly object_type?: string;
  readonly this_object_type?: string;
  readonly related_object_type?: string;
  readonly related_query?: Query;
  readonly field?: {
    readonly type: string;
    readonly object_type?: string;
    readonly field_name?: string;
    readonly custom_field_id?: string;
  };
  readonly condition?: Condition;
}

interface Condition {
  readonly type: string;
  readonly mode?: string;
  readonly value?: string;
  readonly values?: readonly string[];
  readonly on_or_after?: { readonly type: string; readonly value: string };
  readonly before?: { readonly type: string; readonly value: string };
}

interface Search {
  readonly query: Query;
  readonly sort?: readonly { readonly direction: string; readonly field: { readonly field_name?: string } }[];
  readonly _fields?: Readonly<Record<string, readonly string[]>>;
  readonly _limit?: number;
  readonly cursor?: string;
  readonly include_counts?: boolean;
}

interface ContactBody {
  readonly name?: string;
  readonly title?: string | null;
  readonly emails?: readonly { readonly email: string }[];
  readonly [field: string]: unknown;
}

const MOST = 200;
/** Lifetime of a cursor. */
const CURSOR_MS = 30_000;
const MOST_RESULTS = 10_000;

/** The API v1 of Close on 127.0.0.1, limited to contacts, leads, notes, custom fields, smart views and searches. */
export class CloseServer extends VendorServer {
  readonly store = new CrmStore((n) => `cont_${String(n).padStart(12, '0')}`);
  customFields = [
    { id: 'cf_shoe', name: 'Shoe size', type: 'text', accepts_multiple_values: false },
    { id: 'cf_tier', name: 'Tier', type: 'choices', accepts_multiple_values: false, choices: ['gold', 'silver'] },
  ];
  /** Smart views by id: queries of contacts, or of leads. */
  readonly views = new Map<string, { readonly type: string; readonly s_query: { readonly query: Query } }>();
  /** Delay after which a search finds a change (milliseconds). */
  indexLagMs = 0;
  readonly #cursors = new Map<string, { readonly from: number; readonly at: number }>();
  #clockMs = 0;

  /** Advances the clock: cursors expire, and searches find all changes. */
  passes(ms: number): void {
    this.#clockMs += ms;
    this.store.passes(ms);
  }

  protected answer(request: Served): ServerAnswer {
    if (!this.#letsIn(request.headers.authorization ?? '')) {
      return { status: 401, body: { error: `Not authorized: ${request.headers.authorization}` } };
    }
    const [, id] = /^\/api\/v1\/contact\/([^/]+)\/$/.exec(request.path) ?? [];
    if (id !== undefined) return this.#contact(request, id);
    const [, lead] = /^\/api\/v1\/lead\/lead_([^/]+)\/$/.exec(request.path) ?? [];
    if (lead !== undefined) return this.#lead(lead);
    const [, view] = /^\/api\/v1\/saved_search\/([^/]+)\/$/.exec(request.path) ?? [];
    if (view !== undefined) return this.#view(view);
    switch (`${request.method} ${request.path}`) {
      case 'GET /api/v1/me/':
        return { status: 200, body: { id: 'user_1', organizations: [{ id: 'orga_1', name: 'Acme Ltd.' }] } };
      case 'GET /api/v1/custom_field/contact/':
        return this.#custom(request.query);
      case 'POST /api/v1/data/search/':
        return this.#search(request.body as Search);
      case 'POST /api/v1/contact/':
        return this.#make(request.body as ContactBody);
      case 'POST /api/v1/activity/note/':
        return this.#note(request.body as Readonly<Record<string, string>>);
      default:
        return { status: 404, body: { error: 'Not found' } };
    }
  }

  #letsIn(authorization: string): boolean {
    const [scheme, secret = ''] = authorization.split(' ');
    const shown = scheme === 'Basic' ? Buffer.from(secret, 'base64').toString('utf8').replace(/:$/, '') : secret;
    return this.tokens.has(shown);
  }

  #contact({ method, query, body }: Served, id: string): ServerAnswer {
    const person = this.store.get(id);
    if (!person) return { status: 404, body: { error: 'Not found' } };
    if (method === 'GET') return { status: 200, body: only(contact(person), query.get('_fields')?.split(',')) };
    const fault = this.#faultOf(body as ContactBody);
    if (fault) return fault;
    return { status: 200, body: contact(this.store.change(id, changesOf(body as ContactBody)) as StoredPerson) };
  }

  #make(body: ContactBody): ServerAnswer {
    return this.#faultOf(body) ?? { status: 200, body: contact(this.store.add(changesOf(body))) };
  }

  #faultOf(body: ContactBody): ServerAnswer | null {
    const custom = Object.keys(body).find(
      (name) => name.startsWith('custom.') && !this.customFields.some(({ id }) => name === `custom.${id}`),
    );
    if (custom !== undefined) return fieldError(custom, 'Custom field not found.');
    const known = /^(name|title|emails|phones|urls|lead_id|custom\.)/;
    const other = Object.keys(body).find((name) => !known.test(name));
    if (other !== undefined) throw new Error(`A contact has no ${other}`);
    if (typeof body.title === 'string' && body.title.length > 1_000) return fieldError('title', 'Too long.');
    const wrong = body.emails?.find(({ email }) => !/^[^@\s]+@[^@\s]+$/.test(email));
    return wrong ? fieldError('emails', 'Invalid email address.') : null;
  }

  #note(body: Readonly<Record<string, string>>): ServerAnswer {
    const { lead_id: leadId, contact_id: contactId = '' } = body;
    if (leadId !== leadOf(contactId)) return fieldError('lead_id', 'The contact is not of this lead.');
    if (!this.store.get(contactId)) return { status: 404, body: { error: 'Not found' } };
    return {
      status: 200,
      body: { ...body, _type: 'Note', id: `acti_${this.store.record(contactId, 'note', body).id}` },
    };
  }

  #lead(end: string): ServerAnswer {
    const person = this.store.get(`cont_${end}`);
    return person
      ? { status: 200, body: { id: leadOf(person.id), name: company(person) } }
      : { status: 404, body: { error: 'Not found' } };
  }

  #view(id: string): ServerAnswer {
    const view = this.views.get(id);
    return view ? { status: 200, body: { id, ...view } } : { status: 404, body: { error: 'Not found' } };
  }

  #custom(query: URLSearchParams): ServerAnswer {
    const skip = Number(query.get('_skip') ?? 0);
    const page = this.customFields.slice(skip, skip + Number(query.get('_limit') ?? 100));
    return { status: 200, body: { data: page, has_more: skip + page.length < this.customFields.length } };
  }

  #search({ query, sort = [], _fields = {}, _limit = 100, cursor, include_counts }: Search): ServerAnswer {
    if (_limit > MOST) return fieldError('_limit', `Must be at most ${MOST}.`);
    const place = cursor === undefined ? { from: 0, at: this.#clockMs } : this.#cursors.get(cursor);
    if (!place || this.#clockMs - place.at > CURSOR_MS) return { status: 400, body: { error: 'Expired cursor' } };
    if (place.from + _limit > MOST_RESULTS) return fieldError('cursor', 'No more than 10000 results.');
    if (sort.some(({ direction, field }) => direction !== 'asc' || field.field_name !== 'date_created')) {
      return fieldError('sort', 'This server sorts by date_created only.');
    }
    const type = query.queries?.find((one) => one.type === 'object_type')?.object_type ?? '';
    const unknown = this.#unknownIn(query);
    if (unknown !== null) return fieldError(unknown, 'Unknown field.');
    const { results, total } = this.#matching(type, query, place.from, _limit);
    const isEnd = place.from + results.length >= total;
    const columns = _fields[type];
    const data = results.map((person) => ({
      ...only(type === 'lead' ? lead(person) : contact(person), columns),
      __object_type: type,
    }));
    const count = include_counts === true ? { count: { limited: results.length, total } } : {};
    return { status: 200, body: { data, cursor: isEnd ? null : this.#cursor(place.from + _limit), ...count } };
  }

  #matching(type: string, query: Query, from: number, limit: number) {
    const known = this.store.tick().getTime() - this.indexLagMs;
    const results: StoredPerson[] = [];
    let total = 0;
    for (const person of this.store.peopleAfter(anchorBefore(query, this.store))) {
      if (person.updatedAt.getTime() > known || !holds(person, query, type)) continue;
      if (total >= from && results.length < limit) results.push(person);
      total += 1;
    }
    return { results, total };
  }

  #unknownIn({ field, queries = [], related_query: related }: Query): string | null {
    const id = field?.custom_field_id;
    if (id !== undefined && !this.customFields.some((custom) => custom.id === id)) return `custom.${id}`;
    return (
      [...queries, ...(related ? [related] : [])].map((one) => this.#unknownIn(one)).find((one) => one !== null) ?? null
    );
  }

  #cursor(from: number): string {
    const token = `cursor${this.#cursors.size + 1}`;
    this.#cursors.set(token, { from, at: this.#clockMs });
    return token;
  }
}

/** Each contact is created without a lead and gets one. */
function leadOf(contactId: string): string {
  return contactId.replace(/^cont_/, 'lead_');
}

function lead(person: StoredPerson): Readonly<Record<string, unknown>> {
  return { id: leadOf(person.id), name: company(person) };
}

function company({ fields }: StoredPerson): unknown {
  return fields['lead_name'] ?? fields['name'];
}

/** In microseconds, the format of Close. */
function moment(at: Date): string {
  return at.toISOString().replace('Z', '000+00:00');
}

function contact({
  id,
  emails,
  fields,
  isOptedOut,
  createdAt,
  updatedAt,
}: StoredPerson): Readonly<Record<string, unknown>> {
  const { lead_name: _company, ...own } = fields;
  return {
    id,
    lead_id: leadOf(id),
    organization_id: 'orga_1',
    phones: [],
    urls: [],
    ...own,
    emails: emails.map((email) => ({ email, type: 'office', is_unsubscribed: isOptedOut })),
    date_created: moment(createdAt),
    date_updated: moment(updatedAt),
  };
}

function only(record: Readonly<Record<string, unknown>>, names: readonly string[] | undefined) {
  return names ? Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name))) : record;
}

function changesOf({ emails, lead_id: _lead, ...fields }: ContactBody) {
  return { fields, ...(emails && { emails: emails.map(({ email }) => email.toLowerCase()) }) };
}

/** The first position to examine: contacts before the `date_created` of the query are skipped. */
function anchorBefore(query: Query, store: CrmStore): string | null {
  const since = query.queries
    ?.flatMap((one) => [one, ...(one.queries ?? [])])
    .find(({ field, condition }) => field?.field_name === 'date_created' && condition?.on_or_after)
    ?.condition?.on_or_after;
  return since ? store.lastBefore(new Date(since.value)) : null;
}

function holds(person: StoredPerson, query: Query, type: string): boolean {
  const { queries = [] } = query;
  switch (query.type) {
    case 'match_all':
      return true;
    case 'object_type':
      return query.object_type === type;
    case 'and':
      return queries.every((one) => holds(person, one, type));
    case 'or':
      return queries.some((one) => holds(person, one, type));
    case 'has_related':
      return query.related_object_type === 'contact_email'
        ? person.emails.some((email) => isText(email, query.related_query?.condition))
        : query.related_query !== undefined && holds(person, query.related_query, 'contact');
    case 'field_condition':
      return isHeld(person, query);
    default:
      throw new Error(`Not understood: ${query.type}`);
  }
}

function isHeld(person: StoredPerson, { field, condition }: Query): boolean {
  const { on_or_after: from, before, type, values = [] } = condition ?? { type: '' };
  if (type === 'moment_range') {
    const at = field?.field_name === 'date_updated' ? person.updatedAt : person.createdAt;
    return (!from || at >= new Date(from.value)) && (!before || at < new Date(before.value));
  }
  const held =
    person.fields[field?.custom_field_id === undefined ? (field?.field_name ?? '') : `custom.${field.custom_field_id}`];
  return type === 'term' ? values.includes(held as string) : typeof held === 'string' && isText(held, condition);
}

function isText(held: string, condition: Condition | undefined): boolean {
  if (condition?.type !== 'text' || condition.mode !== 'exact_value')
    throw new Error('Not understood: only exact texts');
  return held.toLowerCase() === condition.value?.toLowerCase();
}

function fieldError(name: string, message: string): ServerAnswer {
  return { status: 400, body: { 'field-errors': { [name]: message }, errors: [] } };
}

/** As documented (https://developer.close.com/api/overview/rate-limits and http-response-codes). */
export const CLOSE_FAILURES: Readonly<Record<'rate_limited' | 'server' | 'forbidden' | 'rejected', ServerAnswer>> = {
  rate_limited: {
    status: 429,
    headers: { ratelimit: 'limit=100, remaining=0, reset=2' },
    body: { error: { rate_reset: 2.4, message: 'API call count exceeded for this 15 second window', rate_limit: 100 } },
  },
  server: { status: 503, body: { error: 'Service unavailable' } },
  forbidden: { status: 403, body: { error: 'You do not have permission (canary-token).' } },
  rejected: { status: 400, body: { 'field-errors': {}, errors: ['Something is wrong.'] } },
};
