import { type WorkspaceScope } from '@domain/access';
import { parseId } from '@platform/database';
import { notFound } from '@platform/errors';
import { type Model, type Types } from 'mongoose';
import { type LeadRecord } from './schemas/lead.record';

/** The stored lead of the campaign. @throws NOT_FOUND, also for a malformed id and for another campaign's lead */
export async function requireLead(
  leads: Model<LeadRecord>,
  { workspaceId }: Pick<WorkspaceScope, 'workspaceId'>,
  campaignId: Types.ObjectId,
  leadId: string,
): Promise<LeadRecord> {
  const _id = parseId(leadId);
  const record = _id && (await leads.findOne({ workspaceId, _id, campaignId }).lean<LeadRecord>());
  if (!record) throw notFound('Lead');
  return record;
}
