import { CrmStore, type StoredPerson } from './crm-store';
import { type Body, getChanges, MARKETING_FIELD, PERSON_FIELDS, personEntry, findFault } from './pipedrive-persons';
import { type Served, type ServerAnswer, VendorServer } from './vendor-server';

const MAX_LIMIT = 500;
const MAX_IDS = 100;
const MAX_KEYS = 15;

/** Cost of a request in the daily budget (`x-token-cost` of the OpenAPI document of API v2). */
const COSTS = { list: 10, search: 20, write: 5 } as const;

export const PIPEDRIVE_OWNERS = [71, 72] as const;

/**
 * Persons of a company as documented in Pipedrive's API Reference: pages with cursors, lookups by ids, searches that lag, strict
 * validation, one person per write, two-second windows and a daily budget.
 */
export class PipedriveServer extends VendorServer {
  readonly store = new CrmStore((n) => String(n));
  /** Organisation names by id. */
  readonly organisations = new Map<number, string>();
  /** Whether the company has the Campaigns product. */
  hasMarketing = true;
  /** The remaining requests and searches of the two-second window until the next one starts (`newWindow`); null: not counted. */
  left: number | null = null;
  searchesLeft: number | null = null;
  /** The remaining daily budget. */
  budget = Number.POSITIVE_INFINITY;
  /** Delay after which a search finds a change (milliseconds of the store's clock). */
  searchLagMs = 0;

  newWindow(requests: number, searches: number): void {
    this.left = requests;
    this.searchesLeft = searches;
  }

  protected override answer(request: Served): ServerAnswer {
    const { headers, path, method } = request;
    const token = headers['x-api-token'] ?? headers.authorization?.replace(/^Bearer /, '') ?? '';
    if (typeof token !== 'string' || !this.tokens.has(token)) return refusal(401, 'unauthorized access');
    const isSearch = path.endsWith('/search');
    const left = isSearch ? this.searchesLeft : this.left;
    const window = { 'x-ratelimit-limit': isSearch ? '10' : '20', 'x-ratelimit-reset': '2' };
    if (left === 0)
      return { ...refusal(429, 'request over limit'), headers: { ...window, 'x-ratelimit-remaining': '0' } };
    const told = left === null ? {} : { ...window, 'x-ratelimit-remaining': String(left - 1) };
    this.budget -= isSearch ? COSTS.search : method === 'GET' ? COSTS.list : COSTS.write;
    if (this.budget < 0) return { ...refusal(429, 'Too Many Requests'), headers: told };
    if (left !== null && isSearch) this.searchesLeft = left - 1;
    else if (left !== null) this.left = left - 1;
    const answer = this.#answer(request);
    return { ...answer, headers: { ...told, ...answer.headers } };
  }

  #answer({ method, path, query, body }: Served): ServerAnswer {
    const at = `${method} ${path}`;
    if (at === 'GET /api/v1/users/me') return data({ id: 71, company_id: 4_711, company_name: 'Acme Sales' });
    if (at === 'GET /api/v2/personFields') return this.#fields();
    if (at === 'GET /api/v2/persons') return this.#list(query);
    if (at === 'GET /api/v2/persons/search') return this.#search(query);
    if (at === 'GET /api/v2/organizations') return this.#organisationsOf(query);
    if (at === 'POST /api/v2/persons') return this.#make(body as Body);
    if (at === 'POST /api/v2/activities') return this.#activity(body as Body);
    if (at === 'POST /api/v1/notes') return this.#note(body as Body);
    const [, id] = /^PATCH \/api\/v2\/persons\/(\d+)$/.exec(at) ?? [];
    return id === undefined ? refusal(404, 'Unknown endpoint') : this.#change(id, body as Body);
  }

  #fields(): ServerAnswer {
    return page(this.hasMarketing ? [...PERSON_FIELDS, MARKETING_FIELD] : PERSON_FIELDS, null);
  }

  #list(query: URLSearchParams): ServerAnswer {
    const wrong = this.#wrongIn(query);
    if (wrong !== null) return invalid(wrong);
    const keys = query.get('custom_fields')?.split(',') ?? null;
    const hasMarketing = query.get('include_fields') === 'marketing_status';
    const limit = Number(query.get('limit') ?? 100);
    const after = parseCursor(query.get('cursor'));
    if (after === undefined) return invalid('cursor: Invalid cursor');
    const found: StoredPerson[] = [];
    for (const person of this.#candidates(query, after)) {
      if (!this.#isWanted(person, query)) continue;
      found.push(person);
      if (found.length > limit) break;
    }
    const shown = found.slice(0, limit);
    const next = found.length > limit ? formatCursor(shown.at(-1)) : null;
    return page(
      shown.map((person) => personEntry(person, keys, hasMarketing)),
      next,
    );
  }

  #wrongIn(query: URLSearchParams): string | null {
    const limit = Number(query.get('limit') ?? 100);
    const since = query.get('updated_since');
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) return 'limit: Expected a number from 1 to 500';
    if ((query.get('ids') ?? '').split(',').length > MAX_IDS) return 'ids: Too many';
    if ((query.get('custom_fields') ?? '').split(',').length > MAX_KEYS) return 'custom_fields: Too many';
    if (since !== null && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(since))
      return 'updated_since: not a valid datetime';
    if (!['id', 'update_time', 'add_time', null].includes(query.get('sort_by'))) return 'sort_by: Unknown field';
    for (const name of ['owner_id', 'filter_id']) {
      if (query.has(name) && !/^\d+$/.test(query.get(name) ?? '')) return `${name}: Expected a number`;
    }
    return query.has('include_fields') && !this.hasMarketing
      ? 'include_fields: marketing_status is not available'
      : null;
  }

  #candidates(query: URLSearchParams, after: string | null): Iterable<StoredPerson> {
    const ids = query.has('filter_id') ? null : query.get('ids');
    return ids === null ? this.store.peopleAfter(after) : ids.split(',').flatMap((id) => this.store.get(id) ?? []);
  }

  #isWanted(person: StoredPerson, query: URLSearchParams): boolean {
    const since = query.get('updated_since');
    if (since !== null && person.updatedAt < new Date(since)) return false;
    const filter = query.get('filter_id');
    // As documented, a filter makes the API ignore the owner.
    if (filter !== null) return this.store.lists.get(filter)?.has(person.id) ?? false;
    const owner = query.get('owner_id');
    return owner === null || person.ownerId === owner;
  }

  #search(query: URLSearchParams): ServerAnswer {
    const term = query.get('term') ?? '';
    const isExact = query.get('exact_match') === 'true' && query.get('fields') === 'email';
    if (!isExact || term === '') return invalid('term: Expected an address that is searched for exactly');
    const known = new Date(this.store.tick().getTime() - this.searchLagMs);
    const items = this.store
      .withEmail(term)
      .filter(({ createdAt }) => createdAt <= known)
      .map(({ id, emails }) => ({ result_score: 1, item: { id: Number(id), type: 'person', emails } }));
    return { status: 200, body: { success: true, data: { items }, additional_data: { next_cursor: null } } };
  }

  #organisationsOf(query: URLSearchParams): ServerAnswer {
    const ids = (query.get('ids') ?? '').split(',').map(Number);
    if (ids.length > MAX_IDS) return invalid('ids: Too many');
    const found = ids.filter((id) => this.organisations.has(id));
    return page(
      found.map((id) => ({ id, name: this.organisations.get(id) })),
      null,
    );
  }

  #make(body: Body): ServerAnswer {
    const wrong = findFault(body, PIPEDRIVE_OWNERS);
    if (wrong !== null) return invalid(wrong);
    if (typeof body['name'] !== 'string') return invalid("name: Parameter 'name' is required");
    const person = this.store.add({ ownerId: String(PIPEDRIVE_OWNERS[0]), ...getChanges(body) });
    return data(personEntry(person, null, this.hasMarketing), 201);
  }

  #change(id: string, body: Body): ServerAnswer {
    const wrong = findFault(body, PIPEDRIVE_OWNERS);
    if (wrong !== null) return invalid(wrong);
    if (Object.keys(body).length === 0) return invalid('At least one field must be provided');
    const person = this.store.change(id, getChanges(body));
    return person
      ? data(personEntry(person, null, this.hasMarketing))
      : refusal(404, 'Person not found', 'ERR_NOT_FOUND');
  }

  #activity(body: Body): ServerAnswer {
    const { participants, subject, type, done } = body;
    const [first] = Array.isArray(participants) ? (participants as { person_id?: unknown }[]) : [];
    if (typeof subject !== 'string' || type !== 'email' || done !== true)
      return invalid('subject: Expected an activity');
    return this.#recorded(Number(first?.person_id), 'email', body);
  }

  #note(body: Body): ServerAnswer {
    if (typeof body['content'] !== 'string') return refusal(400, 'content is required');
    return this.#recorded(Number(body['person_id']), 'note', body);
  }

  #recorded(personId: number, kind: string, body: Body): ServerAnswer {
    const id = String(personId);
    if (!this.store.get(id)) return refusal(400, `Person with ID ${id} not found or not accessible`);
    return data({ id: Number(this.store.record(id, kind, body).id) }, 201);
  }
}

/** The position after a person; null for the start, undefined for an invalid cursor. */
function parseCursor(cursor: string | null): string | null | undefined {
  if (cursor === null) return null;
  return /^\{"persons":(\d+)\}$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'))?.[1];
}

function formatCursor(person: StoredPerson | undefined): string {
  return Buffer.from(`{"persons":${person?.id ?? 0}}`).toString('base64url');
}

function page(entries: readonly unknown[], next: string | null): ServerAnswer {
  return { status: 200, body: { success: true, data: entries, additional_data: { next_cursor: next } } };
}

function data(entry: unknown, status = 200): ServerAnswer {
  return { status, body: { success: true, data: entry } };
}

function refusal(status: number, error: string, code = 'ERR'): ServerAnswer {
  return { status, body: { success: false, error, code, data: null } };
}

function invalid(sentence: string): ServerAnswer {
  return refusal(400, `Validation failed: ${sentence}`, 'ERR_SCHEMA_VALIDATION_FAILED');
}
