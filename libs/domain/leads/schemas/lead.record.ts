import { type PERSON_FIELDS } from '@domain/campaigns';
import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

export const LEAD_STATUSES = ['active', 'paused', 'completed', 'bounced', 'removed'] as const;
export type LeadStatus = (typeof LEAD_STATUSES)[number];

/** Why a lead is stopped or paused; null while it is active. */
export const STOP_REASONS = [
  'finished',
  'replied',
  'auto_replied',
  'unsubscribed',
  'bounced_hard',
  'bounced_soft_limit',
  'complained',
  'suppressed',
  'company_replied',
  'manual',
  'missing_variable',
  'failed',
  'verifying',
  'verification',
  'restored',
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

export type PersonField = (typeof PERSON_FIELDS)[number];

/** The conversation that follow-up emails continue. */
export interface LeadThread {
  /** Message-IDs of the sent emails, oldest first, with angle brackets. */
  messageIds: string[];
  subject: string;
  /** The conversation id of the vendor (Gmail). */
  providerThreadId: string | null;
}

/** State of the verification of its address. */
export interface LeadVerification {
  /** `valid`, `invalid`, `risky`, `catch_all`, `unknown`; null before the result. */
  result: string | null;
  /** Reasons of the result; before it, the reasons for waiting. */
  reasons: string[];
  checkedAt: Date | null;
  /** Attempts without a result. */
  attempts: number;
  /** The time of the next attempt; null after the last one. */
  nextAt: Date | null;
}

/** A due lead that waits for a sending window, a daily limit or the like. */
export interface LeadPostponement {
  /** The time at which its step is due by the sequence. */
  dueAt: Date;
  /** The `dueAt` that replaced it; once `dueAt` differs, the postponement is void. */
  until: Date;
  /** The limit with the longest wait. */
  reason: string;
  /** The campaign revision of the settings that postponed it. */
  revision: number;
}

const postponement = new Schema(
  {
    dueAt: { type: Date, required: true },
    until: { type: Date, required: true },
    reason: { type: String, required: true },
    revision: { type: Number, required: true },
  },
  { _id: false, id: false },
);

const verification = new Schema(
  {
    result: { type: String, default: null },
    reasons: { type: [String], default: [] },
    checkedAt: { type: Date, default: null },
    attempts: { type: Number, default: 0 },
    nextAt: { type: Date, default: null },
  },
  { _id: false, id: false },
);

const text = { type: String, default: '' };

/** Leads that wait for the verification of their address. */
const VERIFYING = { status: 'paused', 'verification.nextAt': { $gt: new Date(0) } };
/** Paused leads that resume automatically. Leads that a person has paused may be many; this index leaves them out. */
const RESUMING = { status: 'paused', resumeAt: { $gt: new Date(0) } };

/** Postponed leads. */
const POSTPONED = { status: 'active', 'postponement.revision': { $gte: 0 } };

/** One person in one campaign. */
@Collection('campaign_leads', {
  tenant: true,
  indexes: [
    {
      serves: 'uniqueness of an address in a campaign; one person in all campaigns',
      fields: { workspaceId: 1, email: 1, campaignId: 1 },
      unique: true,
    },
    {
      serves: 'the leads of a campaign, newest first',
      fields: { workspaceId: 1, campaignId: 1, createdAt: -1, _id: -1 },
    },
    {
      serves: 'the leads of a campaign by status',
      fields: { workspaceId: 1, campaignId: 1, status: 1, createdAt: -1, _id: -1 },
    },
    {
      serves: 'the next leads of a mailbox: its own follow-ups, or leads without a sender',
      fields: { campaignId: 1, mailboxId: 1, dueAt: 1, _id: 1 },
      where: { status: 'active' },
    },
    {
      serves: 'leads that earlier settings of their campaign have postponed',
      fields: { campaignId: 1, 'postponement.revision': 1, _id: 1 },
      where: POSTPONED,
    },
    { serves: 'the people of one company, its subdomains included', fields: { workspaceId: 1, domains: 1 } },
    // `campaignId` gives the index another name than `resumeAt_1`, an index over all paused leads in older databases.
    {
      serves: 'leads that resume automatically',
      fields: { resumeAt: 1, campaignId: 1 },
      due: 'lead-resume',
      where: RESUMING,
    },
    {
      serves: 'whether a campaign has leads that resume automatically',
      fields: { workspaceId: 1, campaignId: 1, resumeAt: 1 },
      where: RESUMING,
    },
    {
      serves: 'unverified leads: the campaigns that have any, and the next lead of a campaign',
      fields: { workspaceId: 1, campaignId: 1, 'verification.nextAt': 1, _id: 1 },
      where: VERIFYING,
    },
    {
      serves: 'the leads of one import',
      fields: { workspaceId: 1, importId: 1 },
      where: { importId: { $exists: true } },
    },
  ],
  impersonal: {
    'codes of results and limits': ['postponement', 'verification'],
  },
})
export class LeadRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  campaignId!: Types.ObjectId;

  /** In its normal form (`parseEmailAddress`). */
  @Prop({ type: String, required: true })
  email!: string;

  /** The part of the address after the @. */
  @Prop({ type: String, required: true })
  domain!: string;

  /** The domain and its parents without the top-level domain: a suppression of one of them applies to the lead. */
  @Prop({ type: [String], required: true })
  domains!: string[];

  @Prop(text)
  firstName!: string;

  @Prop(text)
  lastName!: string;

  @Prop(text)
  companyName!: string;

  @Prop(text)
  jobTitle!: string;

  @Prop(text)
  phone!: string;

  @Prop(text)
  website!: string;

  @Prop(text)
  linkedinUrl!: string;

  @Prop(text)
  city!: string;

  @Prop(text)
  country!: string;

  /** Further values for placeholders, by name. */
  @Prop({ type: Schema.Types.Mixed, default: {} })
  variables!: Record<string, string>;

  /** IANA name; null when unknown. */
  @Prop({ type: String, default: null })
  timezone!: string | null;

  @Prop({ type: String, enum: LEAD_STATUSES, required: true, default: 'active' })
  status!: LeadStatus;

  @Prop({ type: String, enum: [...STOP_REASONS, null], default: null })
  stopReason!: StopReason | null;

  /** The time at which a paused lead resumes automatically (out of office). */
  @Prop({ type: Date, default: null })
  resumeAt!: Date | null;

  /** The next step; null before the first and after the last. */
  @Prop({ type: Schema.Types.ObjectId, default: null })
  stepId!: Types.ObjectId | null;

  /** The time at which the next email is due; null while an email is claimed and after the last one. */
  @Prop({ type: Date, default: null })
  dueAt!: Date | null;

  /** Present while `dueAt` is later than the sequence says. Records of older releases have none. */
  @Prop({ type: postponement })
  postponement?: LeadPostponement;

  /** The mailbox of the first email, from which all others come; null before the first email. */
  @Prop({ type: Schema.Types.ObjectId, default: null })
  mailboxId!: Types.ObjectId | null;

  /** The claimed send. */
  @Prop({ type: Schema.Types.ObjectId, default: null })
  sendId!: Types.ObjectId | null;

  /** Number of sent emails. */
  @Prop({ type: Number, required: true, default: 0 })
  sentCount!: number;

  @Prop({ type: Date, default: null })
  lastSentAt!: Date | null;

  @Prop({
    type: new Schema(
      { messageIds: [String], subject: String, providerThreadId: { type: String, default: null } },
      { _id: false, id: false },
    ),
    default: null,
  })
  thread!: LeadThread | null;

  /** Times of the first open and click by a person, and of the first reply; absent before. */
  @Prop({ type: Date })
  openedAt?: Date;

  @Prop({ type: Date })
  clickedAt?: Date;

  @Prop({ type: Date })
  repliedAt?: Date;

  /** Time of the first unsubscribe by a link in an email; absent before. */
  @Prop({ type: Date })
  unsubscribedAt?: Date;

  /**
   * Consecutive soft bounces, oldest first: three within seven days end the lead. Absent, or empty again after a reply.
   */
  @Prop({ type: [Date], default: undefined })
  softBouncedAt?: Date[];

  /** Absent for a lead whose address is not to be verified. */
  @Prop({ type: verification })
  verification?: LeadVerification;

  /** The import that created the lead; absent for others. */
  @Prop({ type: Schema.Types.ObjectId })
  importId?: Types.ObjectId;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
