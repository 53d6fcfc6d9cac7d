import { ActorResponse, toActor } from '@domain/audit';
import { ApiProperty } from '@nestjs/swagger';
import { NameField, OneOfField, PageQuery, TextField } from '@platform/validation';
import { type DelimiterName, DELIMITERS } from '../csv-record-reader';
import { MAX_COLUMNS } from '../import-columns';
import { type ImportCounts } from '../import-counts';
import { IMPORT_STATUSES, type ImportStatus, type LeadImportRecord } from '../schemas/lead-import.record';
import { IMPORT_ENCODINGS, type ImportEncoding } from '../upload-decoder';

const DELIMITER_NAMES = Object.keys(DELIMITERS) as DelimiterName[];

/** How to read an uploaded CSV file. */
export class ImportLeadsQuery {
  @TextField({
    max: 12_000,
    optional: true,
    about:
      'JSON object of column headers and fields: `email`, a field of the lead, `timezone` or `variables.<name>`. ' +
      'Columns without an entry are ignored. Without `mapping`, known headers become fields and the others variables.',
    example: '{"E-Mail":"email","Firma":"companyName","Umsatz":"variables.revenue"}',
  })
  mapping?: string;

  @OneOfField(['auto', ...DELIMITER_NAMES], {
    optional: true,
    about: 'Delimiter of the columns; detected by default.',
  })
  delimiter?: DelimiterName | 'auto';

  @OneOfField(['true', 'false'], {
    optional: true,
    about: 'Whether the first row has the column names (default true); if not, `mapping` names columns by number.',
  })
  hasHeader?: 'true' | 'false';

  @OneOfField(['skip'], { optional: true, about: 'Treatment of addresses that are already in the campaign.' })
  onDuplicate?: 'skip';

  @OneOfField(['true', 'false'], {
    optional: true,
    about: 'Whether addresses are verified before the first email. Default: the setting of the campaign.',
  })
  verify?: 'true' | 'false';

  @NameField({ optional: true, about: 'Name of the file, for display.', example: 'fair-2026.csv' })
  fileName?: string;
}

/** Query of the list of imports. */
export class LeadImportQuery extends PageQuery {}

const count = (description: string) => ApiProperty({ type: 'integer', minimum: 0, description });

export class ImportCountsResponse implements ImportCounts {
  @count('Processed rows; the sum of all others. Blank rows do not count.')
  rows!: number;

  @count('Rows that became leads.')
  created!: number;

  @count('The address is already in the campaign, was removed from it after an email, or occurs in an earlier row.')
  duplicate!: number;

  @count('The address is invalid.')
  invalidAddress!: number;

  @count('The address or its domain is on the suppression list.')
  suppressed!: number;

  @count('The row ends before the column with the address.')
  missingColumns!: number;

  @count('The row has values beyond the last column.')
  extraColumns!: number;

  @count('A value is too long or invalid for its field.')
  invalidValue!: number;

  @count('The workspace has reached its limit (`maxLeads`).')
  overLimit!: number;
}

export class ImportColumnResponse {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_COLUMNS })
  column!: number;

  @ApiProperty({ type: 'string', description: 'As in the file; empty without a header.' })
  header!: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'The field or variable; null: the column is ignored.' })
  field!: string | null;
}

export class ImportProblemResponse {
  @ApiProperty({ type: 'string', example: 'CSV_UNREADABLE' })
  code!: string;

  @ApiProperty({ type: 'string' })
  message!: string;
}

export class LeadImportResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string' })
  campaignId!: string;

  @ApiProperty({ type: 'string', nullable: true })
  fileName!: string | null;

  @ApiProperty({ type: 'string', enum: IMPORT_STATUSES })
  status!: ImportStatus;

  @ApiProperty({ type: 'string', enum: IMPORT_ENCODINGS, description: 'Encoding of the file.' })
  encoding!: ImportEncoding;

  @ApiProperty({ type: 'string', enum: DELIMITER_NAMES })
  delimiter!: DelimiterName;

  @ApiProperty({ type: 'boolean' })
  hasHeader!: boolean;

  @ApiProperty({ type: ImportColumnResponse, isArray: true })
  mapping!: ImportColumnResponse[];

  @ApiProperty({ type: ImportCountsResponse })
  counts!: ImportCountsResponse;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100, description: 'Processed share of the file in per cent.' })
  progress!: number;

  @ApiProperty({
    type: ImportProblemResponse,
    nullable: true,
    description: 'Why the import failed, or why a completed import left out rows.',
  })
  error!: ImportProblemResponse | null;

  @ApiProperty({ type: ActorResponse })
  createdBy!: ActorResponse;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  startedAt!: string | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'When the import ended, with any status.',
  })
  completedAt!: string | null;
}

export function toLeadImport(record: LeadImportRecord): LeadImportResponse {
  const { _id, campaignId, columns, counts, error, createdBy, startedAt, completedAt } = record;
  const { fileName, status, encoding, delimiter, hasHeader, createdAt } = record;
  return {
    _id: _id.toHexString(),
    campaignId: campaignId.toHexString(),
    fileName,
    status,
    encoding,
    delimiter,
    hasHeader,
    mapping: columns.map(({ column, header, field }) => ({ column, header, field })),
    counts: { ...counts },
    progress: getProgress(record),
    error: error && { code: error.code, message: error.message },
    createdBy: toActor(createdBy),
    createdAt: createdAt.toISOString(),
    startedAt: startedAt?.toISOString() ?? null,
    completedAt: completedAt?.toISOString() ?? null,
  };
}

/** The header does not count as progress. */
function getProgress({ status, startedAt, position, bytes }: LeadImportRecord): number {
  if (status === 'completed') return 100;
  return startedAt === null ? 0 : Math.floor((100 * position.offset) / bytes);
}
