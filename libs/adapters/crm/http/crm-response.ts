import { CrmError } from '../port/crm.errors';

/** An answer of a vendor, whatever its status. */
export interface CrmAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined when the body is empty or no JSON. */
  readonly json: unknown;
}

export type JsonRecord = Readonly<Record<string, unknown>>;

/** Most characters of a vendor's sentence. */
const MAX_SENTENCE = 300;

export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/** An empty record for everything that is none: the fields of an answer are looked at one by one. */
export function toRecord(value: unknown): JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : {};
}

/** The records in a list; an empty one for everything that is no list. */
export function toRecords(value: unknown): JsonRecord[] {
  return Array.isArray(value) ? value.map(toRecord) : [];
}

/**
 * The list that an answer must have: one that has none is no end of a list.
 * @throws CrmError `protocol`
 */
export function requireRecords(value: unknown, vendor: string): JsonRecord[] {
  if (!Array.isArray(value)) throw new CrmError('protocol', `${vendor} answered something that is no list`);
  return value.map(toRecord);
}

/** Null for everything that is no text with something in it. */
export function toText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export function parseDate(value: unknown): Date | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? null : at;
}

/** One line that people may be shown: without what is not for reading, without secrets, at most 300 characters. */
export function toSentence(text: string, secrets: readonly string[]): string {
  const shown = secrets.reduce((left, secret) => (secret === '' ? left : left.replaceAll(secret, '***')), text);
  // eslint-disable-next-line no-control-regex -- those are what is meant
  const line = shown.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  return line.length <= MAX_SENTENCE ? line : `${line.slice(0, MAX_SENTENCE - 1).toWellFormed()}…`;
}
