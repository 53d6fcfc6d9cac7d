import { type Actor, KEY_SCOPES, type KeyScope } from '@domain/access';
import { actorFields } from '@domain/audit';
import { Prop } from '@nestjs/mongoose';
import { type Types } from 'mongoose';

/** One secret of a key. A key has several only while a rotation overlaps. */
export interface KeySecret {
  /** SHA-256 of the secret, in hexadecimal digits. */
  hash: string;
  last4: string;
  /** When a previous secret expires; null for the current one, which comes first. */
  expiresAt: Date | null;
}

/**
 * Fields of both kinds of key. They have two collections: keys of a workspace belong to it (and are isolated and erased
 * with it), keys of a user belong to no workspace.
 */
export abstract class KeyRecord {
  _id!: Types.ObjectId;

  @Prop({ type: String, required: true })
  name!: string;

  @Prop({ type: [{ type: String, enum: KEY_SCOPES }], required: true })
  scopes!: KeyScope[];

  @Prop({
    type: [
      {
        _id: false,
        hash: { type: String, required: true },
        last4: { type: String, required: true },
        expiresAt: { type: Date, default: null },
      },
    ],
    required: true,
  })
  secrets!: KeySecret[];

  /** Requests per window; null for the default of the installation. */
  @Prop({ type: Number, default: null })
  rateLimit!: number | null;

  @Prop({ type: actorFields, required: true })
  createdBy!: Actor;

  /** Exact to one minute. */
  @Prop({ type: Date, default: null })
  lastUsedAt!: Date | null;

  @Prop({ type: Date, default: null })
  expiresAt!: Date | null;

  @Prop({ type: Date, default: null })
  revokedAt!: Date | null;

  @Prop({ type: Date })
  createdAt!: Date;
}

/** A stored key of either kind. */
export interface StoredKey extends KeyRecord {
  /** Set for a workspace key. */
  workspaceId?: Types.ObjectId;
  /** Set for a platform key. */
  userId?: Types.ObjectId;
}

export const BY_SECRET = {
  serves: 'the key of a request; no two keys share a secret',
  fields: { 'secrets.hash': 1 },
  unique: true,
} as const;
