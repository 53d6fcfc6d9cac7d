export { CrmModule } from './crm.module';
export type { CrmAccount, CrmAuth } from './port/crm-account';
export type { CrmConsent } from './port/crm-consent';
export { type CrmDriver, CrmPort } from './port/crm.port';
export { CrmError, type CrmReason } from './port/crm.errors';
export type { CrmField, CrmFieldType, CrmPerson, CrmValue } from './port/crm-person';
export type {
  CrmActivity,
  CrmFilter,
  CrmIdentity,
  CrmLimits,
  CrmPage,
  CrmPull,
  CrmRecorded,
  CrmSession,
  CrmWrite,
  CrmWritten,
} from './port/crm-session';
export { CRM_TYPES, type CrmType, isCrmType } from './port/crm-type';
