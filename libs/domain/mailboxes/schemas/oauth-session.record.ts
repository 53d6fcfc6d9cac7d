import { type Actor } from '@domain/access';
import { actorFields } from '@domain/audit';
import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { OAUTH_PROVIDERS, type OAuthProviderName } from '../oauth/oauth-providers';

/** `exchanging`: the person has returned and the code is being exchanged; the session cannot be claimed again. */
const STORED_STATUSES = ['pending', 'exchanging', 'completed', 'failed'] as const;

/** How long an ended session can still be read (seconds). */
const RETENTION_SECONDS = 24 * 3600;

/** One visit to a vendor's consent page. */
@Collection('mailbox_oauth_sessions', {
  tenant: true,
  indexes: [
    { serves: 'the session of a returning person', fields: { stateHash: 1 }, unique: true },
    {
      serves: 'deleting a session a day after its end',
      fields: { expiresAt: 1 },
      expireAfterSeconds: RETENTION_SECONDS,
    },
  ],
  impersonal: {
    'a consent session for the workspace’s own mailbox': ['stateHash', 'verifier', 'displayName', 'redirectUrl'],
    'a user or a key of the workspace': ['startedBy'],
    'codes of errors, in our words': ['error'],
  },
})
export class OAuthSessionRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: String, enum: OAUTH_PROVIDERS, required: true })
  provider!: OAuthProviderName;

  @Prop({ type: String, enum: STORED_STATUSES, required: true })
  status!: (typeof STORED_STATUSES)[number];

  /** SHA-256 of the `state` parameter, in hexadecimal digits. */
  @Prop({ type: String, required: true })
  stateHash!: string;

  /** PKCE's code verifier, sealed for `<workspaceId>/<sessionId>/verifier`; null once it was used. */
  @Prop({ type: String, default: null })
  verifier!: string | null;

  @Prop({ type: actorFields, required: true })
  startedBy!: Actor;

  /** The mailbox to be authorised again; later the connected one. */
  @Prop({ type: Schema.Types.ObjectId, default: null })
  mailboxId!: Types.ObjectId | null;

  @Prop({ type: String, default: null })
  displayName!: string | null;

  /** Where the browser is redirected at the end. */
  @Prop({ type: String, default: null })
  redirectUrl!: string | null;

  @Prop({ type: new Schema({ code: String, message: String }, { _id: false, id: false }), default: null })
  error!: { code: string; message: string } | null;

  /** Time limit of the consent. */
  @Prop({ type: Date, required: true })
  expiresAt!: Date;

  @Prop({ type: Date })
  createdAt!: Date;
}
