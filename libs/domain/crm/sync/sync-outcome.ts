import { type Types } from 'mongoose';
import { type SyncResult } from '../jobs/schemas/crm-sync-job.record';

/** The outcome of one person. */
export interface SyncOutcome {
  /** Empty without one, or when it must not be stored. */
  readonly email: string;
  readonly externalId: string;
  readonly leadId: Types.ObjectId | null;
  readonly result: SyncResult;
  readonly reason: SyncReason | '';
  readonly message: string;
  readonly field: string;
  /** The changes, or those of a dry run; null without any. */
  readonly changes: Readonly<Record<string, unknown>> | null;
}

/** Reason codes; documented in `docs/users/crm-sync.md`. */
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

/** An outcome with defaults for the omitted fields. */
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
