import { type PERSON_FIELDS } from '@domain/campaigns';
import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

export const LEAD_STATUSES = ['active', 'paused', 'completed', 'bounced', 'removed'] as const;
export type LeadStatus = (typeof LEAD_STATUSES)[number];

/** Why a lead is not written to any more, or not now; null while it is active. */
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

/** The conversation that follow-ups go on with. */
export interface LeadThread {
  /** Message-IDs of what was sent in it, oldest first, with angle brackets. */
  messageIds: string[];
  subject: string;
  /** The vendor's conversation (Gmail). */
  providerThreadId: string | null;
}

/** What the verification of its address has found out so far. */
export interface LeadVerification {
  /** `valid`, `invalid`, `risky`, `catch_all`, `unknown`; null while there is none. */
  result: string | null;
  /** Why; before there is a result, what it waits for. */
  reasons: string[];
  checkedAt: Date | null;
  /** Times that nobody could tell. */
  attempts: number;
  /** When it is looked at, again if it was before; null when it is over. */
  nextAt: Date | null;
}

/** That a due lead waits for a window, a limit of the day or the like. */
export interface LeadPostponement {
  /** When its step is due by the sequence. */
  dueAt: Date;
  /** The `dueAt` that the lead got instead: once that is another, the postponement is void. */
  until: Date;
  /** The limit that holds longest. */
  reason: string;
  /** The campaign's, whose settings it follows from. */
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

/** Leads that wait for what is found out about their address. */
const VERIFYING = { status: 'paused', 'verification.nextAt': { $gt: new Date(0) } };
/** Paused leads that go on by themselves. Those that a person has paused may be many: no index of these is written for them. */
const RESUMING = { status: 'paused', resumeAt: { $gt: new Date(0) } };

/** Leads that wait although their step is due. */
const POSTPONED = { status: 'active', 'postponement.revision': { $gte: 0 } };

/** One person in one campaign. */
@Collection('campaign_leads', {
  tenant: true,
  indexes: [
    {
      serves: 'that an address is in a campaign once; one person in all campaigns',
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
      serves: 'what a mailbox has to send next: its own follow-ups, or leads that have no sender yet',
      fields: { campaignId: 1, mailboxId: 1, dueAt: 1, _id: 1 },
      where: { status: 'active' },
    },
    {
      serves: 'leads that earlier settings of their campaign have postponed',
      fields: { campaignId: 1, 'postponement.revision': 1, _id: 1 },
      where: POSTPONED,
    },
    { serves: 'the people of one company, its subdomains included', fields: { workspaceId: 1, domains: 1 } },
    // `campaignId` gives it a name of its own: databases that are older have an index `resumeAt_1` of all paused leads.
    {
      serves: 'leads that resume by themselves',
      fields: { resumeAt: 1, campaignId: 1 },
      due: 'lead-resume',
      where: RESUMING,
    },
    {
      serves: 'whether a campaign has leads that resume by themselves',
      fields: { workspaceId: 1, campaignId: 1, resumeAt: 1 },
      where: RESUMING,
    },
    {
      serves: 'leads whose address is to be verified: which campaigns have any, and the next of one',
      fields: { workspaceId: 1, campaignId: 1, 'verification.nextAt': 1, _id: 1 },
      where: VERIFYING,
    },
    {
      serves: 'the leads of one import',
      fields: { workspaceId: 1, importId: 1 },
      where: { importId: { $exists: true } },
    },
  ],
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

  /** The domain and those above it, the top-level one left out: what is said of one of them is said of this lead. */
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

  /** IANA name; null when it is not known. */
  @Prop({ type: String, default: null })
  timezone!: string | null;

  @Prop({ type: String, enum: LEAD_STATUSES, required: true, default: 'active' })
  status!: LeadStatus;

  @Prop({ type: String, enum: [...STOP_REASONS, null], default: null })
  stopReason!: StopReason | null;

  /** Paused leads that go on by themselves (out of office): when. */
  @Prop({ type: Date, default: null })
  resumeAt!: Date | null;

  /** The step that comes next; null before the first and after the last. */
  @Prop({ type: Schema.Types.ObjectId, default: null })
  stepId!: Types.ObjectId | null;

  /** When it is the lead's turn; null while an email to it is on its way and when nothing comes any more. */
  @Prop({ type: Date, default: null })
  dueAt!: Date | null;

  /** Why `dueAt` is later than the sequence says; absent while it is not. Older records have none. */
  @Prop({ type: postponement })
  postponement?: LeadPostponement;

  /** The mailbox that wrote first: all further emails come from it. null for a lead that nobody has written to. */
  @Prop({ type: Schema.Types.ObjectId, default: null })
  mailboxId!: Types.ObjectId | null;

  /** The email on its way. */
  @Prop({ type: Schema.Types.ObjectId, default: null })
  sendId!: Types.ObjectId | null;

  /** Emails that it was sent. */
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

  /** When a person first opened an email to it, followed a link in one, and answered; absent before. */
  @Prop({ type: Date })
  openedAt?: Date;

  @Prop({ type: Date })
  clickedAt?: Date;

  @Prop({ type: Date })
  repliedAt?: Date;

  /** When it first unsubscribed by the link of an email; absent before. */
  @Prop({ type: Date })
  unsubscribedAt?: Date;

  /** Soft bounces in a row, oldest first: three within seven days end the lead. Absent, or empty again when it answers. */
  @Prop({ type: [Date], default: undefined })
  softBouncedAt?: Date[];

  /** Absent for a lead whose address was never to be verified. */
  @Prop({ type: verification })
  verification?: LeadVerification;

  /** The import that brought it; absent for others. */
  @Prop({ type: Schema.Types.ObjectId })
  importId?: Types.ObjectId;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
