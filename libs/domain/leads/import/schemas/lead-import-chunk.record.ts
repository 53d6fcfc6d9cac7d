import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** A part of an uploaded file: API and worker share no disk. */
@Collection('lead_import_chunks', {
  tenant: true,
  indexes: [
    {
      serves: 'the parts of a file in order',
      fields: { workspaceId: 1, importId: 1, part: 1 },
      unique: true,
    },
    { serves: 'files of interrupted uploads', fields: { createdAt: 1 }, where: { part: 0 } },
    { serves: 'expiry of stored files', fields: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ],
  impersonal: {
    'an uploaded file, deleted when its import ends; an erasure reports open imports': ['data'],
  },
})
export class LeadImportChunkRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  importId!: Types.ObjectId;

  /** Part number, from 0. */
  @Prop({ type: Number, required: true })
  part!: number;

  @Prop({ type: Buffer, required: true })
  data!: Buffer;

  @Prop({ type: Date, required: true })
  expiresAt!: Date;

  @Prop({ type: Date })
  createdAt!: Date;
}
