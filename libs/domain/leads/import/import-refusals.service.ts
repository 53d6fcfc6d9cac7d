import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { stringify } from 'csv-stringify/sync';
import { type Model } from 'mongoose';
import { DELIMITERS } from './csv-record-reader';
import { LeadImportRefusalRecord } from './schemas/lead-import-refusal.record';
import { type LeadImportRecord } from './schemas/lead-import.record';

/** Spreadsheets other than Excel's newest read a file as UTF-8 only when it says so. */
const MARK = '\ufeff';

/** The refused rows of an import as a file that can be mended and imported again. */
@Injectable()
export class ImportRefusalsService {
  constructor(@InjectModel(LeadImportRefusalRecord.name) private readonly refusals: Model<LeadImportRefusalRecord>) {}

  /** In the order of the file, a batch at a time; row, reason and detail come before the file's own columns. */
  async *csv({ _id: importId, workspaceId, columns, delimiter }: LeadImportRecord): AsyncGenerator<string> {
    const write = (rows: string[][]): string =>
      // What a spreadsheet would take for a formula begins with an apostrophe.
      stringify(rows, { delimiter: DELIMITERS[delimiter], record_delimiter: '\r\n', escape_formulas: true });
    const headers = columns.map(({ column, header }) => header || `column ${column}`);
    yield MARK + write([['importRow', 'importReason', 'importDetail', ...headers]]);
    const batches = this.refusals.find({ workspaceId, importId }, { rows: 1 }).sort({ row: 1 }).batchSize(2).lean();
    for await (const { rows } of batches.cursor()) {
      yield write(rows.map(({ row, reason, detail, cells }) => [String(row), reason, detail, ...cells]));
    }
  }
}
