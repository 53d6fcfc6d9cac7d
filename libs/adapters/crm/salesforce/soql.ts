/**
 * Pieces of a query in SOQL. The REST API takes a query as one text without parameters, so external values are inserted only as literals of
 * this file. Source: SOQL and SOSL Reference, "Quoted String Escape Sequences" and "Date Formats and Date Literals".
 */

/** Literal types of fields. */
export type SoqlKind = 'text' | 'number' | 'boolean' | 'day' | 'instant' | 'choices';

/** Maximum characters of strings in a WHERE clause ("SOQL and SOSL Limits for Search Queries"). */
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

/** A quoted string. Control characters without an escape sequence are omitted, because no field contains them. */
export function toTextLiteral(text: string): string {
  const escaped = text.toWellFormed().replace(/[\\'"]|\p{Cc}/gu, (character) => ESCAPES[character] ?? '');
  return `'${escaped}'`;
}

/** An instant in whole seconds, rounded down: Salesforce stores no fractions. */
export function toInstantLiteral(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`;
}

/** The name of a field, or of a parent's field (`Account.Name`); custom names end in `__c`, packaged ones start with a prefix. */
export function isFieldName(name: string): boolean {
  return name.length <= 160 && /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)?$/.test(name);
}

/**
 * `field` has one of these values. Null when one of them is no value of that type: unescaped, it would make the query invalid or change its
 * meaning.
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
 * Values in groups whose URL-encoded literals have at most `longest` characters each. A query is part of the URL, and Salesforce accepts
 * 16,384 bytes of URL and headers (REST API Developer Guide, "Status Codes and Error Responses", 414 and 431).
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
