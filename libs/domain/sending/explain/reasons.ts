import { type LimitName, type StopReason } from '../decide/facts';

/** What an email waits for, in one sentence for the person who runs the campaign. */
const WAITS: Readonly<Record<LimitName, string>> = {
  mailbox_paused: 'The mailbox is paused; it sends again when somebody resumes it.',
  mailbox_error: 'The connection of the mailbox is in trouble; it is tried again by itself.',
  mailbox_disconnected: 'The mailbox is disconnected; connect it again if it does not come back by itself.',
  mailbox_sending_disabled: 'Sending is switched off for the mailbox.',
  mailbox_paused_by_sending:
    'Sending from the mailbox was stopped: a mail server refused it as a sender, or too many emails came back. See why, and resume it.',
  mailbox_cooldown:
    'The mail server refuses the mailbox for now, or has asked it to wait; it is tried again by itself.',
  mailbox_day: 'The mailbox has sent as many emails today as its daily limit allows.',
  mailbox_24h: 'The mailbox has sent as many emails in the last 24 hours as its daily limit allows.',
  mailbox_gap: 'The mailbox keeps its gap between two emails.',
  provider_rate: 'The provider takes only so many emails a minute from the mailbox.',
  campaign_draft: 'The campaign has not been started yet.',
  campaign_paused: 'The campaign is paused.',
  campaign_completed: 'The campaign is completed.',
  campaign_archived: 'The campaign is archived.',
  campaign_window: 'It is outside the hours and days of the sending schedule.',
  campaign_interval: 'The mailbox keeps the interval between two emails of the campaign.',
  campaign_day: 'The campaign has sent as many emails today as its own daily limit allows.',
  new_leads_day: 'The campaign has written to as many new leads today as its limit allows.',
  domain_day: 'The campaign has sent as many emails to this domain today as its limit allows.',
  lead_paused: 'The lead is paused.',
  lead_verifying: 'The address of the lead is being verified; nothing is sent to it before.',
  lead_unverified: 'What was found out about the address speaks against writing to it; somebody may resume the lead.',
  lead_restored: 'It may have been written to after the backup that was restored; somebody may resume the lead.',
  in_flight: 'An email to the lead is being sent right now.',
  ambiguous: 'The server gave no answer to an email; whether it was sent is being resolved.',
  other_sender: 'Another mailbox sends next: the one that wrote to the lead first, or one with fewer leads.',
  step_delay: 'The next step is not due yet.',
};

/** Why no further email comes. */
const STOPS: Readonly<Record<StopReason, string>> = {
  finished: 'All steps of the sequence were sent.',
  replied: 'The lead has replied.',
  auto_replied: 'An automatic answer came; the lead goes on after the absence.',
  unsubscribed: 'The lead has unsubscribed.',
  bounced_hard: 'The address does not exist or takes no mail.',
  bounced_soft_limit: 'Too many emails in a row could not be delivered.',
  complained: 'The lead has reported an email as spam.',
  suppressed: 'The address or its domain is on the suppression list.',
  company_replied: 'Somebody else at the same company has replied.',
  manual: 'Somebody has stopped or removed the lead.',
  missing_variable:
    'The lead lacks a value for a placeholder of the next step that has no default, or its value is no link where one is wanted.',
  failed: 'The last email was refused, or failed too often.',
  verifying: 'The address of the lead is being verified.',
  verification: 'What was found out about the address speaks against writing to it.',
  restored: 'A backup was restored, after which the lead may have been written to.',
};

/** The messages of leads and campaigns that are neither blocked nor stopped. */
const STANDS = {
  due: 'It is due; the email leaves in the next run of the mailbox.',
  no_sender: 'The campaign has no mailbox that could send it: the one that wrote first is gone, or there is none.',
  no_leads: 'The campaign has no lead left to write to.',
} as const;

export type Reason = LimitName | StopReason | keyof typeof STANDS;

/** What every reason means: the only place that says so. */
export const REASONS: Readonly<Record<Reason, string>> = { ...WAITS, ...STOPS, ...STANDS };

export const LIMIT_NAMES = Object.keys(WAITS) as LimitName[];
export const REASON_NAMES = Object.keys(REASONS) as Reason[];
