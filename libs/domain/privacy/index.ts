export { PrivacyModule } from './privacy.module';
export { SubjectErasures, type SubjectErasure } from './subject.erasure.service';
export { SubjectExports, type SubjectExport } from './subject.export.service';
