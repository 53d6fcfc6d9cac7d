import { type LeadStatus, type StopReason } from './schemas/lead.record';

/** Where a stop leads to. */
export type StoppedStatus = Exclude<LeadStatus, 'active' | 'removed'>;

/** What a lead becomes when it is stopped for a reason. `manual` may also remove it. */
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

/** What is learnt about a person after the last email to it: it says more than that nothing came any more. */
const LEARNT_LATER: ReadonlySet<StopReason> = new Set<StopReason>([
  'replied',
  'unsubscribed',
  'complained',
  'bounced_hard',
  'bounced_soft_limit',
]);
/** Ends that say nothing about the person. */
const WEAK_ENDS: readonly StopReason[] = ['finished', 'suppressed', 'company_replied'];

export function statusAfter(reason: StopReason): StoppedStatus {
  return STATUS_AFTER[reason];
}

/** Statuses in which nothing is sent any more. */
export function isFinal<S extends LeadStatus>(status: S): status is Exclude<S, 'active' | 'paused'> {
  return status !== 'active' && status !== 'paused';
}

/** The leads to which a stop makes a difference: stopping the others again is without effect. */
export function stoppable(reason: StopReason, status: LeadStatus): Record<string, unknown> {
  if (status === 'paused') return { status: 'active' };
  if (!LEARNT_LATER.has(reason)) return { status: { $in: ['active', 'paused'] } };
  return {
    $or: [{ status: { $in: ['active', 'paused'] } }, { status: 'completed', stopReason: { $in: WEAK_ENDS } }],
  };
}
