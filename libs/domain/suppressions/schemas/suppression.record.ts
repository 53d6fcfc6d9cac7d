import { type Actor } from '@domain/access';
import { actorFields } from '@domain/audit';
import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

export const SUPPRESSION_KINDS = ['address', 'domain'] as const;
export type SuppressionKind = (typeof SUPPRESSION_KINDS)[number];

/** `import`: from a file; `crm`: from a connected CRM. */
export const SUPPRESSION_SOURCES = ['manual', 'unsubscribe', 'bounce', 'complaint', 'import', 'crm'] as const;
export type SuppressionSource = (typeof SUPPRESSION_SOURCES)[number];

/** An address or a domain that the workspace must not write to. */
@Collection('suppressions', {
  tenant: true,
  indexes: [
    {
      serves: 'whether addresses are suppressed, each value once',
      fields: { workspaceId: 1, value: 1 },
      unique: true,
    },
    { serves: 'the list of suppressions, newest first', fields: { workspaceId: 1, createdAt: -1, _id: -1 } },
    { serves: 'the list by kind', fields: { workspaceId: 1, kind: 1, createdAt: -1, _id: -1 } },
    { serves: 'the list by source', fields: { workspaceId: 1, source: 1, createdAt: -1, _id: -1 } },
  ],
  impersonal: {
    'a user or a key of the workspace': ['createdBy'],
  },
})
export class SuppressionRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: String, enum: SUPPRESSION_KINDS, required: true })
  kind!: SuppressionKind;

  /** An address or a domain in normal form. Only addresses contain an @, so the two never collide. */
  @Prop({ type: String, required: true })
  value!: string;

  @Prop({ type: String, enum: SUPPRESSION_SOURCES, required: true })
  source!: SuppressionSource;

  /** Shown in the suppression list. */
  @Prop({ type: String, default: null })
  reason!: string | null;

  @Prop({ type: actorFields, required: true })
  createdBy!: Actor;

  @Prop({ type: Date })
  createdAt!: Date;
}
