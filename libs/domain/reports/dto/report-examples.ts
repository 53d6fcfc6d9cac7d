import { type UpdateReportSettingsRequest } from './report-settings.dto';
import { type CreateReportRecipientRequest, type UpdateReportRecipientRequest } from './report-recipient-requests.dto';

/** Example request bodies for the API documentation. */
export const REPORT_EXAMPLES: {
  create: CreateReportRecipientRequest;
  update: UpdateReportRecipientRequest;
  settings: UpdateReportSettingsRequest;
} = {
  create: {
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    company: 'Analytical Engines',
    role: 'Head of sales',
    reportType: 'workspace',
    campaignIds: [],
    schedule: { enabled: true, frequency: 'weekly', dayOfWeek: 1, timeOfDay: '08:00', timezone: 'Europe/Berlin' },
  },
  update: { schedule: { frequency: 'monthly' } },
  settings: { mailboxId: '6740a1b2c3d4e5f60718293a' },
};
