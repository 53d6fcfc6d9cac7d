import { CsvFormatError } from './import-file.errors';
import { parse, type Parser } from 'csv-parse';
import { toWindows1252 } from './windows-1252';

/** Encoding of the stored bytes. */
export type StoredText = 'utf-8' | 'windows-1252';

export const DELIMITERS = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const;
export type DelimiterName = keyof typeof DELIMITERS;

export interface CsvRecord {
  readonly cells: readonly string[];
  /** Offset of the byte after the record and its line end, where the next record begins. */
  readonly end: number;
}

/** Maximum bytes of one record: far above the size of a lead, far below the available memory. */
export const MAX_RECORD_BYTES = 128 * 1024;

/**
 * Parses the bytes of a CSV file part by part. Returns the records that end in each part, with the offset at which
 * parsing can continue. Tolerant: quotes inside or after a text are text, each kind of line end counts, records may
 * have any number of cells. A blank line is a record with one empty cell.
 */
export class CsvRecordReader {
  readonly #parser: Parser;
  readonly #decode: (cell: string) => string;
  #found: CsvRecord[] = [];

  /** @param from offset of the first given byte, which begins a record */
  constructor(delimiter: DelimiterName, text: StoredText, from = 0) {
    this.#decode = text === 'windows-1252' ? toWindows1252 : keepCell;
    this.#parser = parse({
      delimiter: DELIMITERS[delimiter],
      // Fixed instead of detected: a reader that continues in the middle of a file must split records the same way.
      record_delimiter: ['\r\n', '\n', '\r'],
      encoding: text === 'windows-1252' ? 'latin1' : 'utf8',
      relax_quotes: true,
      relax_column_count: true,
      max_record_size: MAX_RECORD_BYTES,
      on_record: (cells: string[], { bytes }) => {
        this.#found.push({ cells: cells.map(this.#decode), end: from + bytes });
        return null;
      },
    });
    this.#parser.on('error', () => undefined); // `read` and `end` report the error to their caller.
    this.#parser.resume();
  }

  /** @throws CsvFormatError; `takeRemaining` returns the records before the error */
  async read(bytes: Buffer): Promise<CsvRecord[]> {
    await new Promise<void>((resolve, reject) => {
      this.#parser.write(bytes, (error) => (error ? reject(toFormatError(error)) : resolve()));
    });
    return this.takeRemaining();
  }

  /** Ends the file. @throws CsvFormatError when the file ends within quotes */
  async end(): Promise<CsvRecord[]> {
    await new Promise<void>((resolve, reject) => {
      this.#parser.end((error?: Error | null) => (error ? reject(toFormatError(error)) : resolve()));
    });
    return this.takeRemaining();
  }

  /** Returns the parsed records that were not returned yet. */
  takeRemaining(): CsvRecord[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }
}

function keepCell(cell: string): string {
  return cell;
}

function toFormatError(error: Error): Error {
  const { code } = error as { code?: string };
  if (code === 'CSV_QUOTE_NOT_CLOSED') return new CsvFormatError('has a quote that is opened and never closed');
  if (code !== 'CSV_MAX_RECORD_SIZE') return error;
  return new CsvFormatError(`is longer than ${MAX_RECORD_BYTES / 1024} KB; is a quote in it opened and never closed?`);
}
