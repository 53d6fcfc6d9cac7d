import { type CrmField, type CrmPerson, type CrmValue } from './crm-person';

/** Whose account it is, for people. */
export interface CrmIdentity {
  /** Id of the account at the vendor: portal, organisation, company, workspace. */
  readonly accountId: string;
  readonly accountName: string;
}

/** Which people are wanted. All that is given must hold. */
export interface CrmFilter {
  /** Changed at this moment or later. Some who were changed within ten minutes before may come too: searches of some vendors lag behind. */
  readonly updatedSince?: Date;
  readonly ownerId?: string;
  /** Members of a list or view of the CRM; vendors without one refuse it (`unsupported`). */
  readonly listId?: string;
  /** Fields that must have one of these values, by the API's names; at most five fields and fifty values each. */
  readonly fields?: Readonly<Record<string, readonly string[]>>;
}

export interface CrmPull {
  readonly filter: CrmFilter;
  /** Names of fields that are wanted. */
  readonly fields: readonly string[];
  /** Where the last page ended; null for the first. */
  readonly cursor: string | null;
}

/** At most `limits.page` people. */
export interface CrmPage {
  readonly people: readonly CrmPerson[];
  /** For the next page; null when this was the last. It stays good for at least a day and over a change of the token. */
  readonly cursor: string | null;
  /** How many there are in all, where the vendor says so. */
  readonly total: number | null;
}

/** A person that is to be made or changed. */
export interface CrmWrite {
  /** Of the caller, to know the result by. */
  readonly key: string;
  /** Null: to be made. */
  readonly externalId: string | null;
  /** Main address, in its normal form; written only when the person is made. */
  readonly email: string;
  /** By the API's names. What is not named is not touched. Null empties a field. */
  readonly fields: Readonly<Record<string, CrmValue>>;
  /** Written only when it is given. */
  readonly ownerId?: string;
}

export type CrmWritten =
  /** `merged`: there was one of this address already (an upsert, or the vendor said so and it was changed). */
  | {
      readonly key: string;
      readonly kind: 'created' | 'updated' | 'merged';
      readonly externalId: string;
      readonly updatedAt: Date | null;
    }
  | {
      readonly key: string;
      readonly kind: 'refused';
      /**
       * `unknown_field`: there is no such field (any more). `invalid`: a value does not fit. `duplicate`: the vendor has another person of this
       * address and says which (`externalId`) or not. `gone`: there is no person of this id (any more). `forbidden`: this one is not ours to write.
       */
      readonly reason: 'unknown_field' | 'invalid' | 'duplicate' | 'gone' | 'forbidden' | 'other';
      /** One sentence of the vendor, without secrets, at most 300 characters. */
      readonly message: string;
      readonly field: string | null;
      readonly externalId: string | null;
    }
  /** It may have happened: no (whole) answer came. Look before trying again. */
  | { readonly key: string; readonly kind: 'ambiguous'; readonly message: string };

/** Something that happened with a person, for the timeline of the CRM. */
export interface CrmActivity {
  readonly key: string;
  readonly externalId: string;
  /** `email`: written to or answered; `note`: everything else. */
  readonly kind: 'email' | 'note';
  readonly direction: 'outgoing' | 'incoming' | null;
  readonly at: Date;
  /** One line. */
  readonly title: string;
  /** Plain text. */
  readonly body: string;
}

export type CrmRecorded =
  | { readonly key: string; readonly kind: 'recorded'; readonly activityId: string }
  | {
      readonly key: string;
      readonly kind: 'refused';
      readonly reason: 'gone' | 'invalid' | 'forbidden' | 'other';
      readonly message: string;
    }
  | { readonly key: string; readonly kind: 'ambiguous'; readonly message: string };

/** What one request of this vendor can carry. */
export interface CrmLimits {
  /** People of one page. */
  readonly page: number;
  /** Addresses of one `find`, ids of one `read`, people of one `write`, activities of one `record`: what the vendor takes in one request, or where it takes one only, how many are worth one call. */
  readonly find: number;
  readonly read: number;
  readonly write: number;
  readonly record: number;
  /** Requests that such a call costs for so many, at the least: the measure of the benchmark. */
  requestsFor(call: 'pull' | 'find' | 'read' | 'write' | 'record', count: number): number;
}

/**
 * A CRM, for as long as a piece of work takes. Nothing is tried again in here but once with a new token after a 401. Every method throws `CrmError` when the
 * call as a whole failed; what one person is refused for is in the result. In a call of several requests, those that were carried out
 * before one failed are in the result too, and the rest is `ambiguous` or thrown when nothing was carried out.
 */
export interface CrmSession {
  readonly limits: CrmLimits;
  /** Requests that were sent so far, tokens not counted. */
  readonly requests: number;
  /** Until when the vendor wants nothing more, by the headers of its last answer; null when there is room. */
  readonly restUntil: Date | null;
  /** Whose account this is: proves that it is let in. */
  identity(signal?: AbortSignal): Promise<CrmIdentity>;
  fields(signal?: AbortSignal): Promise<readonly CrmField[]>;
  /** People in an order that does not change while pages are read: one that is there throughout comes at least once, although others are changed meanwhile. */
  pull(request: CrmPull, signal?: AbortSignal): Promise<CrmPage>;
  /** All people who have one of these addresses, in any of their address fields; case does not matter. At most `limits.find` addresses. */
  find(emails: readonly string[], fields: readonly string[], signal?: AbortSignal): Promise<readonly CrmPerson[]>;
  /** Those of these people that are there. At most `limits.read` ids. */
  read(externalIds: readonly string[], fields: readonly string[], signal?: AbortSignal): Promise<readonly CrmPerson[]>;
  /** One result for each, in their order. At most `limits.write`. */
  write(people: readonly CrmWrite[], signal?: AbortSignal): Promise<readonly CrmWritten[]>;
  /** One result for each, in their order. At most `limits.record`. */
  record(activities: readonly CrmActivity[], signal?: AbortSignal): Promise<readonly CrmRecorded[]>;
}
