import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { JobFields } from '@platform/job-records';
import { Schema, type Types } from 'mongoose';
import { type Subject } from '../lookups/listing-name';
import { ZONE_KINDS } from '../zones/zone';

export const TEST_STATUSES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
export type TestStatus = (typeof TEST_STATUSES)[number];

/** Source of a subject: domain of the address, registered domain, SMTP host, or learned address. */
export const SUBJECT_SOURCES = ['domain', 'registered_domain', 'smtp_host', 'learned'] as const;
export type SubjectSource = (typeof SUBJECT_SOURCES)[number];

/**
 * Why a subject of a mailbox is not queried. `shared_addresses`: addresses of a large provider; `host_unknown`: its SMTP host has
 * no address in DNS; `host_unanswered`: DNS did not return all of them; `private_address`: the host is in a private network;
 * `mailbox_deleted`: it was deleted before the test.
 */
export const NOT_CHECKED_REASONS = [
  'shared_addresses',
  'host_unknown',
  'host_unanswered',
  'private_address',
  'mailbox_deleted',
] as const;
export type NotCheckedReason = (typeof NOT_CHECKED_REASONS)[number];

export interface PlannedSubject extends Subject {
  source: SubjectSource;
}

export interface NotChecked {
  what: 'addresses' | 'mailbox';
  reason: NotCheckedReason;
}

/** A mailbox of a test, and its planned subjects. */
export interface PlannedMailbox {
  mailboxId: Types.ObjectId;
  email: string;
  subjects: PlannedSubject[];
  notChecked: NotChecked[];
}

/** Mailboxes with an answer of at least one zone; those without a listing, and the others. */
export interface TestSummary {
  totalChecked: number;
  clean: number;
  blacklisted: number;
}

export interface TestProblem {
  code: string;
  message: string;
}

const whole = { type: Number, required: true, default: 0 };
const nested = { _id: false, id: false };
const text = { type: String, required: true };
const mailbox = new Schema({ mailboxId: Schema.Types.ObjectId, email: text }, nested);
const subject = new Schema(
  { subject: text, kind: { ...text, enum: ZONE_KINDS }, source: { ...text, enum: SUBJECT_SOURCES } },
  nested,
);
const notChecked = new Schema({ what: text, reason: { ...text, enum: NOT_CHECKED_REASONS } }, nested);
const planned = new Schema(
  { mailboxId: Schema.Types.ObjectId, email: text, subjects: [subject], notChecked: [notChecked] },
  nested,
);

/** A test of mailboxes against all zones. */
@Collection('blacklist_tests', {
  tenant: true,
  indexes: [
    { serves: 'the list of tests, newest first', fields: { workspaceId: 1, createdAt: -1, _id: -1 } },
    {
      serves: 'tests with a due run, oldest first',
      fields: { nextAt: 1, _id: 1 },
      due: 'blacklist-test',
      where: { nextAt: { $gt: new Date(0) } },
    },
    {
      serves: 'the number of open tests of a workspace',
      fields: { workspaceId: 1, open: 1 },
      where: { open: true },
    },
    { serves: 'expiry of tests', fields: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ],
  impersonal: {
    'tests of the workspace’s own mailboxes': ['testCode', 'testName', 'mailboxes', 'plan'],
    'codes of errors, in our words': ['error'],
    'a worker': ['holder'],
  },
})
export class BlacklistTestRecord extends JobFields {
  /** Who started it; the owner for an API key of the workspace. */
  @Prop({ type: Schema.Types.ObjectId, required: true })
  userId!: Types.ObjectId;

  /** `BL-<epoch milliseconds>-<8 hex characters>` */
  @Prop(text)
  testCode!: string;

  @Prop(text)
  testName!: string;

  /** In the requested order, with their addresses at that time. */
  @Prop({ type: [mailbox], required: true })
  mailboxes!: { mailboxId: Types.ObjectId; email: string }[];

  /** Its schedule; null for a person's request. */
  @Prop({ type: Schema.Types.ObjectId, default: null })
  scheduleId!: Types.ObjectId | null;

  @Prop({ type: String, enum: TEST_STATUSES, required: true, default: 'pending' })
  status!: TestStatus;

  /** Planned subjects, determined once at the start; null before. */
  @Prop({ type: [planned], default: null })
  plan!: PlannedMailbox[] | null;

  /** Completed look-ups, and all. */
  @Prop({ type: new Schema({ done: whole, total: whole }, nested), required: true })
  progress!: { done: number; total: number };

  /** null while it is pending; zeros until it has ended. */
  @Prop({ type: new Schema({ totalChecked: whole, clean: whole, blacklisted: whole }, nested), default: null })
  overallSummary!: TestSummary | null;

  /** Why it failed. */
  @Prop({ type: new Schema({ code: String, message: String }, nested), default: null })
  error!: TestProblem | null;

  /** When it expires, with its findings. */
  @Prop({ type: Date, required: true })
  expiresAt!: Date;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
