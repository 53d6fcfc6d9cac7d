import { type CsvRecord, CsvRecordReader, type DelimiterName, type StoredText } from './csv-record-reader';
import { CsvFormatError } from './import-file.errors';
import { isFilled } from './import-head';
import { type ImportPosition } from './schemas/lead-import.record';

/** Maximum number of rows that become leads in one transaction. */
export const BATCH_ROWS = 1_000;
/**
 * Maximum bytes of the same: a transaction, and the document of its refused rows, are limited in size by the database.
 */
const BATCH_BYTES = 1024 * 1024;
/** Bytes that are parsed at a time. */
const SLICE_BYTES = 64 * 1024;

export interface ImportRow {
  /** Row number as a spreadsheet counts. */
  readonly row: number;
  readonly cells: readonly string[];
  /** Offset in the file at which the next row begins. */
  readonly end: number;
}

export interface ImportBatch {
  readonly rows: readonly ImportRow[];
  /** Position after the batch, blank rows included. */
  readonly end: ImportPosition;
}

/**
 * Yields the rows of a file from a position on, in batches.
 * @param parts the bytes of the file from that position on
 * @throws CsvFormatError with the row number, after all rows before it
 */
export async function* getBatches(
  parts: AsyncIterable<Buffer>,
  from: ImportPosition,
  { delimiter, text }: { delimiter: DelimiterName; text: StoredText },
): AsyncGenerator<ImportBatch> {
  const reader = new CsvRecordReader(delimiter, text, from.offset);
  const collected = new Collected(from);
  const feed = async (read: () => Promise<CsvRecord[]>): Promise<CsvFormatError | null> => {
    try {
      collected.add(await read());
      return null;
    } catch (error) {
      if (!(error instanceof CsvFormatError)) throw error;
      collected.add(reader.takeRemaining());
      return error;
    }
  };
  for await (const part of parts) {
    for (let at = 0; at < part.length; at += SLICE_BYTES) {
      const fault = await feed(() => reader.read(part.subarray(at, at + SLICE_BYTES)));
      yield* collected.full();
      if (fault) return yield* collected.brokenBy(fault);
    }
  }
  const fault = await feed(() => reader.end());
  yield* collected.full();
  if (fault) return yield* collected.brokenBy(fault);
  yield* collected.last();
}

/** Rows that were not yielded yet. */
class Collected {
  #rows: ImportRow[] = [];
  #begin: number;
  #end: ImportPosition;
  #ready: ImportBatch[] = [];

  constructor(from: ImportPosition) {
    this.#begin = from.offset;
    this.#end = from;
  }

  add(records: readonly CsvRecord[]): void {
    for (const record of records) {
      this.#end = { offset: record.end, row: this.#end.row + 1 };
      if (isFilled(record)) this.#rows.push({ row: this.#end.row, cells: record.cells, end: record.end });
      if (this.#rows.length >= BATCH_ROWS || record.end - this.#begin >= BATCH_BYTES) this.#close();
    }
  }

  /** Yields the complete batches. */
  *full(): Generator<ImportBatch> {
    const ready = this.#ready;
    this.#ready = [];
    yield* ready;
  }

  /** Yields the remaining rows. */
  *last(): Generator<ImportBatch> {
    if (this.#end.offset > this.#begin) this.#close();
    yield* this.full();
  }

  *brokenBy(fault: CsvFormatError): Generator<ImportBatch> {
    yield* this.last();
    throw new CsvFormatError(`Row ${this.#end.row + 1} of the file ${fault.message}`);
  }

  #close(): void {
    this.#ready.push({ rows: this.#rows, end: this.#end });
    this.#rows = [];
    this.#begin = this.#end.offset;
  }
}
