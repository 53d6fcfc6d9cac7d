import type { SendingSchedule } from '@platform/time';

/** How many were used on one day of a zone: on every other day none are. So nobody has to reset a counter at midnight. */
export interface DayCount {
  /** YYYY-MM-DD */
  day: string;
  used: number;
}

/** The sends of five minutes. */
export interface Slot {
  /** When the five minutes begin: a multiple of five minutes since 1970. */
  at: Date;
  used: number;
}

/** The used budget of a mailbox, stored with its lease; `takeToken` and `returnToken` compute the next one. */
export interface MailboxTokens {
  lastSentAt: Date | null;
  /** The send before that: the last one again, should its token be given back. */
  sentBefore: Date | null;
  /** The mailbox's own day that `dayUsed` belongs to, YYYY-MM-DD; '' before the first send. */
  day: string;
  dayUsed: number;
  /** Of these, the mails of warmup. */
  dayWarmup: number;
  /** Of the rolling 24 hours, in any order. */
  slots: readonly Slot[];
  /** When the tokens of the last minute were taken; kept only where the provider has a limit per minute. */
  recent: readonly Date[];
}

/** What of a mailbox's limit is warmup's own. */
export interface WarmupShare {
  /** Mails a day. */
  mails: number;
  /** Whether it has none on Saturdays and Sundays. */
  weekdaysOnly: boolean;
}

export interface MailboxFacts extends MailboxTokens {
  status: 'active' | 'paused' | 'error' | 'disconnected';
  sendingEnabled: boolean;
  /** When a connection in trouble (`error`, `disconnected`) is tried again; null when only a person can mend it. */
  retryAt: Date | null;
  /** The engine itself stopped this mailbox: refusals by policy, bounce rate. A person has to look. */
  pausedBySending: { reason: string } | null;
  /** Its server wants nothing from it until then, and why; null when it has not said so. */
  cooldown: { until: Date; reason: string } | null;
  /** Sends per day of its zone and per rolling 24 hours. */
  dailySendLimit: number;
  /** What others have to leave of it; null = all of it is there for whoever comes first. */
  warmupShare: WarmupShare | null;
  /** Least seconds between two sends; 0 = none. */
  gapSeconds: number;
  /** IANA zone in which its day begins. */
  timezone: string;
  /** The provider's own (Microsoft 365: 30); null = none. */
  perMinuteLimit: number | null;
}

export interface CampaignFacts {
  status: 'draft' | 'active' | 'paused' | 'completed' | 'archived';
  schedule: SendingSchedule;
  /** The window is that of the lead's zone, where the lead has one. All days that are counted stay the schedule's. */
  useLeadTimezone: boolean;
  /** When this mailbox may next send for this campaign: its last send + the jittered `emailIntervalMinutes`. */
  nextAt: Date | null;
  /** Emails a day, over all mailboxes; null = no limit. */
  dailyLimit: number | null;
  /** Of the campaign, in the days of the schedule's zone. */
  usedToday: DayCount;
  /** First emails to new leads a day, over all mailboxes; null = no limit. */
  newLeadsPerDay: number | null;
  newLeadsToday: DayCount;
  /** Emails to one recipient domain a day; free-mail domains are exempt; null = no limit. */
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
  /** When a paused lead goes on by itself (out of office); null = when a person says so. */
  resumeAt: Date | null;
  /** When its next step is due by the sequence; null = nothing is due. */
  dueAt: Date | null;
  /** What has postponed it under the present settings, and until when; null = nothing has. */
  postponed: { until: Date; reason: LimitName } | null;
  /** Whether its next email is its first: such a lead has no mailbox yet. */
  isNew: boolean;
  /** The state of its send that has no outcome yet; null = none. */
  inFlight: 'claimed' | 'sending' | 'ambiguous' | null;
  /** IANA zone, where known. */
  timezone: string | null;
  /** Whether its address or domain must not be written to. */
  suppressed: boolean;
  /** Emails of the campaign to its domain, in the days of the schedule's zone. */
  domainUsedToday: DayCount;
  /** Whether its domain is a free-mail provider's. */
  freeMail: boolean;
  /** Placeholders of the next step that have neither a value nor a default for this lead. */
  missingVariables: readonly string[];
  hasNextStep: boolean;
  /** Whether this mailbox wrote to it before; true for a new lead. */
  senderIsThisMailbox: boolean;
}

export interface SendingFacts {
  now: Date;
  mailbox: MailboxFacts;
  campaign: CampaignFacts;
  lead: LeadFacts;
}

/** What can hold an email back. A mailbox or campaign that is not active is named by its status. */
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

/** A limit that holds now. */
export interface LimitState {
  name: LimitName;
  used?: number;
  max?: number;
  /** When this limit alone would let the email go; null = only an act of a person or an event from outside ends it. */
  until: Date | null;
  /** What more is known of it: the words of a server. */
  detail?: string;
  /** Whether this one holds longest of all that hold now. Exactly one does. */
  binding: boolean;
}

export interface Wait {
  kind: 'wait';
  /** The binding limit. */
  reason: LimitName;
  /** The first moment at which nothing holds, if nothing else happens; null = there is none without an act or event. */
  nextEligibleAt: Date | null;
  /** All limits that hold now. */
  limits: LimitState[];
}

/** What a gate says: nothing holds, or what does. */
export type Opening = { kind: 'open' } | Wait;

export type Decision = { kind: 'send' } | Wait | { kind: 'stop'; reason: StopReason };
