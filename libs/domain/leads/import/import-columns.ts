import { ImportColumnError } from './import-file.errors';
import { STANDARD_VARIABLES, PERSON_FIELDS } from '@domain/campaigns';
import { MAX_VARIABLES, findVariableNameFault } from '../lead-values';
import { type PersonField } from '../schemas/lead.record';
import { findKnownField } from './known-headers';

export const MAX_COLUMNS = 200;

/**
 * The meaning of a column: a field of the lead, one of its variables (`variables.<name>`), or null for an ignored
 * column.
 */
export type ColumnField = 'email' | 'timezone' | PersonField | `variables.${string}` | null;

export interface ImportColumn {
  /** Column number, from 1. */
  readonly column: number;
  /** As in the file; empty in a file without a header. */
  readonly header: string;
  readonly field: ColumnField;
}

/** The mapping of a request: by header, or by number (from 1) in a file without a header. */
export type MappingInput = ReadonlyMap<string, string>;

const FIELDS: readonly string[] = ['email', 'timezone', ...PERSON_FIELDS];
const PREFIX = 'variables.';
const SHOWN = 20;

/** Parses the JSON of a mapping. @throws ImportColumnError */
export function parseMapping(json: string): MappingInput {
  const parsed = parseJson(json);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new ImportColumnError(
      'mapping must be a JSON object of column headers and fields, such as {"E-Mail":"email"}',
    );
  }
  const entries = Object.entries(parsed as Record<string, unknown>);
  if (entries.length === 0 || entries.length > MAX_COLUMNS) {
    throw new ImportColumnError(`mapping must name 1 to ${MAX_COLUMNS} columns`);
  }
  const fields = new Set<unknown>();
  for (const [header, field] of entries) {
    const fault = findFieldFault(field) ?? (fields.has(field) ? 'is already the field of another column' : null);
    if (fault !== null) throw new ImportColumnError(`mapping of ${quote(header)}: ${quote(String(field))} ${fault}`);
    fields.add(field);
  }
  return new Map(entries as [string, string][]);
}

/**
 * Assigns the columns of a file with a header: by the mapping, or without one by recognised headers.
 * @throws ImportColumnError
 */
export function assignByHeader(headers: readonly string[], mapping: MappingInput | null): ImportColumn[] {
  checkWidth(headers.length);
  const columns = mapping ? applyMapping(headers, mapping) : recognizeHeaders(headers);
  return requireUsable(columns, `name it in mapping, as {"<column>":"email"}; the columns are ${listHeaders(headers)}`);
}

/** Assigns the columns of a file without a header. @throws ImportColumnError */
export function assignByNumber(width: number, mapping: MappingInput | null): ImportColumn[] {
  checkWidth(width);
  if (!mapping)
    throw new ImportColumnError('A file without a header needs a mapping by column number, such as {"1":"email"}');
  const unknown = [...mapping.keys()].find((key) => !/^[1-9]\d*$/.test(key) || Number(key) > width);
  if (unknown !== undefined) {
    throw new ImportColumnError(`mapping names column ${quote(unknown)}, but the columns are numbered 1 to ${width}`);
  }
  const columns = Array.from({ length: width }, (_none, index) => {
    const field = (mapping.get(String(index + 1)) ?? null) as ColumnField;
    return { column: index + 1, header: '', field };
  });
  return requireUsable(columns, 'name it in mapping, as {"<number>":"email"}');
}

function applyMapping(headers: readonly string[], mapping: MappingInput): ImportColumn[] {
  const columns: ImportColumn[] = headers.map((header, index) => ({ column: index + 1, header, field: null }));
  for (const [name, field] of mapping) {
    const found = columns.filter(({ header }) => isSameHeader(header, name));
    if (found.length === 0) {
      throw new ImportColumnError(
        `mapping names a column ${quote(name)} that the file does not have; it has ${listHeaders(headers)}`,
      );
    }
    if (found.length > 1) {
      throw new ImportColumnError(
        `mapping names ${quote(name)}, but ${found.length} columns of the file have this name`,
      );
    }
    const index = (found[0]?.column ?? 1) - 1;
    if (columns[index]?.field) throw new ImportColumnError(`mapping names the column ${quote(name)} twice`);
    columns[index] = { column: index + 1, header: headers[index] ?? '', field: field as ColumnField };
  }
  return columns;
}

/**
 * The first column with a known header becomes the field; every other column becomes a variable named after its header.
 */
function recognizeHeaders(headers: readonly string[]): ImportColumn[] {
  const taken = new Set<string>(STANDARD_VARIABLES);
  const fields = new Set<string>();
  return headers.map((header, index) => {
    const known = findKnownField(header);
    if (known !== null && !fields.has(known)) {
      fields.add(known);
      return { column: index + 1, header, field: known };
    }
    const name = findFreeName(toVariableName(header), taken);
    return { column: index + 1, header, field: name === null ? null : (`${PREFIX}${name}` as const) };
  });
}

function checkWidth(width: number): void {
  if (width > MAX_COLUMNS)
    throw new ImportColumnError(`The file has ${width} columns; at most ${MAX_COLUMNS} can be imported`);
}

function requireUsable(columns: ImportColumn[], hint: string): ImportColumn[] {
  if (!columns.some(({ field }) => field === 'email')) {
    throw new ImportColumnError(`No column of the file is recognised as the email address; ${hint}`);
  }
  const variables = columns.filter(({ field }) => field?.startsWith(PREFIX)).length;
  if (variables > MAX_VARIABLES) {
    throw new ImportColumnError(
      `${variables} columns would become variables, and a lead has at most ${MAX_VARIABLES}; name the columns to take in mapping`,
    );
  }
  return columns;
}

function findFieldFault(field: unknown): string | null {
  if (typeof field !== 'string') return 'is not the name of a field';
  if (FIELDS.includes(field)) return null;
  if (field.startsWith(PREFIX)) return findVariableNameFault(field.slice(PREFIX.length));
  return `is not a field; fields are ${FIELDS.join(', ')} and variables.<name>`;
}

/** `Umsatz (2024)` becomes `umsatz2024`, `COMPANY SIZE` becomes `companySize`; null without a letter or digit. */
export function toVariableName(header: string): string | null {
  const parts = header.normalize('NFC').match(/[\p{L}\p{N}]+/gu) ?? [];
  const calm = parts.map((part) => (part === part.toUpperCase() ? part.toLowerCase() : part));
  const name = calm.map((part, index) => (index === 0 ? toLowerFirst(part) : toUpperFirst(part))).join('');
  return name === '' ? null : Array.from(name).slice(0, 60).join('');
}

/** Appends a number to a name that is taken or not allowed. */
function findFreeName(name: string | null, taken: Set<string>): string | null {
  if (name === null) return null;
  let free = name;
  for (let number = 2; taken.has(free) || findVariableNameFault(free) !== null; number += 1) free = `${name}${number}`;
  taken.add(free);
  return free;
}

function toLowerFirst(part: string): string {
  return part.charAt(0).toLowerCase() + part.slice(1);
}

function toUpperFirst(part: string): string {
  return part.charAt(0).toUpperCase() + part.slice(1);
}

function isSameHeader(header: string, name: string): boolean {
  return header.trim().toLowerCase() === name.trim().toLowerCase();
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}

function listHeaders(headers: readonly string[]): string {
  const names = headers.slice(0, SHOWN).map(quote).join(', ');
  return headers.length > SHOWN ? `${names} and ${headers.length - SHOWN} more` : names;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
