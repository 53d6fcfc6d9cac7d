export { PrivacyModule } from './privacy.module';
export { PersonalDataService, type SubjectErasure } from './personal-data.service';
export { SubjectExportsService, type SubjectExport } from './subject-exports.service';
