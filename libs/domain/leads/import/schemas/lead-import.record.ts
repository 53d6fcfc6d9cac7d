import { type Actor } from '@domain/access';
import { actorFields } from '@domain/audit';
import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { JobFields } from '@platform/job-records';
import { Schema, type Types } from 'mongoose';
import { type DelimiterName, DELIMITERS } from '../csv-record-reader';
import { type ImportColumn } from '../import-columns';
import { IMPORT_COUNTS, type ImportCounts } from '../import-counts';
import { IMPORT_ENCODINGS, type ImportEncoding } from '../upload-decoder';

export const IMPORT_STATUSES = ['pending', 'processing', 'completed', 'failed', 'cancelled'] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/** A position between two rows of a file. */
export interface ImportPosition {
  /** Bytes of the stored file before the position. */
  offset: number;
  /** Number of the row before the position, as a spreadsheet counts: the header is row 1, blank rows count. */
  row: number;
}

/** Why an import failed, or which rows a completed import left out. */
export interface ImportProblem {
  code: string;
  message: string;
}

const whole = { type: Number, required: true, default: 0 };
const position = new Schema({ offset: whole, row: whole }, { _id: false, id: false });
const column = new Schema(
  {
    column: { type: Number, required: true },
    header: { type: String, default: '' },
    field: { type: String, default: null },
  },
  { _id: false, id: false },
);
const problem = new Schema({ code: String, message: String }, { _id: false, id: false });

/** An import of leads from a CSV file. Its progress is the position between two rows. */
@Collection('lead_imports', {
  tenant: true,
  indexes: [
    {
      serves: 'the imports of a campaign, newest first',
      fields: { workspaceId: 1, campaignId: 1, createdAt: -1, _id: -1 },
    },
    {
      serves: 'imports with a due run, oldest first',
      fields: { nextAt: 1, _id: 1 },
      due: 'lead-import',
      where: { nextAt: { $gt: new Date(0) } },
    },
    {
      serves: 'the number of open imports of a workspace',
      fields: { open: 1, createdAt: 1 },
      where: { open: true },
    },
  ],
  impersonal: {
    'name and columns of a file': ['fileName', 'columns'],
    'codes of errors, in our words': ['error'],
    'a worker': ['holder'],
    'a user or a key of the workspace': ['createdBy'],
  },
})
export class LeadImportRecord extends JobFields {
  @Prop({ type: Schema.Types.ObjectId, required: true })
  campaignId!: Types.ObjectId;

  @Prop({ type: String, default: null })
  fileName!: string | null;

  @Prop({ type: String, enum: IMPORT_STATUSES, required: true, default: 'pending' })
  status!: ImportStatus;

  /** Encoding of the uploaded file. The stored file is UTF-8, unless this is Windows-1252. */
  @Prop({ type: String, enum: IMPORT_ENCODINGS, required: true })
  encoding!: ImportEncoding;

  @Prop({ type: String, enum: Object.keys(DELIMITERS), required: true })
  delimiter!: DelimiterName;

  @Prop({ type: Boolean, required: true })
  hasHeader!: boolean;

  /** Whether the addresses of its leads are verified first; absent: the setting of the campaign. */
  @Prop({ type: Boolean })
  verify?: boolean;

  @Prop({ type: [column], required: true })
  columns!: ImportColumn[];

  /** Size of the stored file. */
  @Prop({ type: Number, required: true })
  bytes!: number;

  /** Start of the unprocessed rows; advances in the transaction that creates the leads of the rows before it. */
  @Prop({ type: position, required: true })
  position!: ImportPosition;

  @Prop({ type: Object.fromEntries(IMPORT_COUNTS.map((name) => [name, whole])), _id: false })
  counts!: ImportCounts;

  @Prop({ type: problem, default: null })
  error!: ImportProblem | null;

  @Prop({ type: actorFields, required: true })
  createdBy!: Actor;

  /** Its file and its refused rows expire at this time. */
  @Prop({ type: Date, required: true })
  expiresAt!: Date;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
