import { declarePersonal, type Erasure, type PersonalDataProvider } from '@platform/personal-data';
import { SuppressionEntryRecord } from './schemas/suppression-entry.record';
import { SuppressionRecord } from './schemas/suppression.record';

/** Reason of a suppression that an erasure adds. */
export const ERASED_REASON = 'Erased on request';

const RETAINED = { 'an objection to direct marketing must be known, and its proof': ['value'] } as const;

export const SUPPRESSIONS_PERSONAL_DATA: PersonalDataProvider = {
  collections: [
    declarePersonal(SuppressionEntryRecord, {
      foundBy: { address: ['value'] },
      erases: ['reason'],
      retains: RETAINED,
      isAlwaysExported: true,
      erase: eraseReason,
    }),
    declarePersonal(SuppressionRecord, {
      foundBy: { address: ['value'] },
      erases: ['reason'],
      retains: RETAINED,
      isAlwaysExported: true,
      erase: eraseReason,
    }),
  ],
};

/**
 * The address and the source of its suppression are proof and protection; a free text beside it is needed for neither.
 */
function eraseReason({ reason }: { reason: string | null }): Erasure<{ reason: string | null }> {
  return reason === null || reason === ERASED_REASON ? 'keep' : { set: { reason: null } };
}
