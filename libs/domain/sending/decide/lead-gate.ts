import { type CampaignFacts, type LeadFacts, type LimitName, type StopReason } from './facts';
import { endless, type LimitHit, blockedByDay, blockedUntil } from './limits';

/** The reason for an ended status without a stored reason. */
const ENDED: Partial<Record<LeadFacts['status'], StopReason>> = {
  completed: 'finished',
  bounced: 'bounced_hard',
  removed: 'manual',
};

/** Pauses with a limit name of their own. */
const PAUSED_FOR: Partial<Record<StopReason, LimitName>> = {
  verifying: 'lead_verifying',
  verification: 'lead_unverified',
  restored: 'lead_restored',
};

/**
 * Returns why a lead gets no more emails, regardless of the time; null if it may get more. Suppression comes first,
 * missing values last. Missing values do not stop a lead that waits for a person or for the outcome of a send.
 */
export function getStop(lead: LeadFacts): StopReason | null {
  const ended = ENDED[lead.status];
  if (ended) return lead.stopReason ?? ended;
  if (lead.suppressed) return 'suppressed';
  if (lead.inFlight !== null || (lead.status === 'paused' && lead.resumeAt === null)) return null;
  if (!lead.hasNextStep) return 'finished';
  return lead.missingVariables.length > 0 ? 'missing_variable' : null;
}

/** Limits of a lead that apply to its next email. */
export function leadLimits(now: Date, lead: LeadFacts): LimitHit[] {
  const hits: LimitHit[] = [];
  if (lead.inFlight !== null) hits.push(endless(lead.inFlight === 'ambiguous' ? 'ambiguous' : 'in_flight'));
  if (lead.status === 'paused') {
    const paused = PAUSED_FOR[lead.stopReason ?? 'manual'] ?? 'lead_paused';
    hits.push(...(lead.resumeAt === null ? [endless(paused)] : blockedUntil(paused, lead.resumeAt, now)));
  }
  if (!lead.isNew && !lead.senderIsThisMailbox) hits.push(endless('other_sender'));
  hits.push(...(lead.dueAt === null ? nothingDue(lead) : blockedUntil('step_delay', lead.dueAt, now)));
  return hits;
}

/** A postponed lead waits for its new date, even if the limit that postponed it has ended before. */
export function postponedLimit(now: Date, { postponed }: LeadFacts, hits: readonly LimitHit[]): LimitHit[] {
  if (postponed === null || hits.some(({ name }) => name === postponed.reason)) return [];
  return blockedUntil(postponed.reason, postponed.until, now);
}

/** The daily limit for emails to the lead's domain. */
export function domainLimit(now: Date, campaign: CampaignFacts, lead: LeadFacts): LimitHit[] {
  const { domainDailyLimit, schedule } = campaign;
  if (lead.freeMail) return [];
  return blockedByDay('domain_day', lead.domainUsedToday, domainDailyLimit, schedule.timezone, now);
}

/** A send without an outcome is already a limit of its own. */
function nothingDue(lead: LeadFacts): LimitHit[] {
  return lead.inFlight === null ? [endless('step_delay')] : [];
}
