import { type WorkspaceScope } from '@domain/access';
import { parseId } from '@platform/database';
import { type Model } from 'mongoose';
import { unknownRecipient } from '../report.errors';
import { type ReportRecipientRecord } from '../schemas/report-recipient.record';
import { type RecipientSettings } from './recipient-settings';

/**
 * Reads a recipient of the workspace.
 * @throws NOT_FOUND, also for a malformed id and for a recipient of another workspace
 */
export async function requireRecipient(
  recipients: Model<ReportRecipientRecord>,
  { workspaceId }: Pick<WorkspaceScope, 'workspaceId'>,
  recipientId: string,
): Promise<ReportRecipientRecord> {
  const _id = parseId(recipientId);
  const record = _id && (await recipients.findOne({ workspaceId, _id }).lean<ReportRecipientRecord>());
  if (!record) throw unknownRecipient();
  return record;
}

/** The settings of a stored recipient. */
export function getSettings(record: ReportRecipientRecord): RecipientSettings {
  const { name, email, company, role, reportType, active } = record;
  const { enabled, frequency, dayOfWeek, timeOfDay, timezone } = record.schedule;
  const schedule = { enabled, frequency, dayOfWeek, timeOfDay, timezone };
  const campaignIds = record.campaignIds.map((id) => id.toHexString());
  return { name, email, company, role, reportType, campaignIds, active, schedule };
}
