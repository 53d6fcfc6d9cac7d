import { CRM_TYPES, type CrmType } from '@adapters/crm';
import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { type MappingRule, RULE_DIRECTIONS, RULE_OVERWRITES } from '../../mapping/field-rule';

/** `key`: an API key of the vendor; `consent`: OAuth. */
export const CRM_WAYS = ['key', 'consent'] as const;
export type CrmWay = (typeof CRM_WAYS)[number];

export const CRM_STATUSES = ['connected', 'disconnected'] as const;
export type CrmStatus = (typeof CRM_STATUSES)[number];

export const OWNER_POLICIES = ['keep', 'set'] as const;
export type OwnerPolicy = (typeof OWNER_POLICIES)[number];

export interface ConnectionError {
  code: string;
  message: string;
  at: Date;
}

const ERROR = new Schema({ code: String, message: String, at: Date }, { _id: false, id: false });
const RULE = new Schema(
  {
    lead: { type: String, required: true },
    crm: { type: String, required: true },
    direction: { type: String, enum: RULE_DIRECTIONS, required: true },
    overwrite: { type: String, enum: RULE_OVERWRITES, required: true },
    // Pairs: values may have dots and dollars.
    values: { type: [[String]], default: null },
    type: { type: String, default: null },
    options: { type: [String], default: null },
    maxLength: { type: Number, default: null },
  },
  { _id: false, id: false },
);

/** A rule with its values in pairs. */
export interface StoredRule extends Omit<MappingRule, 'values' | 'options'> {
  readonly values: [string, string][] | null;
  readonly options: string[] | null;
}

/** The CRM account of a workspace with its settings and mapping. */
@Collection('crm_connections', {
  tenant: true,
  indexes: [
    { serves: 'the connection to a CRM, of which there is one', fields: { workspaceId: 1, type: 1 }, unique: true },
    { serves: 'connections without use for a day', fields: { status: 1, enabled: 1, checkedAt: 1, _id: 1 } },
  ],
  impersonal: {
    'sealed credentials of the workspace’s own CRM account': ['apiKey', 'refreshToken', 'accessToken'],
    'the workspace’s own CRM account and its settings': [
      'accountId',
      'accountName',
      'baseUrl',
      'tokenUrl',
      'scopes',
      'mapping',
      'ownerId',
    ],
    'codes of errors, in our words': ['lastError'],
  },
})
export class CrmConnectionRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: String, enum: CRM_TYPES, required: true })
  type!: CrmType;

  @Prop({ type: String, enum: CRM_WAYS, required: true })
  authMethod!: CrmWay;

  /** Whether it may be used. */
  @Prop({ type: Boolean, required: true })
  enabled!: boolean;

  /** Whether the vendor accepted our credentials at the last request. */
  @Prop({ type: String, enum: CRM_STATUSES, required: true })
  status!: CrmStatus;

  /** Id of the account at the vendor; another account has other people. */
  @Prop({ type: String, required: true })
  accountId!: string;

  @Prop({ type: String, default: '' })
  accountName!: string;

  /** Base URL of its API. */
  @Prop({ type: String, required: true })
  baseUrl!: string;

  /** Token endpoint; null for a key. */
  @Prop({ type: String, default: null })
  tokenUrl!: string | null;

  /** Granted scopes; none for a key. */
  @Prop({ type: [String], default: [] })
  scopes!: string[];

  /** Sealed (`connectionSecretOwner`), like both tokens. */
  @Prop({ type: String, default: null })
  apiKey!: string | null;

  @Prop({ type: String, default: null })
  refreshToken!: string | null;

  @Prop({ type: String, default: null })
  accessToken!: string | null;

  @Prop({ type: Date, default: null })
  accessTokenExpiresAt!: Date | null;

  /** Grows with each token change: a late answer never replaces a newer token. */
  @Prop({ type: Number, required: true })
  tokenVersion!: number;

  /** Grows with each change of credentials, mapping or settings: earlier sessions are outdated. */
  @Prop({ type: Number, required: true })
  revision!: number;

  @Prop({ type: [RULE], required: true })
  mapping!: StoredRule[];

  /** `keep`: owners of people are never changed. */
  @Prop({ type: String, enum: OWNER_POLICIES, required: true })
  ownerPolicy!: OwnerPolicy;

  @Prop({ type: String, default: null })
  ownerId!: string | null;

  @Prop({ type: ERROR, default: null })
  lastError!: ConnectionError | null;

  @Prop({ type: Date, required: true })
  connectedAt!: Date;

  @Prop({ type: Date, default: null })
  disconnectedAt!: Date | null;

  /** When the vendor last accepted or rejected the credentials. */
  @Prop({ type: Date, required: true })
  checkedAt!: Date;

  @Prop({ type: Date, default: null })
  lastSyncAt!: Date | null;

  /** People created or changed here by pulls, and there by pushes. */
  @Prop({ type: Number, required: true })
  totalPulled!: number;

  @Prop({ type: Number, required: true })
  totalPushed!: number;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
