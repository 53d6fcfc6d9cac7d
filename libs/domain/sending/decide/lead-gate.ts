import { type CampaignFacts, type LeadFacts, type LimitName, type StopReason } from './facts';
import { endless, type LimitHit, blockedByDay, blockedUntil } from './limits';

/** What a status without a reason means. */
const ENDED: Partial<Record<LeadFacts['status'], StopReason>> = {
  completed: 'finished',
  bounced: 'bounced_hard',
  removed: 'manual',
};

/** Pauses with a name of their own. */
const PAUSED_FOR: Partial<Record<StopReason, LimitName>> = {
  verifying: 'lead_verifying',
  verification: 'lead_unverified',
  restored: 'lead_restored',
};

/**
 * Why a lead gets no more emails, whatever the time; null when it may. That it must not be written to comes first, what is
 * missing last. A lead that waits for a person, or for the outcome of a send, is not stopped by what its next step lacks.
 */
export function getStop(lead: LeadFacts): StopReason | null {
  const ended = ENDED[lead.status];
  if (ended) return lead.stopReason ?? ended;
  if (lead.suppressed) return 'suppressed';
  if (lead.inFlight !== null || (lead.status === 'paused' && lead.resumeAt === null)) return null;
  if (!lead.hasNextStep) return 'finished';
  return lead.missingVariables.length > 0 ? 'missing_variable' : null;
}

/** What of a lead holds its next email back. */
export function leadLimits(now: Date, lead: LeadFacts): LimitHit[] {
  const held: LimitHit[] = [];
  if (lead.inFlight !== null) held.push(endless(lead.inFlight === 'ambiguous' ? 'ambiguous' : 'in_flight'));
  if (lead.status === 'paused') {
    const paused = PAUSED_FOR[lead.stopReason ?? 'manual'] ?? 'lead_paused';
    held.push(...(lead.resumeAt === null ? [endless(paused)] : blockedUntil(paused, lead.resumeAt, now)));
  }
  if (!lead.isNew && !lead.senderIsThisMailbox) held.push(endless('other_sender'));
  held.push(...(lead.dueAt === null ? nothingDue(lead) : blockedUntil('step_delay', lead.dueAt, now)));
  return held;
}

/** A lead that was postponed is looked at then, though what postponed it may have ended before. */
export function postponedLimit(now: Date, { postponed }: LeadFacts, held: readonly LimitHit[]): LimitHit[] {
  if (postponed === null || held.some(({ name }) => name === postponed.reason)) return [];
  return blockedUntil(postponed.reason, postponed.until, now);
}

/** Emails a day to the domain of the lead. */
export function domainLimit(now: Date, campaign: CampaignFacts, lead: LeadFacts): LimitHit[] {
  const { domainDailyLimit, schedule } = campaign;
  if (lead.freeMail) return [];
  return blockedByDay('domain_day', lead.domainUsedToday, domainDailyLimit, schedule.timezone, now);
}

/** A send that has no outcome yet says enough. */
function nothingDue(lead: LeadFacts): LimitHit[] {
  return lead.inFlight === null ? [endless('step_delay')] : [];
}
