/** A person in the store of a local vendor. */
export interface StoredPerson {
  readonly id: string;
  /** The main one first. */
  emails: string[];
  /** By the vendor's own names. */
  fields: Record<string, unknown>;
  ownerId: string | null;
  isOptedOut: boolean;
  readonly createdAt: Date;
  updatedAt: Date;
}

export interface StoredActivity {
  readonly id: string;
  readonly personId: string;
  readonly kind: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export type NewPerson = Partial<Pick<StoredPerson, 'emails' | 'fields' | 'ownerId' | 'isOptedOut'>>;

/**
 * The people of a local vendor, in memory. Its clock starts at a fixed time and advances by a millisecond with every change, so that all
 * runs are equal.
 */
export class CrmStore {
  readonly activities: StoredActivity[] = [];
  /** Ids of the members of lists, by the list's id. */
  readonly lists = new Map<string, Set<string>>();
  readonly #people = new Map<string, StoredPerson>();
  /** Ids in the order of creation, including removed people, with the position of each. */
  readonly #order: string[] = [];
  readonly #places = new Map<string, number>();
  readonly #madeAt: number[] = [];
  readonly #idsByEmail = new Map<string, Set<string>>();
  #elapsedMs = 0;
  #made = 0;

  constructor(
    /** The id of the nth record, from 1, in the vendor's format. Later ids must sort after earlier ones. */
    private readonly idOf: (n: number) => string,
    private readonly beginsAt = new Date('2026-11-01T00:00:00.000Z'),
  ) {}

  get size(): number {
    return this.#people.size;
  }

  /** In the order of creation. */
  people(): IterableIterator<StoredPerson> {
    return this.#people.values();
  }

  /** The people created after this one, in order; null: all. */
  *peopleAfter(id: string | null): Generator<StoredPerson> {
    const from = id === null ? 0 : (this.#places.get(id) ?? this.#order.length - 1) + 1;
    for (let at = from; at < this.#order.length; at += 1) {
      const person = this.#people.get(this.#order[at] ?? '');
      if (person) yield person;
    }
  }

  /** The last person created before this time; null without one. */
  lastBefore(at: Date): string | null {
    let [low, high] = [0, this.#madeAt.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#madeAt[middle] ?? 0) < at.getTime()) low = middle + 1;
      else high = middle;
    }
    return this.#order[low - 1] ?? null;
  }

  get(id: string): StoredPerson | undefined {
    return this.#people.get(id);
  }

  /** All people with this address, regardless of case. */
  withEmail(email: string): StoredPerson[] {
    const ids = this.#idsByEmail.get(email.toLowerCase()) ?? [];
    return [...ids].flatMap((id) => this.#people.get(id) ?? []);
  }

  add({ emails = [], fields = {}, ownerId = null, isOptedOut = false }: NewPerson): StoredPerson {
    const at = this.tick();
    const id = this.nextId();
    const person = {
      id,
      emails: [...emails],
      fields: { ...fields },
      ownerId,
      isOptedOut,
      createdAt: at,
      updatedAt: at,
    };
    this.#people.set(id, person);
    this.#places.set(id, this.#order.push(id) - 1);
    this.#madeAt.push(at.getTime());
    this.#index(person);
    return person;
  }

  change(id: string, changes: NewPerson): StoredPerson | undefined {
    const person = this.#people.get(id);
    if (!person) return undefined;
    if (changes.emails) {
      this.#forget(person);
      person.emails = [...changes.emails];
      this.#index(person);
    }
    Object.assign(person.fields, changes.fields);
    if (changes.ownerId !== undefined) person.ownerId = changes.ownerId;
    if (changes.isOptedOut !== undefined) person.isOptedOut = changes.isOptedOut;
    person.updatedAt = this.tick();
    return person;
  }

  remove(id: string): boolean {
    const person = this.#people.get(id);
    if (person) this.#forget(person);
    return this.#people.delete(id);
  }

  record(personId: string, kind: string, body: Readonly<Record<string, unknown>>): StoredActivity {
    const activity = { id: this.nextId(), personId, kind, body };
    this.activities.push(activity);
    return activity;
  }

  /** `person1@example.com` and so on, each with the fields that `parseFields` gives it. */
  fill(count: number, fieldsOf: (n: number) => Record<string, unknown> = () => ({})): void {
    for (let n = 1; n <= count; n += 1) this.add({ emails: [`person${n}@example.com`], fields: fieldsOf(n) });
  }

  /** An unused id. */
  nextId(): string {
    this.#made += 1;
    return this.idOf(this.#made);
  }

  /** The next time of this vendor's clock. */
  tick(): Date {
    this.#elapsedMs += 1;
    return new Date(this.beginsAt.getTime() + this.#elapsedMs);
  }

  /** Advances the clock. */
  passes(ms: number): void {
    this.#elapsedMs += ms;
  }

  #index({ id, emails }: StoredPerson): void {
    for (const email of emails) {
      const key = email.toLowerCase();
      const ids = this.#idsByEmail.get(key);
      if (ids) ids.add(id);
      else this.#idsByEmail.set(key, new Set([id]));
    }
  }

  #forget({ id, emails }: StoredPerson): void {
    for (const email of emails) {
      const key = email.toLowerCase();
      const ids = this.#idsByEmail.get(key);
      ids?.delete(id);
      if (ids?.size === 0) this.#idsByEmail.delete(key);
    }
  }
}
