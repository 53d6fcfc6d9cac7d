export { PERSONAL_COLLECTIONS } from './personal-data';
export { PrivacyModule } from './privacy.module';
export { PersonalDataService, type SubjectErasure, type SubjectExport } from './personal-data.service';
