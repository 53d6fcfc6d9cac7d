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
      'Columns that it does not name are left out. Without it headers are recognised, and the others become variables.',
    example: '{"E-Mail":"email","Firma":"companyName","Umsatz":"variables.revenue"}',
  })
  mapping?: string;

  @OneOfField(['auto', ...DELIMITER_NAMES], {
    optional: true,
    about: 'What divides the columns; found out by default.',
  })
  delimiter?: DelimiterName | 'auto';

  @OneOfField(['true', 'false'], {
    optional: true,
    about:
      'Whether the first row has the names of the columns (default true); without, `mapping` names them by number.',
  })
  hasHeader?: 'true' | 'false';

  @OneOfField(['skip'], { optional: true, about: 'What becomes of addresses that are in the campaign already.' })
  onDuplicate?: 'skip';

  @OneOfField(['true', 'false'], {
    optional: true,
    about: 'Whether addresses are verified before leads are written to. Default: as the campaign says.',
  })
  verify?: 'true' | 'false';

  @NameField({ optional: true, about: 'Name of the file, to find the import by.', example: 'fair-2026.csv' })
  fileName?: string;
}

/** Query of the list of imports. */
export class LeadImportQuery extends PageQuery {}

const count = (description: string) => ApiProperty({ type: 'integer', minimum: 0, description });

export class ImportCountsResponse implements ImportCounts {
  @count('Rows that are done; the sum of all others. Blank rows are no rows.')
  rows!: number;

  @count('Became leads.')
  created!: number;

  @count('The address is in the campaign already, was removed from it after an email, or is in a row before.')
  duplicate!: number;

  @count('The address is none.')
  invalidAddress!: number;

  @count('The address or its domain is on the suppression list.')
  suppressed!: number;

  @count('The row ends before the column with the address.')
  missingColumns!: number;

  @count('The row has values beyond the last column.')
  extraColumns!: number;

  @count('A value is too long or not one of its field.')
  invalidValue!: number;

  @count('There was no room left in the workspace (`maxLeads`).')
  overLimit!: number;
}

export class ImportColumnResponse {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_COLUMNS })
  column!: number;

  @ApiProperty({ type: 'string', description: 'As the file has it; empty without a header.' })
  header!: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'What it becomes; null: it is left out.' })
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

  @ApiProperty({ type: 'string', enum: IMPORT_ENCODINGS, description: 'In which the file was read.' })
  encoding!: ImportEncoding;

  @ApiProperty({ type: 'string', enum: DELIMITER_NAMES })
  delimiter!: DelimiterName;

  @ApiProperty({ type: 'boolean' })
  hasHeader!: boolean;

  @ApiProperty({ type: ImportColumnResponse, isArray: true })
  mapping!: ImportColumnResponse[];

  @ApiProperty({ type: ImportCountsResponse })
  counts!: ImportCountsResponse;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100, description: 'Per cent of the file that is done.' })
  progress!: number;

  @ApiProperty({
    type: ImportProblemResponse,
    nullable: true,
    description: 'Why it failed; of a completed one, why rows were left out at the end.',
  })
  error!: ImportProblemResponse | null;

  @ApiProperty({ type: ActorResponse })
  createdBy!: ActorResponse;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  startedAt!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'When it was over, however.' })
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
    progress: progressOf(record),
    error: error && { code: error.code, message: error.message },
    createdBy: toActor(createdBy),
    createdAt: createdAt.toISOString(),
    startedAt: startedAt?.toISOString() ?? null,
    completedAt: completedAt?.toISOString() ?? null,
  };
}

/** The header does not count as progress. */
function progressOf({ status, startedAt, position, bytes }: LeadImportRecord): number {
  if (status === 'completed') return 100;
  return startedAt === null ? 0 : Math.floor((100 * position.offset) / bytes);
}
