import { noting, warning, type Problem } from '../check';
import { trimBlanks } from '../tag-list';

/** `absent`: not published, which has no disadvantage. */
export type TransportStatus = 'pass' | 'warn' | 'absent' | 'unknown';

/** Result of one of the two checks; not part of the score. */
export interface TransportReport {
  readonly status: TransportStatus;
  readonly record: string | null;
  readonly problems: readonly Problem[];
}

/** Status of a published record. */
export function getTransportStatus(problems: readonly Problem[]): 'pass' | 'warn' {
  return problems.some(({ severity }) => severity !== 'info') ? 'warn' : 'pass';
}

/** Returns the tags after the version of a record: `name=value`, the first of each name. */
export function parseRecordTags(record: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const field of record.split(';', MAX_FIELDS)) {
    const equals = field.indexOf('=');
    const name = trimBlanks(field.slice(0, Math.max(equals, 0)));
    if (name !== '' && !fields.has(name)) fields.set(name, trimBlanks(field.slice(equals + 1)));
  }
  return fields;
}

const MAX_FIELDS = 50;

/** Several records count as none (RFC 8461, 3.1; RFC 8460, 3). */
export function createSeveralRecords(count: number, name: string): Problem {
  return warning('several_records', `There are ${count} records at ${name}, so senders ignore all of them. Leave one.`);
}

export function createAbsent(code: string, message: string): TransportReport {
  return { status: 'absent', record: null, problems: [noting(code, message)] };
}
