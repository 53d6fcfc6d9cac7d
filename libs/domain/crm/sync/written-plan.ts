import { type CrmWritten } from '@adapters/crm';
import { type PushMove } from './push-plan';
import { createOutcome, type SyncOutcome, type SyncReason } from './sync-outcome';

type Write = Extract<PushMove, { do: 'write' }>;
type Refused = Extract<CrmWritten, { kind: 'refused' }>;

/** Maximum attempts per person. */
export const MAX_ATTEMPTS = 5;

/** The consequence of a write result. */
export type WrittenMove =
  | { readonly do: 'link'; readonly externalId: string; readonly updatedAt: Date | null; readonly outcome: SyncOutcome }
  /** Nothing was written. */
  | { readonly do: 'report'; readonly outcome: SyncOutcome }
  /**
   * The job returns to it: at once, or when the CRM shows the outcome.
   * @property relink the person reported by the CRM; empty: none of the known ones; null: unchanged
   */
  | {
      readonly do: 'again';
      readonly when: 'now' | 'settled';
      readonly relink: string | null;
      readonly dropped: string | null;
    };

/** Pure. */
export function toWrittenMove({ outcome, subject }: Write, written: CrmWritten): WrittenMove {
  const attempts = subject.link?.attempts ?? 0;
  if (written.kind === 'ambiguous') {
    return attempts < MAX_ATTEMPTS ? toRetryMove('settled') : toFailedMove(outcome, 'ambiguous', written.message);
  }
  if (written.kind === 'refused') return toRefusedMove(outcome, written, attempts < MAX_ATTEMPTS);
  const { externalId, updatedAt, kind } = written;
  const result = kind === 'merged' && outcome.result === 'created' ? { result: 'updated' as const } : {};
  return { do: 'link', externalId, updatedAt, outcome: { ...outcome, externalId, ...result } };
}

function toRefusedMove(outcome: SyncOutcome, refused: Refused, mayTryAgain: boolean): WrittenMove {
  const { reason, message, field, externalId } = refused;
  switch (reason) {
    case 'unknown_field':
      // Ends with the last field that can be left out.
      return field === null ? toFailedMove(outcome, reason, message) : { ...toRetryMove('now'), dropped: field };
    case 'duplicate':
      if (externalId !== null && mayTryAgain) return { ...toRetryMove('now'), relink: externalId };
      return {
        do: 'report',
        outcome: createOutcome('conflict', { ...pickIdentity(outcome), reason: 'duplicate_in_crm', message }),
      };
    case 'gone':
      return mayTryAgain ? { ...toRetryMove('now'), relink: '' } : toFailedMove(outcome, reason, message);
    case 'invalid':
    case 'forbidden':
    case 'other':
      return toFailedMove(outcome, reason, message, field ?? '');
  }
}

function toRetryMove(when: 'now' | 'settled') {
  return { do: 'again', when, relink: null, dropped: null } as const;
}

function toFailedMove(outcome: SyncOutcome, reason: SyncReason, message: string, field = ''): WrittenMove {
  return { do: 'report', outcome: createOutcome('failed', { ...pickIdentity(outcome), reason, message, field }) };
}

function pickIdentity({ email, leadId, externalId }: SyncOutcome): Partial<SyncOutcome> {
  return { email, leadId, externalId };
}
