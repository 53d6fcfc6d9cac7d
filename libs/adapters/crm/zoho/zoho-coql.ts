import { CrmError } from '../port/crm.errors';
import { type CrmFilter } from '../port/crm-session';

/**
 * Rows of one query (https://www.zoho.com/crm/developer/docs/api/v8/COQL-Limitations.html): at most 2 000, which costs three credits; smaller
 * ones cost more for the same people.
 */
export const PAGE_ROWS = 2_000;
/** Values of one `in`. */
export const IN_VALUES = 100;

/** What is read of every person, beside what was asked for. */
const OWN_COLUMNS = ['id', 'Email', 'Secondary_Email', 'Owner', 'Email_Opt_Out', 'Created_Time', 'Modified_Time'];

/** A name of the API, or one of a record that a lookup leads to, as `Account_Name.Account_Name`. */
const COLUMN = /^[A-Za-z][A-Za-z0-9_]{0,99}(\.[A-Za-z][A-Za-z0-9_]{0,99}){0,2}$/;
const ID = /^\d{1,24}$/;

/** Words of the query language that a field may be called too: these stand in quotes then (Kaizen 171, question 1). */
const RESERVED = new Set(
  `and as asc avg between by case count desc else end external false from group having in is join like limit max min not null offset
  on or order select sum then true when where`.split(/\s+/),
);

/** The next people by id. Ids do not change, so updates in between skip no person. */
export function createPullQuery(filter: CrmFilter, fields: readonly string[], after: string | null): string {
  const conditions = [after === null ? 'id is not null' : `id > '${requireZohoId(after)}'`, ...listConditions(filter)];
  return `select ${listColumns(fields)} from ${getSource(filter)} where ${joinConditions(conditions)} order by id asc limit ${PAGE_ROWS}`;
}

/** People of these addresses, those after an id. */
export function findQuery(emails: readonly string[], fields: readonly string[], after: string | null): string {
  const found = `(${isIn('Email', emails)} or ${isIn('Secondary_Email', emails)})`;
  const conditions = after === null ? [found] : [`id > '${requireZohoId(after)}'`, found];
  return `select ${listColumns(fields)} from Contacts where ${joinConditions(conditions)} order by id asc limit ${PAGE_ROWS}`;
}

export function readQuery(ids: readonly string[], fields: readonly string[]): string {
  return `select ${listColumns(fields)} from Contacts where ${isIn('id', ids.filter(isZohoId))} limit ${PAGE_ROWS}`;
}

/** Whether there may be a record of this id at all: other text is no number of theirs and would make the query wrong. */
export function isZohoId(id: string): boolean {
  return ID.test(id);
}

function listConditions(filter: CrmFilter): string[] {
  return [
    ...(filter.updatedSince ? [`Modified_Time >= '${toZohoInstant(filter.updatedSince)}'`] : []),
    ...(filter.ownerId === undefined ? [] : [`Owner = ${toLiteral(filter.ownerId)}`]),
    ...Object.entries(filter.fields ?? {}).map(([name, values]) => isIn(toColumn(name), values)),
  ];
}

/** A custom view stands in the place of the module (Kaizen 183, 3). */
function getSource({ listId }: CrmFilter): string {
  if (listId === undefined) return 'Contacts';
  if (!isZohoId(listId)) throw new CrmError('rejected', 'A custom view of Zoho needs its numeric id');
  return listId;
}

function listColumns(fields: readonly string[]): string {
  return [...new Set([...OWN_COLUMNS, ...fields])].map(toColumn).join(', ');
}

function toColumn(name: string): string {
  if (!COLUMN.test(name)) throw new CrmError('unknown_field', 'This is not a field name of Zoho', { field: name });
  return RESERVED.has(name.toLowerCase()) || name.includes('.') ? `'${name}'` : name;
}

/** Yes-or-no fields know `=` only (Kaizen 81, 4), so one value is never an `in`. */
function isIn(name: string, values: readonly string[]): string {
  const [only, ...more] = values;
  if (only === undefined) return 'id is null';
  return more.length === 0 ? `${name} = ${toLiteral(only)}` : `${name} in (${values.map(toLiteral).join(', ')})`;
}

/** More than two conditions have to be put in pairs: `(a and (b and c))`. */
function joinConditions(conditions: readonly string[]): string {
  return conditions.reduceRight((rest, condition) => `(${condition} and ${rest})`);
}

/** A quote within is written twice (Kaizen 171, question 3); control characters are nothing that a value has. */
function toLiteral(value: string): string {
  // eslint-disable-next-line no-control-regex
  return `'${value.replaceAll(/[\u0000-\u001f\u007f]/g, ' ').replaceAll("'", "''")}'`;
}

function requireZohoId(id: string): string {
  if (!isZohoId(id)) throw new CrmError('cursor', 'This is not a cursor of Zoho');
  return id;
}

/** Whole seconds with the zone, the only form that Zoho takes. */
export function toZohoInstant(at: Date): string {
  return `${at.toISOString().slice(0, 19)}+00:00`;
}
