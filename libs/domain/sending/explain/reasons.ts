import { type LimitName, type StopReason } from '../decide/facts';

/** What an email waits for, in one sentence for the person who runs the campaign. */
const WAITS: Readonly<Record<LimitName, string>> = {
  mailbox_paused: 'The mailbox is paused; it sends again after a person resumes it.',
  mailbox_error: 'The connection of the mailbox has failed; it is retried automatically.',
  mailbox_disconnected: 'The mailbox is disconnected; reconnect it if it does not recover automatically.',
  mailbox_sending_disabled: 'Sending is switched off for the mailbox.',
  mailbox_paused_by_sending:
    'Sending from the mailbox was stopped: a mail server refused it as a sender, or too many emails bounced. Check the cause and resume it.',
  mailbox_cooldown:
    'The mail server refuses the mailbox for now, or has asked it to wait; it is retried automatically.',
  mailbox_day: 'The mailbox has sent as many emails today as its daily limit allows.',
  mailbox_24h: 'The mailbox has sent as many emails in the last 24 hours as its daily limit allows.',
  mailbox_gap: 'The mailbox keeps its gap between two emails.',
  provider_rate: 'The provider limits the emails per minute from the mailbox.',
  campaign_draft: 'The campaign has not been started yet.',
  campaign_paused: 'The campaign is paused.',
  campaign_completed: 'The campaign is completed.',
  campaign_archived: 'The campaign is archived.',
  campaign_window: 'The current time is outside the hours and days of the sending schedule.',
  campaign_interval: 'The mailbox keeps the interval between two emails of the campaign.',
  campaign_day: 'The campaign has sent as many emails today as its own daily limit allows.',
  new_leads_day: 'The campaign has written to as many new leads today as its limit allows.',
  domain_day: 'The campaign has sent as many emails to this domain today as its limit allows.',
  lead_paused: 'The lead is paused.',
  lead_verifying: 'The address of the lead is being verified; nothing is sent to it before that.',
  lead_unverified: 'The verification of the address advises against sending; a person may resume the lead.',
  lead_restored:
    'The lead may have received an email after the restored backup was made; a person may resume the lead.',
  in_flight: 'An email to the lead is being sent right now.',
  ambiguous: 'The server gave no answer to an email; whether it was sent is being resolved.',
  other_sender: 'Another mailbox sends next: the one that wrote to the lead first, or one with fewer leads.',
  step_delay: 'The next step is not due yet.',
};

/** Why no further email comes. */
const STOPS: Readonly<Record<StopReason, string>> = {
  finished: 'All steps of the sequence were sent.',
  replied: 'The lead has replied.',
  auto_replied: 'An automatic reply arrived; the lead continues after the absence.',
  unsubscribed: 'The lead has unsubscribed.',
  bounced_hard: 'The address does not exist or accepts no mail.',
  bounced_soft_limit: 'Too many emails in a row could not be delivered.',
  complained: 'The lead has reported an email as spam.',
  suppressed: 'The address or its domain is on the suppression list.',
  company_replied: 'Another person at the same company has replied.',
  manual: 'A person has stopped or removed the lead.',
  missing_variable:
    'The lead lacks a value for a placeholder of the next step that has no default, or its value is not a link where a link is needed.',
  failed: 'The last email was refused, or failed too often.',
  verifying: 'The address of the lead is being verified.',
  verification: 'The verification of the address advises against sending.',
  restored: 'The lead may have received an email after the restored backup was made.',
};

/** The messages of leads and campaigns that are neither blocked nor stopped. */
const STANDS = {
  due: 'The email is due and leaves in the next run of the mailbox.',
  no_sender: 'No mailbox of the campaign can send the email: the lead’s sender was removed, or there is no mailbox.',
  no_leads: 'The campaign has no lead left to write to.',
} as const;

export type Reason = LimitName | StopReason | keyof typeof STANDS;

/** The meaning of every reason; no other place defines it. */
export const REASONS: Readonly<Record<Reason, string>> = { ...WAITS, ...STOPS, ...STANDS };

export const LIMIT_NAMES = Object.keys(WAITS) as LimitName[];
export const REASON_NAMES = Object.keys(REASONS) as Reason[];
