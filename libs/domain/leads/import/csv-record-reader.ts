import { parse, type Parser } from 'csv-parse';
import { fromLatin1 } from './windows-1252';

/** How the bytes of a stored file are to be read: as UTF-8, or one byte for one character. */
export type StoredText = 'utf-8' | 'windows-1252';

export const DELIMITERS = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const;
export type DelimiterName = keyof typeof DELIMITERS;

export interface CsvRecord {
  readonly cells: readonly string[];
  /** Offset of the byte after the record and its line end: where the next record begins. */
  readonly end: number;
}

/** Bytes of one record: far above what a lead can hold, far below what memory can. */
export const MAX_RECORD_BYTES = 128 * 1024;

/** A file whose records cannot be told apart from some place on. */
export class CsvFormatError extends Error {
  override readonly name = 'CsvFault';
}

/**
 * Takes the bytes of a CSV file part by part and gives the records that end in them, with the place where each ends, so
 * that reading can go on there. Forgiving: quotes inside a text and after one are text, every line end is one, records may
 * have any number of cells. A blank line is a record with one empty cell.
 */
export class CsvRecordReader {
  readonly #parser: Parser;
  readonly #decode: (cell: string) => string;
  #found: CsvRecord[] = [];

  /** @param from offset of the first byte that is given, which begins a record */
  constructor(delimiter: DelimiterName, text: StoredText, from = 0) {
    this.#decode = text === 'windows-1252' ? fromLatin1 : asItIs;
    this.#parser = parse({
      delimiter: DELIMITERS[delimiter],
      // Named, not found out: whoever goes on in the middle of a file must find the same.
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
    this.#parser.on('error', () => undefined); // whoever writes is told
    this.#parser.resume();
  }

  /** @throws CsvFault; what was found before it is given by `rest` */
  async read(bytes: Buffer): Promise<CsvRecord[]> {
    await new Promise<void>((resolve, reject) => {
      this.#parser.write(bytes, (error) => (error ? reject(faultOf(error)) : resolve()));
    });
    return this.takeRemaining();
  }

  /** The file has ended. @throws CsvFault when it ends within quotes */
  async end(): Promise<CsvRecord[]> {
    await new Promise<void>((resolve, reject) => {
      this.#parser.end((error?: Error | null) => (error ? reject(faultOf(error)) : resolve()));
    });
    return this.takeRemaining();
  }

  /** Records that were found and not given yet. */
  takeRemaining(): CsvRecord[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }
}

function asItIs(cell: string): string {
  return cell;
}

function faultOf(error: Error): Error {
  const { code } = error as { code?: string };
  if (code === 'CSV_QUOTE_NOT_CLOSED') return new CsvFormatError('has a quote that is opened and never closed');
  if (code !== 'CSV_MAX_RECORD_SIZE') return error;
  return new CsvFormatError(`is longer than ${MAX_RECORD_BYTES / 1024} KB; is a quote in it opened and never closed?`);
}
