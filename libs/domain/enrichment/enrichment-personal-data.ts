import { createErasedAddress, declarePersonal, type Erasure, type PersonalDataProvider } from '@platform/personal-data';
import { EnrichmentItemRecord } from './schemas/enrichment-item.record';

export const ENRICHMENT_PERSONAL_DATA: PersonalDataProvider = {
  collections: [
    // Counted by its job: the record remains, and an unresolved item is not processed any further.
    declarePersonal(EnrichmentItemRecord, {
      foundBy: { address: ['address'] },
      erases: ['email', 'address', 'detail'],
      erase: eraseItem,
    }),
  ],
};

/** The result remains without the person. */
function eraseItem({ _id }: EnrichmentItemRecord): Erasure<EnrichmentItemRecord> {
  const email = createErasedAddress(_id);
  return { set: { email, address: email, leadId: null, detail: '{}', erased: true } };
}
