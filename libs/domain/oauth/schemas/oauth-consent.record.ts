import { type Actor } from '@domain/access';
import { actorFields } from '@domain/audit';
import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { CONSENT_NAMES, type ConsentName } from '../consent-name';

/** `exchanging`: the callback arrived and the code is in use; a second callback is refused. */
const STORED_STATUSES = ['pending', 'exchanging', 'completed', 'failed'] as const;

/** For how long a consent that has ended can still be read (seconds). */
const RETENTION_SECONDS = 24 * 3600;

/** One OAuth consent session with a vendor. */
@Collection('oauth_consents', {
  tenant: true,
  indexes: [
    { serves: 'the consent of a returning person', fields: { stateHash: 1 }, unique: true },
    {
      serves: 'deletes a consent a day after its end',
      fields: { expiresAt: 1 },
      expireAfterSeconds: RETENTION_SECONDS,
    },
  ],
  impersonal: {
    'a consent session for the workspace’s own mailbox or vendor account': [
      'stateHash',
      'verifier',
      'site',
      'displayName',
      'redirectUrl',
    ],
    'a user or a key of the workspace': ['startedBy'],
    'codes of errors, in our words': ['error'],
  },
})
export class OAuthConsentRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: String, enum: CONSENT_NAMES, required: true })
  name!: ConsentName;

  @Prop({ type: String, enum: STORED_STATUSES, required: true })
  status!: (typeof STORED_STATUSES)[number];

  /** SHA-256 of the `state` parameter, in hexadecimal digits. */
  @Prop({ type: String, required: true })
  stateHash!: string;

  /** PKCE's code verifier, sealed (`consentOwner`); null once it was used. */
  @Prop({ type: String, default: null })
  verifier!: string | null;

  @Prop({ type: actorFields, required: true })
  startedBy!: Actor;

  /** The login site of the account, for vendors with several; null for the default. */
  @Prop({ type: String, default: null })
  site!: string | null;

  /** The mailbox to be authorised again; later the connected one. */
  @Prop({ type: Schema.Types.ObjectId, default: null })
  mailboxId!: Types.ObjectId | null;

  /** The display name of a new mailbox. */
  @Prop({ type: String, default: null })
  displayName!: string | null;

  /** Where the browser goes afterwards. */
  @Prop({ type: String, default: null })
  redirectUrl!: string | null;

  @Prop({ type: new Schema({ code: String, message: String }, { _id: false, id: false }), default: null })
  error!: { code: string; message: string } | null;

  /** The callback is accepted until then. */
  @Prop({ type: Date, required: true })
  expiresAt!: Date;

  @Prop({ type: Date })
  createdAt!: Date;
}

/** A consent for one of several vendors. */
export type ConsentOf<N extends ConsentName> = OAuthConsentRecord & { readonly name: N };
