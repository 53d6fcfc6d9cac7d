import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { type RefusalReason } from '../import-row-reader';

/** A row that did not become a lead. */
export interface RefusedRow {
  /** Row number as a spreadsheet counts. */
  row: number;
  reason: RefusalReason;
  /** Explains the reason where it is not sufficient. */
  detail: string;
  /** As in the file. */
  cells: string[];
}

const refused = new Schema(
  { row: Number, reason: String, detail: { type: String, default: '' }, cells: [String] },
  { _id: false, id: false },
);

/** The refused rows of one batch of an import: one document for up to 1000 rows. */
@Collection('lead_import_refusals', {
  tenant: true,
  indexes: [
    {
      serves: 'the refused rows of an import in order',
      fields: { workspaceId: 1, importId: 1, row: 1 },
      unique: true,
    },
    { serves: 'expiry of refused rows', fields: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ],
  impersonal: {
    'a code': ['rows.reason'],
  },
})
export class LeadImportRefusalRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  importId!: Types.ObjectId;

  /** Number of the first row. */
  @Prop({ type: Number, required: true })
  row!: number;

  @Prop({ type: [refused], required: true })
  rows!: RefusedRow[];

  @Prop({ type: Date, required: true })
  expiresAt!: Date;
}
