import { Prop, raw } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

export const MAILBOX_PROVIDERS = ['google', 'microsoft', 'custom'] as const;
export type MailboxProvider = (typeof MAILBOX_PROVIDERS)[number];

export const CONNECTION_TYPES = ['oauth', 'smtp'] as const;
export type ConnectionType = (typeof CONNECTION_TYPES)[number];

/** The status that users see, derived from the pause and the connection (`mailbox-status.ts`). */
export const MAILBOX_STATUSES = ['active', 'paused', 'error', 'disconnected'] as const;
export type MailboxStatus = (typeof MAILBOX_STATUSES)[number];

/**
 * `connected`; `degraded`: the last attempts failed and are retried; `disconnected`: attempts have failed for long or
 * the login was refused, retried rarely; `needs_reauthorisation`: only a person can fix it (consent withdrawn).
 */
export const CONNECTION_STATES = ['connected', 'degraded', 'disconnected', 'needs_reauthorisation'] as const;
export type ConnectionState = (typeof CONNECTION_STATES)[number];

/** Sending (SMTP) and reading (IMAP); the same for Gmail and Graph. */
const MAIL_HALVES = ['outgoing', 'incoming'] as const;
export type MailHalf = (typeof MAIL_HALVES)[number];

/** The last error of a server, verbatim. */
export interface MailboxError {
  code: string | null;
  command: string | null;
  response: string;
  /** One sentence for a person. */
  message: string;
  at: Date;
}

export interface MailboxConnection {
  state: ConnectionState;
  /** Beginning of this state. */
  since: Date;
  /** Failures in a row. */
  failures: number;
  /** When it is checked next; null while it is connected. */
  nextCheckAt: Date | null;
  /**
   * The half that failed: a success of the other one does not end the failure. null while connected, and when
   * unknown.
   */
  half: MailHalf | null;
}

/** `<user>` in plain text, the password sealed for `<workspaceId>/<mailboxId>/<field>`. */
export interface ServerCredentials {
  user: string;
  password: string;
}

/** Sealed tokens of a consent, or the sealed key of a service account that acts for the mailbox. */
export interface OAuthCredentials {
  kind: 'consent' | 'service_account';
  /** Sealed refresh token; null for a service account. */
  refreshToken: string | null;
  /** Sealed service account key (JSON); null for a consent. */
  serviceAccountKey: string | null;
  /** Sealed access token and its expiry; null before the first. */
  accessToken: string | null;
  accessTokenExpiresAt: Date | null;
  scopes: string[];
  /** Grows with each new token: a refresh that started from an older one must not overwrite it. */
  version: number;
}

/** The warmup as the mailbox shows it; only the warmup domain writes it. */
export interface MailboxWarmup {
  enabled: boolean;
  status: string;
  currentDay: number;
  currentVolume: number;
  config: { startingVolume: number; dailyIncrease: number; targetVolume: number };
  metrics: Record<string, number | Date | null>;
  /** The part of the mailbox's limit reserved for warmup; null while it sends nothing. */
  share?: { mails: number; weekdaysOnly: boolean } | null;
}

/** DNS findings; only the health check writes them (`MailboxDomainRepository`). */
export interface MailboxSetup {
  /** The assigned domain; null before the health check has assigned it. */
  domain: string | null;
  healthScore: number;
  mx: string;
  spf: string;
  dkim: string;
  dmarc: string;
}

const text = { type: String, default: null };
const whole = { type: Number, required: true, default: 0 };
const unknown = { type: String, required: true, default: 'unknown' };

/** An account that sends campaigns and receives replies. */
@Collection('mailboxes', {
  tenant: true,
  indexes: [
    { serves: 'connecting an address once in a workspace', fields: { workspaceId: 1, email: 1 }, unique: true },
    { serves: 'the list of mailboxes, newest first', fields: { workspaceId: 1, createdAt: -1, _id: -1 } },
    { serves: 'the list by status', fields: { workspaceId: 1, status: 1, createdAt: -1, _id: -1 } },
    { serves: 'the list by tag', fields: { workspaceId: 1, tags: 1, createdAt: -1, _id: -1 } },
    { serves: 'the list by provider', fields: { workspaceId: 1, provider: 1, createdAt: -1, _id: -1 } },
    { serves: 'the mailboxes that workers watch', fields: { 'connection.state': 1 } },
    {
      serves: 'mailboxes that are due for a check of their connection',
      fields: { 'connection.nextCheckAt': 1 },
      due: 'mailbox-check',
    },
    {
      serves: 'the mailboxes of a domain, and those without an assigned domain',
      fields: { 'setup.domain': 1, workspaceId: 1, _id: 1 },
    },
  ],
  impersonal: {
    'the workspace’s own mailbox': [
      'email',
      'displayName',
      'lastError',
      'smtpHost',
      'imapHost',
      'timezone',
      'signature',
      'tags',
      'warmup',
      'setup',
    ],
    'its credentials, secrets sealed': ['smtpCredentials', 'imapCredentials', 'oauthCredentials'],
  },
})
export class MailboxRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** The user who connected it; null for the operator and for a key of the workspace. */
  @Prop({ type: Schema.Types.ObjectId, default: null })
  userId!: Types.ObjectId | null;

  /** In lower case. */
  @Prop({ type: String, required: true })
  email!: string;

  @Prop({ type: String, default: '' })
  displayName!: string;

  @Prop({ type: String, enum: MAILBOX_PROVIDERS, required: true })
  provider!: MailboxProvider;

  @Prop({ type: String, enum: CONNECTION_TYPES, required: true })
  connectionType!: ConnectionType;

  @Prop({ type: String, enum: MAILBOX_STATUSES, required: true, default: 'active' })
  status!: MailboxStatus;

  @Prop({ type: Date, default: null })
  pausedAt!: Date | null;

  @Prop(
    raw({
      state: { type: String, enum: CONNECTION_STATES, required: true },
      since: { type: Date, required: true },
      failures: whole,
      nextCheckAt: { type: Date, default: null },
      half: { type: String, enum: [...MAIL_HALVES, null], default: null },
    }),
  )
  connection!: MailboxConnection;

  @Prop({
    type: new Schema(
      { code: text, command: text, response: String, message: String, at: Date },
      { _id: false, id: false },
    ),
    default: null,
  })
  lastError!: MailboxError | null;

  @Prop(text)
  smtpHost!: string | null;

  @Prop({ type: Number, default: null })
  smtpPort!: number | null;

  @Prop({ type: Boolean, default: null })
  smtpSecure!: boolean | null;

  @Prop(text)
  imapHost!: string | null;

  @Prop({ type: Number, default: null })
  imapPort!: number | null;

  @Prop({ type: Boolean, default: null })
  imapSecure!: boolean | null;

  @Prop({ type: new Schema({ user: String, password: String }, { _id: false, id: false }), default: null })
  smtpCredentials!: ServerCredentials | null;

  @Prop({ type: new Schema({ user: String, password: String }, { _id: false, id: false }), default: null })
  imapCredentials!: ServerCredentials | null;

  @Prop({
    type: new Schema(
      {
        kind: { type: String, enum: ['consent', 'service_account'], required: true },
        refreshToken: text,
        serviceAccountKey: text,
        accessToken: text,
        accessTokenExpiresAt: { type: Date, default: null },
        scopes: [String],
        version: whole,
      },
      { _id: false, id: false },
    ),
    default: null,
  })
  oauthCredentials!: OAuthCredentials | null;

  /** Grows with every change of servers or credentials: sessions opened with older ones are closed. */
  @Prop(whole)
  credentialsRevision!: number;

  /** Grows with each stored reference to the mailbox (`MailboxRepository.lockReferences`). */
  @Prop(whole)
  referencesRevision!: number;

  /** Emails per day of the mailbox's time zone, and in any 24 hours. */
  @Prop({ type: Number, required: true })
  dailySendLimit!: number;

  /** Minimum seconds between two emails. */
  @Prop({ type: Number, required: true })
  sendGapSeconds!: number;

  /** IANA zone of the mailbox's day. */
  @Prop({ type: String, required: true })
  timezone!: string;

  /** Time of the last change of the zone: earlier days belong to another zone. Absent before. */
  @Prop({ type: Date })
  zoneChangedAt?: Date;

  @Prop({ type: Boolean, required: true, default: true })
  sendingEnabled!: boolean;

  /** HTML. */
  @Prop({ type: String, default: '' })
  signature!: string;

  @Prop({ type: [String], required: true, default: [] })
  tags!: string[];

  @Prop(whole)
  totalSent!: number;

  @Prop(whole)
  totalReceived!: number;

  @Prop(whole)
  totalBounced!: number;

  @Prop(
    raw({
      enabled: { type: Boolean, required: true, default: false },
      status: { type: String, required: true, default: 'not_started' },
      currentDay: whole,
      currentVolume: whole,
      config: {
        startingVolume: { type: Number, required: true, default: 10 },
        dailyIncrease: { type: Number, required: true, default: 1 },
        targetVolume: { type: Number, required: true, default: 25 },
      },
      metrics: { type: Schema.Types.Mixed, default: {} },
      share: {
        type: new Schema({ mails: Number, weekdaysOnly: Boolean }, { _id: false, id: false }),
        default: null,
      },
    }),
  )
  warmup!: MailboxWarmup;

  @Prop(raw({ domain: text, healthScore: whole, mx: unknown, spf: unknown, dkim: unknown, dmarc: unknown }))
  setup!: MailboxSetup;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
