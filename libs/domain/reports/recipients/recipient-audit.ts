import { getChanges } from '@domain/audit';
import { type ReportRecipientRecord } from '../schemas/report-recipient.record';

const FIELDS = ['email', 'reportType', 'campaignIds', 'active', 'schedule'] as const;

/** What the audit log tells of a change: where reports go, about what and when. Who the person is stays with the recipient. */
export function auditedChanges(before: ReportRecipientRecord | null, after: ReportRecipientRecord | null) {
  return getChanges(before, after, FIELDS);
}

export function auditTarget(recipientId: { toString(): string }) {
  return { type: 'report_recipient', id: String(recipientId) } as const;
}
