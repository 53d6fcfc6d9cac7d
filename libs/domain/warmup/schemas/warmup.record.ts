import { Prop, raw } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/**
 * `not_started`: never started, or stopped; `in_progress`: growing towards its target; `paused` by a person; `completed`: it has
 * kept its target and continues; `suspended` by the platform because of its placement, until a person resumes it.
 */
export const WARMUP_STATUSES = ['not_started', 'in_progress', 'paused', 'completed', 'suspended'] as const;
export type WarmupStatus = (typeof WARMUP_STATUSES)[number];

/** Statuses in which it sends. */
export const WARMING_STATUSES = ['in_progress', 'completed'] as const satisfies readonly WarmupStatus[];

/** Built-in languages (ISO 639-1). */
export const WARMUP_LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'nl', 'it'] as const;
/** One of `WARMUP_LANGUAGES`, or a language of the operator (`listTextLanguages`). */
export type WarmupLanguage = string;

/** Source of the texts: the library, or the language model where one is configured. */
export const WARMUP_TEXT_SOURCES = ['library', 'model'] as const;
export type WarmupTextSource = (typeof WARMUP_TEXT_SOURCES)[number];

/** Percentages; each day has its own value between them. */
export interface RateRange {
  min: number;
  max: number;
}

/** Percentage of answered mails, by the placement of the mail. */
export interface ReplyRates {
  inbox: RateRange;
  promotions: RateRange;
  spam: number;
}

/** Settings of a warmup: those of the contract, and further ones. */
export interface WarmupConfig {
  /** Threads that it opens on its first day. */
  startingVolume: number;
  /** Additional threads on each further day. */
  dailyIncrease: number;
  /** Highest number of threads a day. */
  targetVolume: number;
  replyRates: ReplyRates;
  /** Whether it pauses on Saturdays and Sundays. */
  weekdaysOnly: boolean;
  languages: WarmupLanguage[];
  /** IANA zone of its days and hours; null: the mailbox's own. */
  timezone: string | null;
  /** HH:MM: start of writing and answering. */
  windowStart: string;
  /** HH:MM, later than `windowStart`. */
  windowEnd: string;
  /** Share of the mailbox's `dailySendLimit` for warmup in per cent, answers included. */
  budgetShare: number;
  textSource: WarmupTextSource;
}

/**
 * Why the volume stays below day and settings: spam placement, settings that were raised during a run, or a resume after a
 * suspension.
 */
export const SLOWDOWN_REASONS = ['spam', 'settings', 'suspension'] as const;
export type SlowdownReason = (typeof SLOWDOWN_REASONS)[number];

export interface Slowdown {
  reason: SlowdownReason;
  /** Current limit of threads a day. */
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

/** Placement of its mail. Counts are of the whole run, rates (0 to 1) of its last 30 days with mail. */
export interface WarmupMetrics {
  totalEmailsSent: number;
  totalRepliesReceived: number;
  /** Inbox share of found mail. The three rates add up to 1, or are 0 without found mail. */
  inboxRate: number;
  promotionsRate: number;
  spamRate: number;
  /** Share of found mail. */
  openRate: number;
  replyRate: number;
  /** Shares of attempted mail: returned; refused as unwanted; deferred. */
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

/** The warmup of a mailbox. Without a record it is `not_started` with the default settings. */
@Collection('warmups', {
  tenant: true,
  indexes: [
    {
      serves: 'due warmups, the longest due first',
      fields: { nextAt: 1, _id: 1 },
      due: 'warmup-plan',
    },
    {
      serves: 'the pool of the installation',
      fields: { status: 1, _id: 1 },
      where: { status: { $in: [...WARMING_STATUSES] } },
    },
    { serves: 'the warmups of a workspace, by status', fields: { workspaceId: 1, status: 1, _id: 1 } },
  ],
  impersonal: {
    'settings and state of the workspace’s own mailbox': [
      'config',
      'startedOn',
      'judgedFrom',
      'closedDay',
      'plannedDay',
      'suspension',
    ],
  },
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

  /** Start of this run; null before the first start and after a stop. */
  @Prop({ type: Date, default: null })
  startedAt!: Date | null;

  /** YYYY-MM-DD of the start in the warmup's zone; '' without a run. */
  @Prop({ type: String, default: '' })
  startedOn!: string;

  /** When this run completed; null before. */
  @Prop({ type: Date, default: null })
  completedAt!: Date | null;

  /** Current day of the run, from 1: days without mail do not count. 0 before the start. */
  @Prop({ type: Number, required: true, default: 0 })
  currentDay!: number;

  /** Threads that it opens on that day. */
  @Prop({ type: Number, required: true, default: 0 })
  currentVolume!: number;

  /** Consecutive days with mail at the target without trouble. */
  @Prop({ type: Number, required: true, default: 0 })
  daysAtVolume!: number;

  /** YYYY-MM-DD from which days are evaluated: the start or the last resume. '' without a run. */
  @Prop({ type: String, default: '' })
  judgedFrom!: string;

  /** YYYY-MM-DD of the last closed day; '' before the first. A day is closed once. */
  @Prop({ type: String, default: '' })
  closedDay!: string;

  /** YYYY-MM-DD of the last planned day; '' before the first. */
  @Prop({ type: String, default: '' })
  plannedDay!: string;

  /** Threads of the last planned day; 0 without a peer, null before the first plan of a run. */
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

  /** Next due time for the worker; null while it does not send. */
  @Prop({ type: Date, default: null })
  nextAt!: Date | null;

  /** Grows with every change of status or settings and guards concurrent writes. */
  @Prop({ type: Number, required: true, default: 0 })
  revision!: number;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
