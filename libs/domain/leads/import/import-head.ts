import { ImportHeaderError } from './import-file.errors';
import { parseEmailAddress } from '@platform/validation';
import {
  type CsvRecord,
  CsvRecordReader,
  type DelimiterName,
  DELIMITERS,
  MAX_RECORD_BYTES,
  type StoredText,
} from './csv-record-reader';
import { CsvFormatError } from './import-file.errors';
import { assignByHeader, assignByNumber, type ImportColumn, type MappingInput } from './import-columns';
import { ImportColumnError } from './import-file.errors';

/** Bytes from which delimiter and header are read; a header that is too long still ends within them. */
export const HEAD_BYTES = 2 * MAX_RECORD_BYTES;
/** Number of records that decide the delimiter. */
const SAMPLE_RECORDS = 50;

/** The options of the request. */
export interface HeadOptions {
  readonly delimiter: DelimiterName | 'auto';
  readonly hasHeader: boolean;
  readonly mapping: MappingInput | null;
}

/** What the beginning of a file determines for the whole file. */
export interface ImportHead {
  readonly delimiter: DelimiterName;
  readonly columns: ImportColumn[];
  /** Start of the rows: the byte after the header, and the number of the row before it. */
  readonly start: { readonly offset: number; readonly row: number };
}

/**
 * Reads delimiter and columns from the beginning of a file.
 * @param whole whether `bytes` is the whole file
 * @throws ImportColumnError for columns that do not fit the mapping, ImportHeaderError for a file that is not CSV with
 *   at least one row
 */
export async function readHead(
  bytes: Buffer,
  whole: boolean,
  text: StoredText,
  options: HeadOptions,
): Promise<ImportHead> {
  const { delimiter, records, fault } = await readRecords(bytes, whole, text, options.delimiter);
  const at = records.findIndex(isFilled);
  const first = records[at];
  if (first === undefined) throw new ImportHeaderError('The file is empty');
  if (!options.hasHeader) {
    return { delimiter, columns: assignByNumber(first.cells.length, options.mapping), start: { offset: 0, row: 0 } };
  }
  const headers = first.cells.map((cell) => cell.trim());
  if (headers.length <= MAX_HEADERS_CHECKED && headers.some((header) => parseEmailAddress(header).ok)) {
    throw new ImportColumnError(
      'The first row holds an e-mail address, so it is not a header; send hasHeader=false and a mapping by column number',
    );
  }
  const columns = assignByHeader(headers, options.mapping);
  if (whole && !records.slice(at + 1).some(isFilled)) {
    throw new ImportHeaderError(fault === null ? 'The file has a header and no rows' : createRowFault(records, fault));
  }
  return { delimiter, columns, start: { offset: first.end, row: at + 1 } };
}

/** Wider headers are refused for their width. */
const MAX_HEADERS_CHECKED = 200;

interface CsvReading {
  delimiter: DelimiterName;
  records: readonly CsvRecord[];
  /** The fault of the row after the records; null without one. */
  fault: CsvFormatError | null;
}

/** Reads the records with the named delimiter, or with the one that splits the first records best. */
async function readRecords(
  bytes: Buffer,
  whole: boolean,
  text: StoredText,
  named: DelimiterName | 'auto',
): Promise<CsvReading> {
  const names = named === 'auto' ? (Object.keys(DELIMITERS) as DelimiterName[]) : [named];
  const readings: (CsvReading & { score: number })[] = [];
  for (const delimiter of names) {
    const found = await readWithDelimiter(delimiter, bytes, whole, text);
    readings.push({ delimiter, ...found, score: getScore(found.records.slice(0, SAMPLE_RECORDS)) });
  }
  const best = readings.reduce((one, other) => (other.score > one.score ? other : one));
  // With a wrong delimiter, a file with an open quote yields only odd texts.
  const faulty = best.fault ? best : readings.find(({ fault }) => fault !== null);
  if (best.score <= 0 && faulty?.fault) throw new ImportHeaderError(createRowFault(faulty.records, faulty.fault));
  if (best.records.length === 0 && !whole) {
    throw new ImportHeaderError(`The first row of the file is longer than ${MAX_RECORD_BYTES / 1024} KB`);
  }
  return best;
}

/** Row numbers count as in a spreadsheet. */
function createRowFault(before: readonly CsvRecord[], { message }: CsvFormatError): string {
  return `Row ${before.length + 1} of the file ${message}`;
}

async function readWithDelimiter(delimiter: DelimiterName, bytes: Buffer, whole: boolean, text: StoredText) {
  const reader = new CsvRecordReader(delimiter, text);
  const records: CsvRecord[] = [];
  try {
    records.push(...(await reader.read(bytes)));
    if (whole) records.push(...(await reader.end()));
    return { records, fault: null };
  } catch (error) {
    if (!(error instanceof CsvFormatError)) throw error;
    return { records: [...records, ...reader.takeRemaining()], fault: error };
  }
}

/** Columns beyond the first, times the share of records as wide as the first one; -1 without a record. */
function getScore(records: readonly CsvRecord[]): number {
  const filled = records.filter(({ cells }) => cells.some((cell) => /[^\s,;|]/.test(cell)));
  const width = filled[0]?.cells.length ?? 0;
  if (width === 0) return -1;
  const alike = filled.filter(({ cells }) => cells.length === width).length;
  return ((width - 1) * alike) / filled.length;
}

/** Whether a record has any content: spreadsheets also write rows of delimiters only. */
export function isFilled({ cells }: CsvRecord): boolean {
  return cells.some((cell) => cell.trim() !== '');
}
