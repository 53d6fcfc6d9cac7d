import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** Maps a name in the result to a field of the lead. */
export interface MappedField {
  /** Name in the result; dots make a path. */
  from: string;
  /** Field of a person, or name of a variable. */
  to: string;
}

/** The enrichment tool of a workspace. */
@Collection('enrichment_tools', {
  tenant: true,
  indexes: [{ serves: 'the only tool of a workspace', fields: { workspaceId: 1 }, unique: true }],
  impersonal: {
    'sealed credentials of the workspace’s own tool': ['authToken', 'signingSecret'],
    'the workspace’s own tool and its settings': ['webhookUrl', 'host', 'mapping'],
  },
})
export class EnrichmentToolRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** Encrypted (`toolSecretOwner`): the address alone allows adding rows. */
  @Prop({ type: String, required: true })
  webhookUrl!: string;

  /** Host of the address, for display. */
  @Prop({ type: String, required: true })
  host!: string;

  /** Encrypted token of the table; null without one. */
  @Prop({ type: String, default: null })
  authToken!: string | null;

  /** Encrypted secret of the tool's signature; null without one. */
  @Prop({ type: String, default: null })
  signingSecret!: string | null;

  /** A list, because names in a result may contain dots and dollar signs. */
  @Prop({ type: [new Schema({ from: String, to: String }, { _id: false, id: false })], required: true })
  mapping!: MappedField[];

  /** Whether a result replaces existing values of a lead. */
  @Prop({ type: Boolean, required: true })
  overwrite!: boolean;

  /** Whether rows are submitted; results of earlier rows are accepted in any case. */
  @Prop({ type: Boolean, required: true })
  enabled!: boolean;

  /** Hours to wait for a result. */
  @Prop({ type: Number, required: true })
  waitHours!: number;

  /** End of the cooldown that the tool has requested. */
  @Prop({ type: Date, default: null })
  cooldownUntil!: Date | null;

  @Prop({ type: Date })
  createdAt!: Date;

  /** Time of the last change by a person. */
  @Prop({ type: Date })
  updatedAt!: Date;
}
