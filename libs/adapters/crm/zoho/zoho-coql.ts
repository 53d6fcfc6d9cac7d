import { CrmError } from '../port/crm.errors';
import { type CrmFilter } from '../port/crm-session';

/**
 * Rows of one query (https://www.zoho.com/crm/developer/docs/api/v8/COQL-Limitations.html): at most 2 000, which cost three credits;
 * smaller queries cost more in total.
 */
export const PAGE_ROWS = 2_000;
/** Maximum values of one `in`. */
export const IN_VALUES = 100;

/** Fields read for every person in addition to the requested ones. */
const OWN_COLUMNS = ['id', 'Email', 'Secondary_Email', 'Owner', 'Email_Opt_Out', 'Created_Time', 'Modified_Time'];

/** An API name, or the name of a lookup's field, such as `Account_Name.Account_Name`. */
const COLUMN = /^[A-Za-z][A-Za-z0-9_]{0,99}(\.[A-Za-z][A-Za-z0-9_]{0,99}){0,2}$/;
const ID = /^\d{1,24}$/;

/** Reserved words that may also be field names: they are quoted (Kaizen 171, question 1). */
const RESERVED = new Set(
  `and as asc avg between by case count desc else end external false from group having in is join like limit max min not null offset
  on or order select sum then true when where`.split(/\s+/),
);

/** The next people by id. Ids do not change, so updates in between skip no person. */
export function createZohoPullQuery(filter: CrmFilter, fields: readonly string[], after: string | null): string {
  const conditions = [after === null ? 'id is not null' : `id > '${requireZohoId(after)}'`, ...listConditions(filter)];
  return `select ${listColumns(fields)} from ${getSource(filter)} where ${joinConditions(conditions)} order by id asc limit ${PAGE_ROWS}`;
}

/** People with these addresses, after an id. */
export function createZohoFindQuery(
  emails: readonly string[],
  fields: readonly string[],
  after: string | null,
): string {
  const found = `(${isIn('Email', emails)} or ${isIn('Secondary_Email', emails)})`;
  const conditions = after === null ? [found] : [`id > '${requireZohoId(after)}'`, found];
  return `select ${listColumns(fields)} from Contacts where ${joinConditions(conditions)} order by id asc limit ${PAGE_ROWS}`;
}

export function createZohoReadQuery(ids: readonly string[], fields: readonly string[]): string {
  return `select ${listColumns(fields)} from Contacts where ${isIn('id', ids.filter(isZohoId))} limit ${PAGE_ROWS}`;
}

/** Whether the text has the form of a record id: other text would make the query invalid. */
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

/** A custom view replaces the module (Kaizen 183, 3). */
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

/** Boolean fields support `=` only (Kaizen 81, 4), so one value is never an `in`. */
function isIn(name: string, values: readonly string[]): string {
  const [only, ...more] = values;
  if (only === undefined) return 'id is null';
  return more.length === 0 ? `${name} = ${toLiteral(only)}` : `${name} in (${values.map(toLiteral).join(', ')})`;
}

/** More than two conditions have to be nested in pairs: `(a and (b and c))`. */
function joinConditions(conditions: readonly string[]): string {
  return conditions.reduceRight((remaining, condition) => `(${condition} and ${remaining})`);
}

/** An inner quote is doubled (Kaizen 171, question 3); control characters are removed, because no value contains them. */
function toLiteral(value: string): string {
  // eslint-disable-next-line no-control-regex
  return `'${value.replaceAll(/[\u0000-\u001f\u007f]/g, ' ').replaceAll("'", "''")}'`;
}

function requireZohoId(id: string): string {
  if (!isZohoId(id)) throw new CrmError('cursor', 'This is not a cursor of Zoho');
  return id;
}

/** Whole seconds with the zone, the only form that Zoho accepts. */
export function toZohoInstant(at: Date): string {
  return `${at.toISOString().slice(0, 19)}+00:00`;
}
