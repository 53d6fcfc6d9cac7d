import { type LeadStatus, type StopReason } from './schemas/lead.record';

/** The status after a stop. */
export type StoppedStatus = Exclude<LeadStatus, 'active' | 'removed'>;

/** The status of a lead after a stop for each reason. `manual` may also remove it. */
const STATUS_AFTER: Record<StopReason, StoppedStatus> = {
  finished: 'completed',
  replied: 'completed',
  auto_replied: 'paused',
  unsubscribed: 'completed',
  bounced_hard: 'bounced',
  bounced_soft_limit: 'bounced',
  complained: 'completed',
  suppressed: 'completed',
  company_replied: 'completed',
  manual: 'paused',
  missing_variable: 'paused',
  failed: 'paused',
  verifying: 'paused',
  verification: 'paused',
  restored: 'paused',
};

/** Reasons that become known after the last email; they say more than the end of the sequence. */
const LEARNT_LATER: ReadonlySet<StopReason> = new Set<StopReason>([
  'replied',
  'unsubscribed',
  'complained',
  'bounced_hard',
  'bounced_soft_limit',
]);
/** Ends that say nothing about the person. */
const WEAK_ENDS: readonly StopReason[] = ['finished', 'suppressed', 'company_replied'];

export function getStatusAfter(reason: StopReason): StoppedStatus {
  return STATUS_AFTER[reason];
}

/** Whether no more email is sent in this status. */
export function isFinalLeadStatus<S extends LeadStatus>(status: S): status is Exclude<S, 'active' | 'paused'> {
  return status !== 'active' && status !== 'paused';
}

/** A filter of the leads that a stop changes. */
export function createStoppableFilter(reason: StopReason, status: LeadStatus): Record<string, unknown> {
  if (status === 'paused') return { status: 'active' };
  if (!LEARNT_LATER.has(reason)) return { status: { $in: ['active', 'paused'] } };
  return {
    $or: [{ status: { $in: ['active', 'paused'] } }, { status: 'completed', stopReason: { $in: WEAK_ENDS } }],
  };
}
