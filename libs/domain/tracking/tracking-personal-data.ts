import { declarePersonal, type PersonalDataProvider } from '@platform/personal-data';
import { TrackingHitRecord } from './schemas/tracking-hit.record';

export const TRACKING_PERSONAL_DATA: PersonalDataProvider = {
  collections: [
    declarePersonal(TrackingHitRecord, { foundBy: { sendIds: ['sendId'] }, erases: 'all', erase: () => 'delete' }),
  ],
};
