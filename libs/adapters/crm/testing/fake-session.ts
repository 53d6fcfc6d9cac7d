import { type CrmAccount } from '../port/crm-account';
import { CrmError } from '../port/crm.errors';
import { type CrmField, type CrmPerson, type CrmValue } from '../port/crm-person';
import {
  type CrmActivity,
  type CrmFilter,
  type CrmIdentity,
  type CrmLimits,
  type CrmPage,
  type CrmPull,
  type CrmRecorded,
  type CrmSession,
  type CrmWrite,
  type CrmWritten,
} from '../port/crm-session';
import { type CrmStore, type StoredPerson } from './crm-store';

const LOST = 'The connection to the CRM was lost';

export type FakeCall = 'identity' | 'fields' | 'pull' | 'find' | 'read' | 'write' | 'record';

export type FakeRefusal = Omit<Extract<CrmWritten, { kind: 'refused' }>, 'key' | 'kind'>;

/** The CRM of the session. */
export interface FakeAccount {
  readonly type: string;
  readonly store: CrmStore;
  readonly fields: readonly CrmField[];
  readonly missingFields: ReadonlySet<string>;
  readonly refusals: ReadonlyMap<string, FakeRefusal>;
  readonly allowsDuplicates: boolean;
  readonly limits: Omit<CrmLimits, 'requestsFor'>;
  begins(call: FakeCall, account: CrmAccount, signal?: AbortSignal): Promise<'lost' | 'cut' | null>;
}

/** A session of the in-memory CRM. */
export class FakeCrmSession implements CrmSession {
  cooldownUntil: Date | null = null;
  #requests = 0;

  constructor(
    private readonly crm: FakeAccount,
    private readonly account: CrmAccount,
  ) {}

  get limits(): CrmLimits {
    const { limits } = this.crm;
    const sizes = {
      pull: limits.page,
      find: limits.find,
      read: limits.read,
      write: limits.write,
      record: limits.record,
    };
    return {
      ...limits,
      requestsFor: (call, count) => Math.max(call === 'pull' ? 1 : 0, Math.ceil(count / sizes[call])),
    };
  }

  get requests(): number {
    return this.#requests;
  }

  async identity(signal?: AbortSignal): Promise<CrmIdentity> {
    await this.#begin('identity', signal);
    return { accountId: `account-${this.crm.type}`, accountName: `Fake ${this.crm.type}` };
  }

  async fields(signal?: AbortSignal): Promise<readonly CrmField[]> {
    await this.#begin('fields', signal);
    return this.crm.fields.filter(({ name }) => !this.crm.missingFields.has(name));
  }

  async pull({ filter, fields, cursor }: CrmPull, signal?: AbortSignal): Promise<CrmPage> {
    await this.#begin('pull', signal);
    this.#known([...fields, ...Object.keys(filter.fields ?? {})]);
    const after = cursor === null ? null : parseCursor(cursor);
    if (filter.listId !== undefined && !this.crm.store.lists.has(filter.listId)) {
      throw new CrmError('rejected', 'The CRM has no such list');
    }
    const people: CrmPerson[] = [];
    for (const person of this.crm.store.peopleAfter(after)) {
      if (!this.#isMeant(person, filter)) continue;
      if (people.length === this.limits.page) {
        return { people, cursor: formatCursor(people.at(-1)?.externalId ?? ''), total: null };
      }
      people.push(toPerson(person, fields));
    }
    return { people, cursor: null, total: null };
  }

  async find(
    emails: readonly string[],
    fields: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly CrmPerson[]> {
    if (emails.length === 0) return [];
    this.#within('find', emails.length);
    await this.#begin('find', signal);
    this.#known(fields);
    const found = new Set(emails.flatMap((email) => this.crm.store.withEmail(email)));
    return [...found].map((person) => toPerson(person, fields));
  }

  async read(
    externalIds: readonly string[],
    fields: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly CrmPerson[]> {
    if (externalIds.length === 0) return [];
    this.#within('read', externalIds.length);
    await this.#begin('read', signal);
    this.#known(fields);
    return externalIds.flatMap((id) => {
      const person = this.crm.store.get(id);
      return person ? [toPerson(person, fields)] : [];
    });
  }

  async write(people: readonly CrmWrite[], signal?: AbortSignal): Promise<readonly CrmWritten[]> {
    if (people.length === 0) return [];
    this.#within('write', people.length);
    const fate = await this.#begin('write', signal);
    const ambiguous = people.map(({ key }) => ({ key, kind: 'ambiguous' as const, message: LOST }));
    if (fate === 'cut') return ambiguous;
    const written = people.map((person) => this.#write(person));
    return fate === 'lost' ? ambiguous : written;
  }

  async record(activities: readonly CrmActivity[], signal?: AbortSignal): Promise<readonly CrmRecorded[]> {
    if (activities.length === 0) return [];
    this.#within('record', activities.length);
    const fate = await this.#begin('record', signal);
    const ambiguous = activities.map(({ key }) => ({ key, kind: 'ambiguous' as const, message: LOST }));
    if (fate === 'cut') return ambiguous;
    const recorded = activities.map((activity) => this.#record(activity));
    return fate === 'lost' ? ambiguous : recorded;
  }

  async #begin(call: FakeCall, signal?: AbortSignal): Promise<'lost' | 'cut' | null> {
    this.#requests += 1;
    try {
      const fate = await this.crm.begins(call, this.account, signal);
      if (fate !== null && call !== 'write' && call !== 'record') throw new CrmError('unreachable', LOST);
      return fate;
    } catch (error) {
      const wait = error instanceof CrmError ? error.retryAfterMs : null;
      if (wait !== null) this.cooldownUntil = new Date(Date.now() + wait);
      throw error;
    }
  }

  #within(call: 'find' | 'read' | 'write' | 'record', count: number): void {
    if (count > this.limits[call]) throw new RangeError(`${count} is more than one ${call} takes`);
  }

  #known(fields: readonly string[]): void {
    const field = fields.find((name) => this.crm.missingFields.has(name));
    if (field !== undefined) throw new CrmError('unknown_field', `The CRM has no field ${field}`, { field });
  }

  #isMeant(person: StoredPerson, { updatedSince, ownerId, listId, fields = {} }: CrmFilter): boolean {
    if (updatedSince !== undefined && person.updatedAt < updatedSince) return false;
    if (ownerId !== undefined && person.ownerId !== ownerId) return false;
    if (listId !== undefined && this.crm.store.lists.get(listId)?.has(person.id) !== true) return false;
    return Object.entries(fields).every(([name, values]) => values.includes((person.fields[name] ?? '') as string));
  }

  #write({ key, externalId, email, fields, ownerId }: CrmWrite): CrmWritten {
    const { store, missingFields, refusals, allowsDuplicates } = this.crm;
    const refused = { key, kind: 'refused' as const, field: null, externalId: null };
    const field = Object.keys(fields).find((name) => missingFields.has(name));
    if (field !== undefined) return { ...refused, reason: 'unknown_field', message: `No field ${field}`, field };
    const refusal = refusals.get(email);
    if (refusal) return { ...refused, ...refusal };
    const changes = { fields: { ...fields }, ...(ownerId !== undefined && { ownerId }) };
    const there = externalId ?? (allowsDuplicates ? undefined : store.withEmail(email)[0]?.id);
    if (there === undefined) {
      const person = store.add({ emails: [email], ...changes });
      return { key, kind: 'created', externalId: person.id, updatedAt: person.updatedAt };
    }
    const changed = store.change(there, changes);
    if (!changed) return { ...refused, reason: 'gone', message: 'Nobody has this id' };
    const kind = externalId === null ? 'merged' : 'updated';
    return { key, kind, externalId: there, updatedAt: changed.updatedAt };
  }

  #record({ key, externalId, kind, ...body }: CrmActivity): CrmRecorded {
    const { store } = this.crm;
    if (!store.get(externalId)) return { key, kind: 'refused', reason: 'gone', message: 'Nobody has this id' };
    return { key, kind: 'recorded', activityId: store.record(externalId, kind, body).id };
  }
}

function toPerson(person: StoredPerson, fields: readonly string[]): CrmPerson {
  return {
    externalId: person.id,
    emails: [...person.emails],
    fields: Object.fromEntries(fields.map((name) => [name, (person.fields[name] ?? null) as CrmValue])),
    ownerId: person.ownerId,
    isOptedOut: person.isOptedOut,
    createdAt: person.createdAt,
    updatedAt: person.updatedAt,
  };
}

function formatCursor(id: string): string {
  return `after:${id}`;
}

function parseCursor(cursor: string): string {
  const [, id] = /^after:(f\d{9})$/.exec(cursor) ?? [];
  if (id === undefined) throw new CrmError('cursor', 'This is no place in a list of the CRM');
  return id;
}
