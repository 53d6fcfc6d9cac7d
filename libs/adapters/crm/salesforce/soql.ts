/**
 * Pieces of a query in SOQL. The REST API takes a query as one text, without parameters, so what comes from outside goes in as a
 * literal of this file only. Source: SOQL and SOSL Reference, "Quoted String Escape Sequences" and "Date Formats and Date Literals".
 */

/** Types of a field by which its literals are written. */
export type SoqlKind = 'text' | 'number' | 'boolean' | 'day' | 'instant' | 'choices';

/** Strings of a WHERE clause may have 4,000 characters ("SOQL and SOSL Limits for Search Queries"). */
const LONGEST_STRING = 4_000;

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '"': '\\"',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
};

/** A string in quotes. Control characters without an escape sequence are left out: no field holds them. */
export function toTextLiteral(text: string): string {
  const escaped = text.toWellFormed().replace(/[\\'"]|\p{Cc}/gu, (character) => ESCAPES[character] ?? '');
  return `'${escaped}'`;
}

/** An instant in whole seconds, rounded down: Salesforce keeps no parts of one. */
export function toInstantLiteral(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`;
}

/** Name of a field, or of one of a parent (`Account.Name`); custom ones end in `__c`, those of a package have its prefix. */
export function isFieldName(name: string): boolean {
  return name.length <= 160 && /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)?$/.test(name);
}

/**
 * `field` has one of these values. Null when one of them cannot be a value of that type: written into a query as it is, the whole query
 * would be refused, or mean something else.
 */
export function toInCondition(field: string, kind: SoqlKind, values: readonly string[]): string | null {
  const literals = values.map((value) => toLiteral(kind, value));
  if (literals.some((literal) => literal === null)) return null;
  return `${field} ${kind === 'choices' ? 'INCLUDES' : 'IN'} (${literals.join(',')})`;
}

function toLiteral(kind: SoqlKind, value: string): string | null {
  switch (kind) {
    case 'number':
      return /^-?\d{1,18}(?:\.\d{1,18})?$/.test(value) ? value : null;
    case 'boolean':
      return value === 'true' || value === 'false' ? value : null;
    case 'day':
      return /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : null;
    case 'instant':
      return Number.isNaN(Date.parse(value)) ? null : toInstantLiteral(new Date(value));
    case 'text':
    case 'choices':
      return value.length <= LONGEST_STRING ? toTextLiteral(value) : null;
  }
}

/**
 * Values in groups whose literals, as part of an address, are no longer than `longest` characters each. A query goes into the address, and
 * Salesforce takes 16,384 bytes of address and headers (REST API Developer Guide, "Status Codes and Error Responses", 414 and 431).
 */
export function packConditions(values: readonly string[], longest: number): string[][] {
  const groups: string[][] = [];
  let room = 0;
  for (const value of values) {
    const size = getEncodedLength(`${toTextLiteral(value)},`);
    if (groups.length === 0 || size > room) {
      groups.push([]);
      room = longest;
    }
    groups.at(-1)?.push(value);
    room -= size;
  }
  return groups;
}

export function getEncodedLength(text: string): number {
  return new URLSearchParams({ q: text }).toString().length - 2;
}
