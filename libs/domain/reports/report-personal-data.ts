import { declarePersonal, type PersonalDataProvider } from '@platform/personal-data';
import { ReportRecipientRecord } from './schemas/report-recipient.record';
import { ReportRecord } from './schemas/report.record';

export const REPORTS_PERSONAL_DATA: PersonalDataProvider = {
  collections: [
    // Reports come before their recipients. A report that is being sent ends: its outcome is not recorded.
    declarePersonal(ReportRecord, { foundBy: { address: ['email'] }, erases: 'all', erase: () => 'delete' }),
    declarePersonal(ReportRecipientRecord, { foundBy: { address: ['email'] }, erases: 'all', erase: () => 'delete' }),
  ],
};
