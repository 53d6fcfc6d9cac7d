import { type CrmAuth } from '../port/crm-account';
import { type CrmReason } from '../port/crm.errors';
import { type CrmSession } from '../port/crm-session';

/** Failures that a vendor can be made to answer with. */
export type ScriptedReason = Extract<CrmReason, 'rate_limited' | 'quota' | 'server' | 'forbidden' | 'rejected'>;

/** What a person there is made with. */
export interface NewPerson {
  emails?: string[];
  fields?: Record<string, unknown>;
  ownerId?: string | null;
  isOptedOut?: boolean;
}

/** A person at the vendor, seen from behind. */
export interface TestPerson {
  readonly id: string;
  readonly emails: readonly string[];
  readonly fields: Readonly<Record<string, unknown>>;
  readonly ownerId: string | null;
}

/** What a vendor has, and where it differs from others. */
export interface CrmTestTraits {
  /** Names of fields as the API has them: `first` and `last` name, and `own`: a text that the account made. All writable. */
  readonly fields: { readonly first: string; readonly last: string; readonly own: string };
  /** Two owners who are there. */
  readonly owners: readonly [string, string];
  /** Ids as this vendor has them, of people who are not there. */
  readonly strangers: readonly [string, string];
  /** Whether the vendor says that a person wants no email. */
  readonly knowsOptOut: boolean;
  /** Whether a person may have several addresses, and is found by each. */
  readonly hasSeveralEmails: boolean;
  /** Whether the vendor itself lets two people have one address. */
  readonly allowsDuplicates: boolean;
  /** The outcome of creating a person whose address exists at the vendor. */
  readonly onTakenEmail: 'merged' | 'duplicate' | 'created';
  /** Whether the owner can be read and written. */
  readonly hasOwners: boolean;
  readonly hasLists: boolean;
  /** A value that `first` may not have, by which one of several people is refused as `invalid`; null where a text takes all. */
  readonly invalidFirst: string | null;
  /** Whether the vendor tells the field of a write that it does not have (as a refusal, `unknown_field`). */
  readonly refusesUnknownWrites: boolean;
  /** Reasons that this vendor has an answer for. */
  readonly reasons: readonly ScriptedReason[];
}

/** A driver with an account, and what its other side is made to do. */
export interface CrmTestEnvironment {
  readonly traits: CrmTestTraits;
  /** A session with this auth, or with one that is let in. */
  open(auth?: CrmAuth): CrmSession;
  /** A token that is let in. */
  readonly token: string;
  /** From now on only this token is let in. */
  onlyLetsIn(token: string): void;
  add(person: NewPerson): string | Promise<string>;
  change(id: string, changes: NewPerson): void | Promise<void>;
  remove(id: string): void | Promise<void>;
  person(id: string): TestPerson | undefined;
  /** Lets the vendor's time pass, and makes what its searches do not know yet known to them. */
  passes(ms: number): void;
  /** How many people are there. */
  size(): number;
  /** What was recorded for a person, oldest first, as text to be searched. */
  recorded(personId: string): readonly string[];
  /** A list of the vendor with these members; its id. Only where there are lists. */
  list?(members: readonly string[]): string;
  /** The next request is answered so. */
  fails(reason: ScriptedReason, retryAfterMs?: number): void;
  /** The next request is not answered: nothing was done (`before`), or everything was (`after`). */
  cuts(when: 'before' | 'after'): void;
  /** The next request gets no answer. */
  staysSilent(): void;
  /** The next request, which writes or reads, is answered with 200 by something that is not the vendor's API. */
  garbles(isWrite: boolean): void;
  close(): Promise<void>;
}
