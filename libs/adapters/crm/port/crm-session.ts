import { type CrmField, type CrmPerson, type CrmValue } from './crm-person';

/** The account, for display. */
export interface CrmIdentity {
  /** Id of the account at the vendor: portal, organisation, company, workspace. */
  readonly accountId: string;
  readonly accountName: string;
}

/** Selects people; all conditions have to match. */
export interface CrmFilter {
  /** Changed at this time or later. People changed up to ten minutes earlier may be included, because the search of some vendors lags. */
  readonly updatedSince?: Date;
  readonly ownerId?: string;
  /** Members of a list or view of the CRM; vendors without one refuse it (`unsupported`). */
  readonly listId?: string;
  /** Allowed values by API name of a field; at most five fields and fifty values each. */
  readonly fields?: Readonly<Record<string, readonly string[]>>;
}

export interface CrmPull {
  readonly filter: CrmFilter;
  /** Names of the fields to read. */
  readonly fields: readonly string[];
  /** Cursor of the previous page; null for the first. */
  readonly cursor: string | null;
}

/** At most `limits.page` people. */
export interface CrmPage {
  readonly people: readonly CrmPerson[];
  /** Cursor of the next page; null after the last. It is valid for at least a day and survives a token renewal. */
  readonly cursor: string | null;
  /** Total number of people, where the vendor states it. */
  readonly total: number | null;
}

/** A person to create or change. */
export interface CrmWrite {
  /** Identifies the result, chosen by the caller. */
  readonly key: string;
  /** Null: create the person. */
  readonly externalId: string | null;
  /** Normalised main address; written only for a new person. */
  readonly email: string;
  /** Values by API name. Other fields stay; null clears a field. */
  readonly fields: Readonly<Record<string, CrmValue>>;
  /** Written only if defined. */
  readonly ownerId?: string;
}

export type CrmWritten =
  /** `merged`: a person with this address existed and was changed (by an upsert, or after the vendor reported it). */
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
       * `unknown_field`: the field does not exist. `invalid`: a value is not allowed. `duplicate`: another person has this address,
       * with its `externalId` if the vendor states it. `gone`: no person has this id. `forbidden`: no permission to write this person.
       */
      readonly reason: 'unknown_field' | 'invalid' | 'duplicate' | 'gone' | 'forbidden' | 'other';
      /** One sentence of the vendor, without secrets, at most 300 characters. */
      readonly message: string;
      readonly field: string | null;
      readonly externalId: string | null;
    }
  /** The write may have happened, because no complete response arrived. Check before a retry. */
  | { readonly key: string; readonly kind: 'ambiguous'; readonly message: string };

/** An event of a person for the timeline of the CRM. */
export interface CrmActivity {
  readonly key: string;
  readonly externalId: string;
  /** `email`: sent or received mail; `note`: any other event. */
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

/** Limits of one call of this vendor. */
export interface CrmLimits {
  /** People of one page. */
  readonly page: number;
  /** Addresses of one `find`, ids of one `read`, people of one `write`, activities of one `record`: the vendor's limit of a request, or a useful number where a request takes one item. */
  readonly find: number;
  readonly read: number;
  readonly write: number;
  readonly record: number;
  /** Minimum number of requests of such a call, as the measure of the benchmark. */
  requestsFor(call: 'pull' | 'find' | 'read' | 'write' | 'record', count: number): number;
}

/**
 * A CRM account for the duration of some work. The only retry is one with a new token after a 401. Every method throws `CrmError`
 * when the whole call fails; the refusal of one person is a result. If one of several requests fails, the result has the items of
 * completed requests and `ambiguous` for the others; without completed requests the error is thrown.
 */
export interface CrmSession {
  readonly limits: CrmLimits;
  /** Number of requests so far, without those for tokens. */
  readonly requests: number;
  /** End of the cooldown that the vendor demands by its last response; null without one. */
  readonly cooldownUntil: Date | null;
  /** The account; succeeds only with valid credentials. */
  identity(signal?: AbortSignal): Promise<CrmIdentity>;
  fields(signal?: AbortSignal): Promise<readonly CrmField[]>;
  /** A page of people in a stable order: a person that exists throughout is returned at least once, even if others change in the meantime. */
  pull(request: CrmPull, signal?: AbortSignal): Promise<CrmPage>;
  /** All people with one of these addresses in any address field, without regard to case. At most `limits.find` addresses. */
  find(emails: readonly string[], fields: readonly string[], signal?: AbortSignal): Promise<readonly CrmPerson[]>;
  /** The existing people among these ids. At most `limits.read` ids. */
  read(externalIds: readonly string[], fields: readonly string[], signal?: AbortSignal): Promise<readonly CrmPerson[]>;
  /** One result per person, in the same order. At most `limits.write` people. */
  write(people: readonly CrmWrite[], signal?: AbortSignal): Promise<readonly CrmWritten[]>;
  /** One result per activity, in the same order. At most `limits.record` activities. */
  record(activities: readonly CrmActivity[], signal?: AbortSignal): Promise<readonly CrmRecorded[]>;
}
