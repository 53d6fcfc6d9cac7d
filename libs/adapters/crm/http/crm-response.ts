import { CrmError } from '../port/crm.errors';

/** A response of a vendor with any status. */
export interface CrmAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for an empty body or invalid JSON. */
  readonly json: unknown;
}

export type JsonRecord = Readonly<Record<string, unknown>>;

/** Maximum length of a vendor's sentence. */
const MAX_SENTENCE = 300;

export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns the value if it is a record, otherwise an empty record. */
export function toRecord(value: unknown): JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : {};
}

/** Returns the records of a list, or none for another value. */
export function toRecords(value: unknown): JsonRecord[] {
  return Array.isArray(value) ? value.map(toRecord) : [];
}

/**
 * Returns the records of a list; a response without the list is not the end of the data.
 * @throws CrmError `protocol`
 */
export function requireRecords(value: unknown, vendor: string): JsonRecord[] {
  if (!Array.isArray(value)) throw new CrmError('protocol', `${vendor} answered without a list`);
  return value.map(toRecord);
}

/** Returns a non-empty text, otherwise null. */
export function toText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export function parseDate(value: unknown): Date | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? null : at;
}

/** Returns one line for display: without control characters and secrets, at most 300 characters. */
export function toSentence(text: string, secrets: readonly string[]): string {
  const shown = secrets.reduce((left, secret) => (secret === '' ? left : left.replaceAll(secret, '***')), text);
  // eslint-disable-next-line no-control-regex -- control characters are replaced
  const line = shown.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  return line.length <= MAX_SENTENCE ? line : `${line.slice(0, MAX_SENTENCE - 1).toWellFormed()}…`;
}
