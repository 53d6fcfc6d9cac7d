import { getChanges } from '@domain/audit';
import { type ReportRecipientRecord } from '../schemas/report-recipient.record';

const FIELDS = ['email', 'reportType', 'campaignIds', 'active', 'schedule'] as const;

/** The audited changes: address, content and schedule of reports, without the name of the person. */
export function getAuditedRecipientChanges(before: ReportRecipientRecord | null, after: ReportRecipientRecord | null) {
  return getChanges(before, after, FIELDS);
}

export function toRecipientTarget(recipientId: { toString(): string }) {
  return { type: 'report_recipient', id: String(recipientId) } as const;
}
