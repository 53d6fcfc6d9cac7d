import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** Which field of a result lands where. */
export interface MappedField {
  /** Name in the result; with dots a path into it. */
  from: string;
  /** Field of a person, or name of a variable. */
  to: string;
}

/** The enrichment tool of a workspace. */
@Collection('enrichment_tools', {
  tenant: true,
  indexes: [{ serves: 'the tool of a workspace, of which there is one', fields: { workspaceId: 1 }, unique: true }],
})
export class EnrichmentToolRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** Sealed (`toolSecretOwner`): whoever knows it may add rows. */
  @Prop({ type: String, required: true })
  webhookUrl!: string;

  /** Host of the address, to be shown. */
  @Prop({ type: String, required: true })
  host!: string;

  /** Sealed: what the table asks for; null for nothing. */
  @Prop({ type: String, default: null })
  authToken!: string | null;

  /** Sealed: with what the tool signs its results; null when it does not. */
  @Prop({ type: String, default: null })
  signingSecret!: string | null;

  /** A list: names in a result may have dots and dollars. */
  @Prop({ type: [new Schema({ from: String, to: String }, { _id: false, id: false })], required: true })
  mapping!: MappedField[];

  /** Whether a result takes the place of what a lead has. */
  @Prop({ type: Boolean, required: true })
  overwrite!: boolean;

  /** Whether rows are handed over; results of those that were are taken in any case. */
  @Prop({ type: Boolean, required: true })
  enabled!: boolean;

  /** For so long a result is waited for. */
  @Prop({ type: Number, required: true })
  waitHours!: number;

  /** The tool asked to be left alone until then. */
  @Prop({ type: Date, default: null })
  restUntil!: Date | null;

  @Prop({ type: Date })
  createdAt!: Date;

  /** When a person changed it last. */
  @Prop({ type: Date })
  updatedAt!: Date;
}
