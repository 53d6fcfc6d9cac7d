import { CrmStore, type StoredPerson } from './crm-store';
import { type Served, type ServerAnswer, VendorServer } from './vendor-server';

interface Property {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly fieldType: string;
  readonly hubspotDefined?: boolean;
  readonly calculated?: boolean;
  readonly hidden?: boolean;
  readonly referencedObjectType?: string;
  readonly options?: readonly { readonly label: string; readonly value: string }[];
  readonly modificationMetadata?: { readonly readOnlyValue: boolean };
}

interface Filter {
  readonly propertyName: string;
  readonly operator: string;
  readonly value?: string;
  readonly values?: readonly string[];
}

interface Input {
  readonly id?: string;
  readonly idProperty?: string;
  readonly properties?: Readonly<Record<string, string>>;
  readonly objectWriteTraceId?: string;
  readonly associations?: readonly {
    readonly to: { readonly id: string };
    readonly types: readonly { readonly associationTypeId: number }[];
  }[];
}

interface Body {
  readonly inputs?: readonly Input[];
  readonly properties?: readonly string[];
  readonly filterGroups?: readonly { readonly filters: readonly Filter[] }[];
  readonly limit?: number;
}

const BATCH = 100;
/** Maximum values of one `IN`. */
const MOST_VALUES = 100;
const SEARCH = 200;
const MEMBERS = 250;

const own = (
  name: string,
  label: string,
  type = 'string',
  fieldType = 'text',
  more: Partial<Property> = {},
): Property => ({
  name,
  label,
  type,
  fieldType,
  hubspotDefined: true,
  ...more,
});

/** The CRM API v3 of HubSpot on 127.0.0.1, limited to contacts, notes, emails and lists. */
export class HubSpotServer extends VendorServer {
  readonly store = new CrmStore((n) => String(100_000 + n));
  properties: Property[] = [
    own('email', 'Email'),
    own('firstname', 'First Name'),
    own('lastname', 'Last Name'),
    own('company', 'Company Name'),
    own('jobtitle', 'Job Title'),
    own('phone', 'Phone Number', 'string', 'phonenumber'),
    own('website', 'Website URL'),
    own('lifecyclestage', 'Lifecycle Stage', 'enumeration', 'radio', { options: [{ label: 'Lead', value: 'lead' }] }),
    own('hubspot_owner_id', 'Contact owner', 'enumeration', 'select', { referencedObjectType: 'OWNER' }),
    own('hs_email_optout', 'Unsubscribed from all email', 'bool', 'booleancheckbox'),
    own('hs_object_id', 'Record ID', 'number', 'number', { modificationMetadata: { readOnlyValue: true } }),
    own('lastmodifieddate', 'Last Modified Date', 'datetime', 'date', {
      modificationMetadata: { readOnlyValue: true },
    }),
    own('hs_additional_emails', 'Additional email addresses', 'enumeration', 'checkbox', { options: [] }),
    own('hs_secret_score', 'Score', 'number', 'number', { hidden: true }),
    { name: 'shoe_size', label: 'Shoe size', type: 'string', fieldType: 'text', hubspotDefined: false },
  ];
  /** Delay after which a search finds a change (milliseconds): "it may take a few moments". */
  indexLagMs = 0;
  /** Whether batches report each invalid item (207) or refuse all items (400). */
  tellsWhoIsWrong = false;

  protected answer(request: Served): ServerAnswer {
    const [, token] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    if (token === undefined || !this.tokens.has(token)) {
      return failure(401, 'EXPIRED_AUTHENTICATION', `The OAuth token used to make this call expired: ${token}`);
    }
    const body = (request.body ?? {}) as Body;
    const list = /^\/crm\/v3\/lists\/([^/]+)\/memberships$/.exec(request.path)?.[1];
    if (list !== undefined) return this.#members(list, request.query);
    switch (`${request.method} ${request.path}`) {
      case 'GET /account-info/v3/details':
        return { status: 200, body: { portalId: 12_345, accountType: 'STANDARD', uiDomain: 'app.hubspot.com' } };
      case 'GET /crm/v3/properties/contacts':
        return { status: 200, body: { results: this.properties } };
      case 'POST /crm/v3/objects/contacts/search':
        return this.#search(body);
      case 'POST /crm/v3/objects/contacts/batch/read':
        return this.#read(body);
      case 'POST /crm/v3/objects/contacts/batch/upsert':
        return this.#batch(body, (input) => this.#upsert(input));
      case 'POST /crm/v3/objects/contacts/batch/update':
        return this.#batch(body, (input) => this.#update(input));
      case 'POST /crm/v3/objects/notes/batch/create':
        return this.#batch(body, (input) => this.#engagement(input, 'note', 202));
      case 'POST /crm/v3/objects/emails/batch/create':
        return this.#batch(body, (input) => this.#engagement(input, 'email', 198));
      default:
        return failure(404, 'OBJECT_NOT_FOUND', 'Unknown path');
    }
  }

  #search({ filterGroups = [], limit = 10, properties = [] }: Body): ServerAnswer {
    if (limit > SEARCH) return failure(400, 'VALIDATION_ERROR', `limit must be at most ${SEARCH}`);
    const filters = filterGroups.flatMap((group) => group.filters);
    if (filterGroups.length > 5 || filters.length > 18 || filterGroups.some((group) => group.filters.length > 6)) {
      return failure(400, 'VALIDATION_ERROR', 'Too many filters');
    }
    if (filters.some(({ values = [] }) => values.length > MOST_VALUES)) {
      return failure(400, 'VALIDATION_ERROR', `The maximum number of values of a filter is ${MOST_VALUES}`);
    }
    const unknown = filters.find(({ propertyName }) => !this.#has(propertyName));
    if (unknown) return failure(400, 'VALIDATION_ERROR', `Property '${unknown.propertyName}' does not exist`);
    const { results, total } = this.#matching(filterGroups, limit);
    const next = total > limit ? { paging: { next: { after: String(limit) } } } : {};
    return { status: 200, body: { total, results: results.map((person) => contact(person, properties)), ...next } };
  }

  #matching(groups: readonly { readonly filters: readonly Filter[] }[], limit: number) {
    const known = this.store.tick().getTime() - this.indexLagMs;
    const after = groups.length === 1 ? groups[0]?.filters.find(({ operator }) => operator === 'GT')?.value : undefined;
    const results: StoredPerson[] = [];
    let total = 0;
    for (const person of this.store.peopleAfter(after ?? null)) {
      if (person.updatedAt.getTime() > known) continue;
      if (groups.length > 0 && !groups.some(({ filters }) => filters.every((one) => holds(person, one)))) continue;
      total += 1;
      if (results.length < limit) results.push(person);
    }
    return { results, total };
  }

  #read({ inputs = [], properties = [] }: Body): ServerAnswer {
    const refused = tooMany(inputs);
    if (refused) return refused;
    if (inputs.some(({ id = '' }) => !/^\d+$/.test(id))) return failure(400, 'VALIDATION_ERROR', 'Invalid id');
    const found = inputs.flatMap(({ id = '' }) => this.store.get(id) ?? []);
    const gone = inputs.flatMap(({ id = '' }) => (this.store.get(id) ? [] : [id]));
    const results = found.map((person) => contact(person, properties));
    if (gone.length === 0) return { status: 200, body: { status: 'COMPLETE', results } };
    const message = 'Could not get some CONTACT objects, they may be deleted or not exist. Check that ids are valid.';
    const error = { status: 'error', category: 'OBJECT_NOT_FOUND', message, context: { ids: gone } };
    return { status: 207, body: { status: 'COMPLETE', results, numErrors: 1, errors: [error] } };
  }

  #batch({ inputs = [] }: Body, carryOut: (input: Input) => object): ServerAnswer {
    const refused = tooMany(inputs);
    if (refused) return refused;
    const names = inputs.flatMap(({ id }) => id?.toLowerCase() ?? []);
    if (new Set(names).size < names.length)
      return failure(400, 'VALIDATION_ERROR', 'Duplicate IDs found in batch input');
    const faults = inputs.map((input) => this.#faultOf(input));
    const first = faults.find((fault) => fault !== null);
    if (first && !this.tellsWhoIsWrong) return first;
    const results = inputs.flatMap((input, at) =>
      faults[at] ? [] : [{ ...carryOut(input), objectWriteTraceId: input.objectWriteTraceId }],
    );
    if (!first) return { status: 200, body: { status: 'COMPLETE', results } };
    const errors = inputs.flatMap(({ objectWriteTraceId }, at) => {
      const fault = faults[at]?.body;
      return fault ? [{ ...fault, context: { objectWriteTraceId: [objectWriteTraceId] } }] : [];
    });
    return { status: 207, body: { status: 'COMPLETE', results, numErrors: errors.length, errors } };
  }

  #faultOf({ id = '', idProperty, properties = {}, associations }: Input) {
    const missing = Object.keys(properties).find((name) => associations === undefined && !this.#has(name));
    if (missing !== undefined) {
      return invalid({
        message: `Property "${missing}" does not exist`,
        error: 'PROPERTY_DOESNT_EXIST',
        name: missing,
      });
    }
    const long = Object.entries(properties).find(([, value]) => value.length > 65_536);
    if (long) return invalid({ message: `${long[0]} is too long`, error: 'VALUE_TOO_LONG', name: long[0] });
    const stage = properties['lifecyclestage'];
    if (stage !== undefined && stage !== '' && stage !== 'lead') {
      return invalid({
        message: `${stage} was not one of the allowed options`,
        error: 'INVALID_OPTION',
        name: 'lifecyclestage',
      });
    }
    if (idProperty === 'email') {
      if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(id)) {
        return invalid({ message: `Email address ${id} is invalid`, error: 'INVALID_EMAIL', name: 'email' });
      }
      const [other] = this.store.withEmail(id);
      const isSecond = other && other.emails[0]?.toLowerCase() !== id.toLowerCase();
      return isSecond ? failure(409, 'CONFLICT', `Contact already exists. Existing ID: ${other.id}`) : null;
    }
    const person = associations ? associations[0]?.to.id : id;
    return this.store.get(person ?? '') ? null : failure(404, 'OBJECT_NOT_FOUND', `CONTACT=${person} is not valid`);
  }

  #upsert({ id = '', properties = {} }: Input): object {
    const [there] = this.store.withEmail(id);
    const changes = changesOf(properties);
    const person = there
      ? this.store.change(there.id, changes)
      : this.store.add({ emails: [id.toLowerCase()], ...changes });
    return { ...contact(person as StoredPerson, Object.keys(properties)), new: !there };
  }

  #update({ id = '', properties = {} }: Input): object {
    const person = this.store.change(id, changesOf(properties)) as StoredPerson;
    return contact(person, Object.keys(properties));
  }

  #engagement({ properties = {}, associations = [] }: Input, kind: string, type: number): object {
    const [association] = associations;
    if (association?.types[0]?.associationTypeId !== type) throw new Error(`A ${kind} is tied to a contact by ${type}`);
    const { id } = this.store.record(association.to.id, kind, properties);
    return { id, properties };
  }

  #members(listId: string, query: URLSearchParams): ServerAnswer {
    const members = this.store.lists.get(listId);
    if (!members) return failure(404, 'OBJECT_NOT_FOUND', `List does not exist with ID ${listId}.`);
    const limit = Number(query.get('limit') ?? 100);
    if (limit > MEMBERS) return failure(400, 'VALIDATION_ERROR', `limit must be at most ${MEMBERS}`);
    const from = Number(query.get('after') ?? 0);
    const ids = [...members].sort().slice(from, from + limit);
    const next = from + limit < members.size ? { paging: { next: { after: String(from + limit) } } } : {};
    const results = ids.map((recordId) => ({ recordId, membershipTimestamp: '2026-11-01T00:00:00Z' }));
    return { status: 200, body: { results, total: members.size, ...next } };
  }

  #has(name: string): boolean {
    return this.properties.some((property) => property.name === name);
  }
}

function contact(
  { id, emails, fields, ownerId, isOptedOut, createdAt, updatedAt }: StoredPerson,
  asked: readonly string[],
) {
  const [email = null, ...others] = emails;
  const all: Record<string, unknown> = {
    ...fields,
    email,
    hs_additional_emails: others.length === 0 ? null : others.join(';'),
    hubspot_owner_id: ownerId,
    hs_email_optout: isOptedOut ? 'true' : null,
    hs_object_id: id,
    lastmodifieddate: updatedAt.toISOString(),
  };
  // A requested property without a value is null; an unknown property is omitted.
  const properties = Object.fromEntries(asked.map((name) => [name, all[name] === '' ? null : (all[name] ?? null)]));
  return { id, properties, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString(), archived: false };
}

function changesOf({ hubspot_owner_id: ownerId, ...fields }: Readonly<Record<string, string>>) {
  return { fields, ...(ownerId !== undefined && { ownerId }) };
}

function holds(person: StoredPerson, { propertyName, operator, value = '', values = [] }: Filter): boolean {
  if (propertyName === 'lastmodifieddate') return person.updatedAt.getTime() >= Number(value);
  if (propertyName === 'hs_object_id') return Number(person.id) > Number(value);
  if (propertyName === 'hubspot_owner_id') return person.ownerId === value;
  if (operator !== 'IN') throw new Error(`Not understood: ${operator}`);
  const [main = '', ...others] = person.emails;
  const has = (text: string) =>
    values.includes(text.toLowerCase()) || (propertyName === 'lifecyclestage' && values.includes(text));
  if (propertyName === 'email') return has(main);
  if (propertyName === 'hs_additional_emails') return others.some((email) => has(email));
  const held = person.fields[propertyName];
  return typeof held === 'string' && held !== '' && has(held);
}

function tooMany(inputs: readonly Input[]): ServerAnswer | null {
  return inputs.length > BATCH ? failure(400, 'VALIDATION_ERROR', `The maximum batch size is ${BATCH}`) : null;
}

function invalid(what: { readonly message: string; readonly error: string; readonly name: string }) {
  const told = JSON.stringify([{ isValid: false, ...what, localizedErrorMessage: what.message }]);
  return failure(400, 'VALIDATION_ERROR', `Property values were not valid: ${told}`);
}

function failure(status: number, category: string, message: string) {
  return {
    status,
    body: { status: 'error', message, correlationId: 'c033cdaa-2c40-4a64-ae48-b4cec88dad24', category },
  };
}

/** As documented (https://developers.hubspot.com/docs/api-reference/error-handling). */
export const HUBSPOT_FAILURES: Readonly<
  Record<'rate_limited' | 'quota' | 'server' | 'forbidden' | 'rejected', ServerAnswer>
> = {
  rate_limited: {
    status: 429,
    body: {
      ...failure(429, 'RATE_LIMITS', 'You have reached your ten_secondly_rolling limit.').body,
      policyName: 'TEN_SECONDLY_ROLLING',
    },
  },
  quota: {
    status: 429,
    body: { ...failure(429, 'RATE_LIMITS', 'You have reached your daily limit.').body, policyName: 'DAILY' },
  },
  server: failure(503, 'SERVICE_UNAVAILABLE', 'The server is temporarily unavailable'),
  forbidden: failure(
    403,
    'MISSING_SCOPES',
    'This app hasn’t been granted all required scopes to make this call. canary-token',
  ),
  rejected: failure(400, 'VALIDATION_ERROR', 'There was a problem with the request.'),
};
