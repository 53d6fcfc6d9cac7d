import { type Actor, KEY_SCOPES, type KeyScope } from '@domain/access';
import { actorFields } from '@domain/audit';
import { Prop } from '@nestjs/mongoose';
import { type Types } from 'mongoose';

/** One secret of a key. There is more than one only while a rotation overlaps. */
export interface KeySecret {
  /** SHA-256 of the secret, in hexadecimal digits. */
  hash: string;
  last4: string;
  /** When the secret of before stops; null for the current one, which comes first. */
  expiresAt: Date | null;
}

/**
 * What both kinds of key have. They lie in two collections, because a workspace's keys belong to the workspace (they are
 * guarded and erased with it) and a user's keys to no workspace at all.
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

  /** Requests per window; null for the installation's default. */
  @Prop({ type: Number, default: null })
  rateLimit!: number | null;

  @Prop({ type: actorFields, required: true })
  createdBy!: Actor;

  /** To the minute. */
  @Prop({ type: Date, default: null })
  lastUsedAt!: Date | null;

  @Prop({ type: Date, default: null })
  expiresAt!: Date | null;

  @Prop({ type: Date, default: null })
  revokedAt!: Date | null;

  @Prop({ type: Date })
  createdAt!: Date;
}

/** A key of either kind as it is read. */
export interface StoredKey extends KeyRecord {
  /** Of a workspace key. */
  workspaceId?: Types.ObjectId;
  /** Of a platform key. */
  userId?: Types.ObjectId;
}

export const BY_SECRET = {
  serves: 'the key of a request; no two keys share a secret',
  fields: { 'secrets.hash': 1 },
  unique: true,
} as const;
