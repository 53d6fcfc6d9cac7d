import { isZone, windowAt } from '@platform/time';
import { type CampaignFacts, type MailboxFacts, type Opening } from './facts';
import { endless, type LimitHit, blockedByDay, blockedUntil, settle } from './limits';
import { mailboxLimits } from './mailbox-gate';

/**
 * Whether a campaign lets anything go now, and through this mailbox when one is given. Left out is what depends on the
 * lead: new leads a day, its domain and, where the campaign keeps to the lead's zone, the window.
 */
export function campaignGate(now: Date, campaign: CampaignFacts, mailbox?: MailboxFacts): Opening {
  return settle(now, (at) => gateLimits(at, campaign, mailbox));
}

/** The same for leads that nobody has written to yet. */
export function newLeadsGate(now: Date, campaign: CampaignFacts, mailbox?: MailboxFacts): Opening {
  return settle(now, (at) => [...gateLimits(at, campaign, mailbox), ...newLeadsLimit(at, campaign)]);
}

/** What of a campaign holds back every email. */
export function campaignLimits(now: Date, campaign: CampaignFacts): LimitHit[] {
  const { status, schedule } = campaign;
  return [
    ...(status === 'active' ? [] : [endless(`campaign_${status}`)]),
    ...blockedUntil('campaign_interval', campaign.nextAt, now),
    ...blockedByDay('campaign_day', campaign.usedToday, campaign.dailyLimit, schedule.timezone, now),
  ];
}

/** What holds back the first email to a lead. */
export function newLeadsLimit(now: Date, { newLeadsToday, newLeadsPerDay, schedule }: CampaignFacts): LimitHit[] {
  return blockedByDay('new_leads_day', newLeadsToday, newLeadsPerDay, schedule.timezone, now);
}

/** The window, on the clocks of the lead's zone where the campaign keeps to it and the zone is known. */
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
