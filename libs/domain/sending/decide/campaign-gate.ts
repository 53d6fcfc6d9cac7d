import { isZone, windowAt } from '@platform/time';
import { type CampaignFacts, type MailboxFacts, type Opening } from './facts';
import { endless, type LimitHit, blockedByDay, blockedUntil, settle } from './limits';
import { mailboxLimits } from './mailbox-gate';

/**
 * Tells whether a campaign permits a send now, and through this mailbox if one is given. Omits what depends on the
 * lead: new leads a day, its domain and, if the campaign uses the lead's zone, the window.
 */
export function campaignGate(now: Date, campaign: CampaignFacts, mailbox?: MailboxFacts): Opening {
  return settle(now, (at) => gateLimits(at, campaign, mailbox));
}

/** The same for leads without a first email. */
export function newLeadsGate(now: Date, campaign: CampaignFacts, mailbox?: MailboxFacts): Opening {
  return settle(now, (at) => [...gateLimits(at, campaign, mailbox), ...newLeadsLimit(at, campaign)]);
}

/** Limits of a campaign that apply to every email. */
export function campaignLimits(now: Date, campaign: CampaignFacts): LimitHit[] {
  const { status, schedule } = campaign;
  return [
    ...(status === 'active' ? [] : [endless(`campaign_${status}`)]),
    ...blockedUntil('campaign_interval', campaign.nextAt, now),
    ...blockedByDay('campaign_day', campaign.usedToday, campaign.dailyLimit, schedule.timezone, now),
  ];
}

/** The limit on first emails to leads. */
export function newLeadsLimit(now: Date, { newLeadsToday, newLeadsPerDay, schedule }: CampaignFacts): LimitHit[] {
  return blockedByDay('new_leads_day', newLeadsToday, newLeadsPerDay, schedule.timezone, now);
}

/** The window, in the lead's zone if the campaign uses that zone and it is known. */
export function windowLimit(now: Date, campaign: CampaignFacts, leadZone: string | null): LimitHit[] {
  const own = campaign.useLeadTimezone && leadZone !== null && isZone(leadZone) ? leadZone : undefined;
  const window = windowAt(campaign.schedule, now, own);
  return window.open ? [] : [{ name: 'campaign_window', until: window.opensAt }];
}

function gateLimits(now: Date, campaign: CampaignFacts, mailbox: MailboxFacts | undefined): LimitHit[] {
  return [
    ...(mailbox ? mailboxLimits(now, mailbox) : []),
    ...campaignLimits(now, campaign),
    ...(campaign.useLeadTimezone ? [] : windowLimit(now, campaign, null)),
  ];
}
