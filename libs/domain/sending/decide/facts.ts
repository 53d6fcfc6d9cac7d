import type { SendingSchedule } from '@platform/time';

/** The used number on one day of a zone; on every other day it is 0. So no job resets counters at midnight. */
export interface DayCount {
  /** YYYY-MM-DD */
  day: string;
  used: number;
}

/** The sends of five minutes. */
export interface Slot {
  /** The start of the five minutes: a multiple of five minutes since 1970. */
  at: Date;
  used: number;
}

/** The used budget of a mailbox, stored with its lease; `takeToken` and `returnToken` compute the next one. */
export interface MailboxTokens {
  lastSentAt: Date | null;
  /** The send before the last one; it becomes the last one again if the last token is returned. */
  sentBefore: Date | null;
  /** The mailbox's own day that `dayUsed` belongs to, YYYY-MM-DD; '' before the first send. */
  day: string;
  dayUsed: number;
  /** The warmup mails among these. */
  dayWarmup: number;
  /** The slots of the rolling 24 hours, in any order. */
  slots: readonly Slot[];
  /** When the tokens of the last minute were taken; stored only for a provider with a limit per minute. */
  recent: readonly Date[];
}

/** The part of a mailbox's limit that is reserved for warmup. */
export interface WarmupShare {
  /** Mails a day. */
  mails: number;
  /** Whether warmup sends nothing on Saturdays and Sundays. */
  weekdaysOnly: boolean;
}

export interface MailboxFacts extends MailboxTokens {
  status: 'active' | 'paused' | 'error' | 'disconnected';
  sendingEnabled: boolean;
  /** When a failed connection (`error`, `disconnected`) is retried; null when only a person can repair it. */
  retryAt: Date | null;
  /** The engine stopped this mailbox because of policy refusals or its bounce rate. A person has to check it. */
  pausedBySending: { reason: string } | null;
  /** Until when, and why, its server wants no requests; null without such a reply. */
  cooldown: { until: Date; reason: string } | null;
  /** Maximum sends per day of its zone and per rolling 24 hours. */
  dailySendLimit: number;
  /** The part of the limit that other mail must not use; null if nothing is reserved. */
  warmupShare: WarmupShare | null;
  /** Minimum seconds between two sends; 0 = none. */
  gapSeconds: number;
  /** IANA zone that its day refers to. */
  timezone: string;
  /** The provider's limit (Microsoft 365: 30); null = none. */
  perMinuteLimit: number | null;
}

export interface CampaignFacts {
  status: 'draft' | 'active' | 'paused' | 'completed' | 'archived';
  schedule: SendingSchedule;
  /** The window applies in the lead's zone, if that is known. Counted days are always those of the schedule's zone. */
  useLeadTimezone: boolean;
  /** When this mailbox may send for this campaign again: its last send + the jittered `emailIntervalMinutes`. */
  nextAt: Date | null;
  /** Maximum emails a day, over all mailboxes; null = no limit. */
  dailyLimit: number | null;
  /** Emails of the campaign today, in the schedule's zone. */
  usedToday: DayCount;
  /** Maximum first emails to new leads a day, over all mailboxes; null = no limit. */
  newLeadsPerDay: number | null;
  newLeadsToday: DayCount;
  /** Maximum emails to one recipient domain a day; free-mail domains are exempt; null = no limit. */
  domainDailyLimit: number | null;
}

/** Why a lead gets no more emails of a campaign. */
export type StopReason =
  | 'finished'
  | 'replied'
  | 'auto_replied'
  | 'unsubscribed'
  | 'bounced_hard'
  | 'bounced_soft_limit'
  | 'complained'
  | 'suppressed'
  | 'company_replied'
  | 'manual'
  | 'missing_variable'
  | 'failed'
  | 'verifying'
  | 'verification'
  | 'restored';

export interface LeadFacts {
  status: 'active' | 'paused' | 'completed' | 'bounced' | 'removed';
  stopReason: StopReason | null;
  /** When a paused lead continues automatically (out of office); null = when a person resumes it. */
  resumeAt: Date | null;
  /** When its next step is due according to the sequence; null = nothing is due. */
  dueAt: Date | null;
  /** The limit that has postponed the lead under the current settings, and until when; null = none has. */
  postponed: { until: Date; reason: LimitName } | null;
  /** Whether its next email is its first: such a lead has no sender yet. */
  isNew: boolean;
  /** The state of its send without an outcome; null = none. */
  inFlight: 'claimed' | 'sending' | 'ambiguous' | null;
  /** IANA zone, if known. */
  timezone: string | null;
  /** Whether its address or domain is suppressed. */
  suppressed: boolean;
  /** Emails of the campaign to its domain today, in the schedule's zone. */
  domainUsedToday: DayCount;
  /** Whether its domain belongs to a free-mail provider. */
  freeMail: boolean;
  /** Placeholders of the next step that have neither a value nor a default for this lead. */
  missingVariables: readonly string[];
  hasNextStep: boolean;
  /** Whether this mailbox is its sender; true for a new lead. */
  senderIsThisMailbox: boolean;
}

export interface SendingFacts {
  now: Date;
  mailbox: MailboxFacts;
  campaign: CampaignFacts;
  lead: LeadFacts;
}

/** The limits of an email. The status names a mailbox or campaign that is not active. */
export type LimitName =
  | 'mailbox_paused'
  | 'mailbox_error'
  | 'mailbox_disconnected'
  | 'mailbox_sending_disabled'
  | 'mailbox_paused_by_sending'
  | 'mailbox_cooldown'
  | 'mailbox_day'
  | 'mailbox_24h'
  | 'mailbox_gap'
  | 'provider_rate'
  | 'campaign_draft'
  | 'campaign_paused'
  | 'campaign_completed'
  | 'campaign_archived'
  | 'campaign_window'
  | 'campaign_interval'
  | 'campaign_day'
  | 'new_leads_day'
  | 'domain_day'
  | 'lead_paused'
  | 'lead_verifying'
  | 'lead_unverified'
  | 'lead_restored'
  | 'in_flight'
  | 'ambiguous'
  | 'other_sender'
  | 'step_delay';

/** A limit that applies now. */
export interface LimitState {
  name: LimitName;
  used?: number;
  max?: number;
  /** When this limit alone would permit the email; null = only an action or an external event ends it. */
  until: Date | null;
  /** Further information, such as the reply of a server. */
  detail?: string;
  /** Whether this limit applies longest of all current limits. Exactly one does. */
  binding: boolean;
}

export interface Wait {
  kind: 'wait';
  /** The binding limit. */
  reason: LimitName;
  /**
   * The first moment at which no limit applies, if nothing else happens; null = there is none without an action or
   * event.
   */
  nextEligibleAt: Date | null;
  /** All limits that apply now. */
  limits: LimitState[];
}

/** The state of a gate: open, or the limits that apply. */
export type Opening = { kind: 'open' } | Wait;

export type Decision = { kind: 'send' } | Wait | { kind: 'stop'; reason: StopReason };
