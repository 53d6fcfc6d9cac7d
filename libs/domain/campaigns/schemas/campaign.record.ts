import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { type LeadVerificationPolicy } from '../campaign-verification';

export const CAMPAIGN_STATUSES = ['draft', 'active', 'paused', 'completed', 'archived'] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

export const MAILBOX_ROTATIONS = ['round-robin'] as const;
export type MailboxRotation = (typeof MAILBOX_ROTATIONS)[number];

/** When a campaign may send: days and hours in its zone. */
export interface CampaignSchedule {
  /** IANA name. */
  timezone: string;
  /** HH:MM. */
  startTime: string;
  /** HH:MM; before `startTime` it is on the next day (an overnight window). */
  endTime: string;
  /** ISO weekdays on which a window begins, 1 Monday to 7 Sunday. */
  workingDays: number[];
}

/** A problem that stops a campaign until a person checks it. */
export interface CampaignProblem {
  /** `content_refused`, `bounce_rate`, … */
  code: string;
  message: string;
  at: Date;
}

const schedule = new Schema(
  {
    timezone: { type: String, required: true },
    startTime: { type: String, required: true },
    endTime: { type: String, required: true },
    workingDays: { type: [Number], required: true },
  },
  { _id: false, id: false },
);

const action = { type: String, required: true };
const verification = new Schema(
  { mode: action, invalid: action, risky: action, catchAll: action, unknown: action, noCredits: action },
  { _id: false, id: false },
);

/** A sequence of emails to leads, sent from mailboxes inside a schedule. */
@Collection('campaigns', {
  tenant: true,
  indexes: [
    { serves: 'the list of campaigns, newest first', fields: { workspaceId: 1, createdAt: -1, _id: -1 } },
    { serves: 'the list by status', fields: { workspaceId: 1, status: 1, createdAt: -1, _id: -1 } },
    { serves: 'the campaigns that send from a mailbox', fields: { workspaceId: 1, mailboxes: 1 } },
    {
      serves: 'the sweep over campaigns that send',
      fields: { status: 1, _id: 1 },
      where: { status: 'active' },
    },
    {
      serves: 'deleted campaigns that are still to be erased',
      fields: { deletedAt: 1 },
      where: { erasing: true },
    },
  ],
  impersonal: {
    settings: ['name', 'sendingSchedule', 'verification'],
    'codes of errors, in our words': ['problem'],
  },
})
export class CampaignRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** The creator. For a workspace key or the operator: the owner of the workspace at that time. */
  @Prop({ type: Schema.Types.ObjectId, required: true })
  userId!: Types.ObjectId;

  @Prop({ type: String, required: true })
  name!: string;

  @Prop({ type: String, enum: CAMPAIGN_STATUSES, required: true, default: 'draft' })
  status!: CampaignStatus;

  @Prop({ type: [Schema.Types.ObjectId], required: true, default: [] })
  mailboxes!: Types.ObjectId[];

  /** Removed mailboxes: the others continue with their leads. */
  @Prop({ type: [Schema.Types.ObjectId], required: true, default: [] })
  formerMailboxes!: Types.ObjectId[];

  @Prop({ type: String, enum: MAILBOX_ROTATIONS, required: true, default: 'round-robin' })
  mailboxRotation!: MailboxRotation;

  /** The published version of its sequence (`campaign_sequences`); 0 while it has none. */
  @Prop({ type: Number, required: true, default: 0 })
  sequenceVersion!: number;

  @Prop({ type: schedule, required: true })
  sendingSchedule!: CampaignSchedule;

  /** Whether the hours of the schedule are those of the lead's own zone, where it is known. */
  @Prop({ type: Boolean, required: true, default: false })
  useLeadTimezone!: boolean;

  @Prop({ type: Boolean, required: true })
  trackOpens!: boolean;

  @Prop({ type: Boolean, required: true })
  trackClicks!: boolean;

  @Prop({ type: Boolean, required: true })
  stopOnReply!: boolean;

  /** Whether a reply stops all leads of the same company. Free-mail domains identify no company. */
  @Prop({ type: Boolean, required: true, default: false })
  stopCompanyOnReply!: boolean;

  @Prop({ type: Boolean, required: true })
  includeUnsubscribeLink!: boolean;

  /** Least minutes between two emails of this campaign from one mailbox; up to 20 % are added at random. */
  @Prop({ type: Number, required: true })
  emailIntervalMinutes!: number;

  /** Emails of the campaign per day of its zone; null for no limit of its own. */
  @Prop({ type: Number, default: null })
  dailyLimit!: number | null;

  /** New leads that receive their first email, per day; null for no limit of its own. */
  @Prop({ type: Number, default: null })
  newLeadsPerDay!: number | null;

  /** Emails per day to one recipient domain, free-mail domains exempt; null for no limit. */
  @Prop({ type: Number, default: null })
  domainDailyLimit!: number | null;

  /** When a daily limit was switched on last, or moved to the day of another zone; null when all have held from the start. */
  @Prop({ type: Date, default: null })
  limitsSince?: Date | null;

  /** Whether due follow-ups go before new leads. */
  @Prop({ type: Boolean, required: true, default: true })
  followUpsFirst!: boolean;

  /** Absent: the default, which is not to verify (`getVerification`). */
  @Prop({ type: verification })
  verification!: LeadVerificationPolicy | undefined;

  /** Grows with every change that sending depends on. */
  @Prop({ type: Number, required: true, default: 1 })
  revision!: number;

  /** Grows when leads are added or resumed: a concurrent completion then fails. */
  @Prop({ type: Number, required: true, default: 0 })
  leadsRevision!: number;

  @Prop({
    type: new Schema({ code: String, message: String, at: Date }, { _id: false, id: false }),
    default: null,
  })
  problem!: CampaignProblem | null;

  /** The first start. */
  @Prop({ type: Date, default: null })
  startedAt!: Date | null;

  @Prop({ type: Date, default: null })
  completedAt!: Date | null;

  /** When it was deleted; the remaining record identifies late answers. */
  @Prop({ type: Date, default: null })
  deletedAt!: Date | null;

  /** Whether the erasure of its leads, versions and figures is still due. */
  @Prop({ type: Boolean, required: true, default: false })
  erasing!: boolean;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
