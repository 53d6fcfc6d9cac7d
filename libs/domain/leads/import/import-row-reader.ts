import { isZone } from '@platform/time';
import { type NewLead } from '../lead-rows';
import { MAX_VARIABLE, PERSON_LIMITS, findLeadTextFault } from '../lead-values';
import { type ImportColumn } from './import-columns';

/** Reasons for which a row did not become a lead. */
const REFUSAL_REASONS = [
  'duplicate',
  'invalid_address',
  'suppressed',
  'missing_columns',
  'extra_columns',
  'invalid_value',
  'over_limit',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

export type ReadRow =
  | { readonly lead: NewLead }
  | { readonly reason: 'missing_columns' | 'extra_columns' | 'invalid_value'; readonly detail: string };

type Taken = ImportColumn & { field: NonNullable<ImportColumn['field']> };

/** Converts the rows of a file to leads by its columns. */
export class ImportRowReader {
  readonly #width: number;
  readonly #taken: readonly Taken[];
  readonly #needed: number;

  constructor(columns: readonly ImportColumn[]) {
    this.#width = columns.length;
    this.#taken = columns.filter((column): column is Taken => column.field !== null);
    this.#needed = columns.find(({ field }) => field === 'email')?.column ?? 1;
  }

  /**
   * Returns the lead with its address as given, or the reason for which the row is refused. Spreadsheets omit empty
   * cells at the end of a row, so a row may be short if it has an address. With cells beyond the last column, values
   * are in wrong columns.
   */
  read(cells: readonly string[]): ReadRow {
    if (cells.length < this.#needed) {
      const detail = `the row has ${cells.length} of ${this.#width} columns and ends before the address`;
      return { reason: 'missing_columns', detail };
    }
    if (cells.length > this.#width && cells.slice(this.#width).some((cell) => cell.trim() !== '')) {
      return { reason: 'extra_columns', detail: `the row has ${cells.length} columns, the file ${this.#width}` };
    }
    return this.#lead(cells);
  }

  #lead(cells: readonly string[]): ReadRow {
    const lead: NewLead = { email: '' };
    const variables: Record<string, string> = {};
    for (const { column, field } of this.#taken) {
      const text = (cells[column - 1] ?? '').trim();
      if (field === 'email') lead.email = text;
      else if (text === '') continue;
      else {
        const fault = findFault(field, text);
        if (fault !== null) return { reason: 'invalid_value', detail: `${field} ${fault}` };
        if (isVariable(field)) variables[field.slice('variables.'.length)] = text;
        else lead[field] = text;
      }
    }
    lead.variables = variables;
    return { lead };
  }
}

function isVariable(field: string): field is `variables.${string}` {
  return field.startsWith('variables.');
}

function findFault(field: Exclude<Taken['field'], 'email'>, text: string): string | null {
  if (field === 'timezone') return isZone(text) ? null : 'must be an IANA time zone name';
  return findLeadTextFault(text, isVariable(field) ? MAX_VARIABLE : PERSON_LIMITS[field]);
}
