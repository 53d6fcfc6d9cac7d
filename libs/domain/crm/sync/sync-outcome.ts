import { type Types } from 'mongoose';
import { type SyncResult } from '../jobs/schemas/crm-sync-job.record';

/** What became of one person. */
export interface SyncOutcome {
  /** Empty when there is none, or it must not be kept. */
  readonly email: string;
  readonly externalId: string;
  readonly leadId: Types.ObjectId | null;
  readonly result: SyncResult;
  readonly reason: SyncReason | '';
  readonly message: string;
  readonly field: string;
  /** What was set, or of a dry run would be; null for nothing. */
  readonly changes: Readonly<Record<string, unknown>> | null;
}

/** Why, for programs; `docs/users/crm-sync.md` has a row for each. */
export type SyncReason =
  | 'no_address'
  | 'invalid_address'
  | 'suppressed'
  | 'opted_out'
  | 'removed_from_campaign'
  | 'duplicate_in_crm'
  | 'linked_to_other_address'
  | 'both_changed'
  | 'value_refused'
  | 'unknown_field'
  | 'invalid'
  | 'forbidden'
  | 'ambiguous'
  | 'gone'
  | 'found_afterwards'
  | 'other';

/** An outcome of which only that is said that is not usual. */
export function createOutcome(result: SyncResult, about: Partial<Omit<SyncOutcome, 'result'>>): SyncOutcome {
  return {
    email: '',
    externalId: '',
    leadId: null,
    reason: '',
    message: '',
    field: '',
    changes: null,
    ...about,
    result,
  };
}
