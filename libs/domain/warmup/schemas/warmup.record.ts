import { Prop, raw } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/**
 * `not_started`: never started, or stopped; `in_progress`: growing towards its target; `paused`: a person paused it;
 * `completed`: it has held its target for long enough, and keeps it up; `suspended`: the platform stopped it for what was
 * found, and a person has to look.
 */
export const WARMUP_STATUSES = ['not_started', 'in_progress', 'paused', 'completed', 'suspended'] as const;
export type WarmupStatus = (typeof WARMUP_STATUSES)[number];

/** In which of them it sends. */
export const WARMING_STATUSES = ['in_progress', 'completed'] as const satisfies readonly WarmupStatus[];

/** Built-in languages (ISO 639-1). */
export const WARMUP_LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'nl', 'it'] as const;
/** One of `WARMUP_LANGUAGES`, or a language that the operator has added (`listTextLanguages`). */
export type WarmupLanguage = string;

/** Whose texts are sent: the platform's own, or those of the language model, where one is configured. */
export const WARMUP_TEXT_SOURCES = ['library', 'model'] as const;
export type WarmupTextSource = (typeof WARMUP_TEXT_SOURCES)[number];

/** Percentages; each day has one of its own between them. */
export interface RateRange {
  min: number;
  max: number;
}

/** Of the mails that were found in a place, so many per cent are answered. */
export interface ReplyRates {
  inbox: RateRange;
  promotions: RateRange;
  spam: number;
}

/** How a mailbox is warmed up: what the contract shows, and more. */
export interface WarmupConfig {
  /** Threads that it begins on its first day. */
  startingVolume: number;
  /** So many more on each day after that. */
  dailyIncrease: number;
  /** Threads a day at most. */
  targetVolume: number;
  replyRates: ReplyRates;
  /** Whether it rests on Saturdays and Sundays. */
  weekdaysOnly: boolean;
  languages: WarmupLanguage[];
  /** IANA zone of its days and hours; null = the mailbox's own. */
  timezone: string | null;
  /** HH:MM: between these it writes and answers. */
  windowStart: string;
  /** HH:MM, later than `windowStart`. */
  windowEnd: string;
  /** Per cent of the mailbox's `dailySendLimit` that warmup may use at most, answers included. */
  budgetShare: number;
  textSource: WarmupTextSource;
}

/**
 * Why the volume stays below what day and settings would give: its mail was found in spam; settings were raised in the middle of
 * a run; it goes on after a suspension.
 */
export const SLOWDOWN_REASONS = ['spam', 'settings', 'suspension'] as const;
export type SlowdownReason = (typeof SLOWDOWN_REASONS)[number];

export interface Slowdown {
  reason: SlowdownReason;
  /** Threads a day at most, for now. */
  ceiling: number;
  /** Days with mail since it was last lowered. */
  days: number;
}

export const SUSPENSION_CODES = ['spam_placement', 'bounces'] as const;
export type SuspensionCode = (typeof SUSPENSION_CODES)[number];

export interface Suspension {
  code: SuspensionCode;
  /** One sentence with the figures. */
  message: string;
  at: Date;
}

/** What was found of its mail. Counts are of the whole run, rates (0 to 1) of its last 30 days with mail. */
export interface WarmupMetrics {
  totalEmailsSent: number;
  totalRepliesReceived: number;
  /** Found in the inbox, of all that were found. The three add up to 1, or are 0 while nothing was found. */
  inboxRate: number;
  promotionsRate: number;
  spamRate: number;
  /** Of all that were found. */
  openRate: number;
  replyRate: number;
  /** Of all that were given to a server: accepted and returned; refused as unwanted; put off. */
  bounceRate: number;
  blockRate: number;
  deferralRate: number;
  lastCalculatedAt: Date;
}

const whole = { type: Number, required: true };
const range = { min: whole, max: whole };
const rate = { type: Number, required: true };

const config = raw({
  startingVolume: whole,
  dailyIncrease: whole,
  targetVolume: whole,
  replyRates: { inbox: range, promotions: range, spam: whole },
  weekdaysOnly: { type: Boolean, required: true },
  languages: { type: [String], required: true },
  timezone: { type: String, default: null },
  windowStart: { type: String, required: true },
  windowEnd: { type: String, required: true },
  budgetShare: whole,
  textSource: { type: String, enum: WARMUP_TEXT_SOURCES, required: true },
});

const createEmbedded = (fields: Record<string, unknown>) => new Schema(fields as never, { _id: false, id: false });

/** The warmup of a mailbox. One that was never changed or started has none, and is `not_started` with the defaults. */
@Collection('warmups', {
  tenant: true,
  indexes: [
    {
      serves: 'warmups whose day is to be planned or closed, those due for longest first',
      fields: { nextAt: 1, _id: 1 },
      due: 'warmup-plan',
    },
    {
      serves: 'the mailboxes of the installation that write to each other',
      fields: { status: 1, _id: 1 },
      where: { status: { $in: [...WARMING_STATUSES] } },
    },
    { serves: 'the warmups of a workspace, by status', fields: { workspaceId: 1, status: 1, _id: 1 } },
  ],
})
export class WarmupRecord {
  /** The mailbox. */
  @Prop({ type: Schema.Types.ObjectId, required: true })
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: String, enum: WARMUP_STATUSES, required: true })
  status!: WarmupStatus;

  @Prop(config)
  config!: WarmupConfig;

  /** When this run was started; null before the first start and after a stop. */
  @Prop({ type: Date, default: null })
  startedAt!: Date | null;

  /** YYYY-MM-DD in the warmup's zone on which this run was started; '' without one. */
  @Prop({ type: String, default: '' })
  startedOn!: string;

  /** When this run had held its target for long enough; null before. */
  @Prop({ type: Date, default: null })
  completedAt!: Date | null;

  /** The day of the run that it is at, from 1: days without mail do not count. 0 while it is not started. */
  @Prop({ type: Number, required: true, default: 0 })
  currentDay!: number;

  /** Threads that it begins on that day. */
  @Prop({ type: Number, required: true, default: 0 })
  currentVolume!: number;

  /** Days with mail in a row on which the target was kept without trouble. */
  @Prop({ type: Number, required: true, default: 0 })
  heldDays!: number;

  /** YYYY-MM-DD from which on its days are judged: a person has looked at what was before. '' without a run. */
  @Prop({ type: String, default: '' })
  judgedFrom!: string;

  /** YYYY-MM-DD that was closed last; '' before the first. A day is closed once. */
  @Prop({ type: String, default: '' })
  closedDay!: string;

  /** YYYY-MM-DD that was planned last; '' before the first. */
  @Prop({ type: String, default: '' })
  plannedDay!: string;

  /** Threads of the day that was planned last; 0 when there was nobody to write to, null before the first of a run. */
  @Prop({ type: Number, default: null })
  plannedThreads?: number | null;

  @Prop({
    type: createEmbedded({ reason: { type: String, enum: SLOWDOWN_REASONS }, ceiling: Number, days: Number }),
    default: null,
  })
  slowdown!: Slowdown | null;

  @Prop({
    type: createEmbedded({ code: { type: String, enum: SUSPENSION_CODES }, message: String, at: Date }),
    default: null,
  })
  suspension!: Suspension | null;

  @Prop({
    type: createEmbedded({
      totalEmailsSent: whole,
      totalRepliesReceived: whole,
      inboxRate: rate,
      promotionsRate: rate,
      spamRate: rate,
      openRate: rate,
      replyRate: rate,
      bounceRate: rate,
      blockRate: rate,
      deferralRate: rate,
      lastCalculatedAt: { type: Date, required: true },
    }),
    default: null,
  })
  metrics!: WarmupMetrics | null;

  /** When the worker next has something to do for it; null while it does not send. */
  @Prop({ type: Date, default: null })
  nextAt!: Date | null;

  /** Grows with every change of status or settings: who works by an older one has to look again. */
  @Prop({ type: Number, required: true, default: 0 })
  revision!: number;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
