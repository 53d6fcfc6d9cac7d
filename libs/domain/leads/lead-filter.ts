import { parseId, searchFilter } from '@platform/database';
import { Types } from 'mongoose';
import { type LeadStatus, type StopReason } from './schemas/lead.record';

/** Conditions on leads for the list, the export and the bulk actions. */
export interface LeadConditions {
  status?: LeadStatus | undefined;
  stopReason?: StopReason | undefined;
  mailboxId?: string | undefined;
  contacted?: boolean | 'true' | 'false' | undefined;
  stepId?: string | undefined;
  importId?: string | undefined;
  search?: string | undefined;
}

const SEARCHED = ['email', 'firstName', 'lastName', 'companyName'] as const;
/** Stands for a malformed id: no record has it. */
const NOBODY = new Types.ObjectId('0'.repeat(24));

/**
 * Converts the conditions to a filter, without workspace and campaign.
 * @param firstStepId the first step of the campaign: leads without sent emails are before it, and their `stepId` is
 *   null
 */
export function toLeadFilter(conditions: LeadConditions, firstStepId: string | null): Record<string, unknown> {
  const { status, stopReason, mailboxId, contacted, stepId, importId, search } = conditions;
  return {
    ...(status === undefined ? {} : { status }),
    ...(stopReason === undefined ? {} : { stopReason }),
    ...(mailboxId === undefined ? {} : { mailboxId: toId(mailboxId) }),
    ...(contacted === undefined ? {} : { sentCount: String(contacted) === 'true' ? { $gt: 0 } : 0 }),
    ...(importId === undefined ? {} : { importId: toId(importId) }),
    ...(stepId === undefined ? {} : { $and: [toStepFilter(toId(stepId), firstStepId)] }),
    ...searchFilter(search, SEARCHED),
  };
}

/** Whether at most the status is restricted: then the counters give the total. */
export function isCounted({ status: _status, ...others }: LeadConditions): boolean {
  return Object.values(others).every((value) => value === undefined || value === '');
}

function toStepFilter(stepId: Types.ObjectId, firstStepId: string | null): Record<string, unknown> {
  const here = { stepId, status: { $in: ['active', 'paused'] } };
  if (stepId.toHexString() !== firstStepId) return here;
  return { $or: [here, { stepId: null, sentCount: 0, status: { $in: ['active', 'paused'] } }] };
}

function toId(text: string): Types.ObjectId {
  return parseId(text) ?? NOBODY;
}
