import { type CrmAuth } from '../port/crm-account';
import { type CrmReason } from '../port/crm.errors';
import { type CrmSession } from '../port/crm-session';

/** Failures that a vendor's test server can return. */
export type ScriptedReason = Extract<CrmReason, 'rate_limited' | 'quota' | 'server' | 'forbidden' | 'rejected'>;

/** The input for a new person at the vendor. */
export interface NewPerson {
  emails?: string[];
  fields?: Record<string, unknown>;
  ownerId?: string | null;
  isOptedOut?: boolean;
}

/** A person in the vendor's store. */
export interface TestPerson {
  readonly id: string;
  readonly emails: readonly string[];
  readonly fields: Readonly<Record<string, unknown>>;
  readonly ownerId: string | null;
}

/** The capabilities and differences of a vendor. */
export interface CrmTestTraits {
  /** API names of the fields `first` and `last` name, and `own`, a custom text field. All are writable. */
  readonly fields: { readonly first: string; readonly last: string; readonly own: string };
  /** Two existing owners. */
  readonly owners: readonly [string, string];
  /** Well-formed ids without a person. */
  readonly strangers: readonly [string, string];
  /** Whether the vendor stores an opt-out of email. */
  readonly knowsOptOut: boolean;
  /** Whether a person may have several addresses, each of which finds the person. */
  readonly hasSeveralEmails: boolean;
  /** Whether the vendor allows two people with one address. */
  readonly allowsDuplicates: boolean;
  /** The outcome of creating a person whose address exists at the vendor. */
  readonly onTakenEmail: 'merged' | 'duplicate' | 'created';
  /** Whether the owner can be read and written. */
  readonly hasOwners: boolean;
  readonly hasLists: boolean;
  /** A value that `first` must not have: the person is refused as `invalid`. Null when the field accepts any text. */
  readonly invalidFirst: string | null;
  /** Whether the vendor names a missing field of a write (as a refusal, `unknown_field`). */
  readonly refusesUnknownWrites: boolean;
  /** The failure reasons that this vendor reports. */
  readonly reasons: readonly ScriptedReason[];
}

/** A driver with an account, and its scripted server. */
export interface CrmTestEnvironment {
  readonly traits: CrmTestTraits;
  /** A session with this authentication, valid by default. */
  open(auth?: CrmAuth): CrmSession;
  /** A valid token. */
  readonly token: string;
  /** Makes this the only valid token. */
  onlyLetsIn(token: string): void;
  add(person: NewPerson): string | Promise<string>;
  change(id: string, changes: NewPerson): void | Promise<void>;
  remove(id: string): void | Promise<void>;
  person(id: string): TestPerson | undefined;
  /** Advances the vendor's clock and updates its search index. */
  passes(ms: number): void;
  /** The number of people. */
  size(): number;
  /** The activities recorded for a person, oldest first, as searchable text. */
  recorded(personId: string): readonly string[];
  /** Creates a list of the vendor with these members and returns its id. Only where the vendor has lists. */
  list?(members: readonly string[]): string;
  /** Scripts the response to the next request. */
  fails(reason: ScriptedReason, retryAfterMs?: number): void;
  /** The next request gets no response: it took no effect (`before`) or full effect (`after`). */
  cuts(when: 'before' | 'after'): void;
  /** The next request gets no response. */
  staysSilent(): void;
  /** The next read or write gets a response with status 200 that does not come from the vendor's API. */
  garbles(isWrite: boolean): void;
  close(): Promise<void>;
}
