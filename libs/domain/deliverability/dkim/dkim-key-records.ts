import { failing, warning, type Problem } from '../check';
import { isKeyRecord, readKeyRecord } from './dkim-key-record';
import { type DkimKey } from './public-key';

/** Records of one selector, with a common result. */
export interface DkimKeyResult {
  /** The record that counts. */
  readonly record: string;
  /** All, at most ten. */
  readonly records: readonly string[];
  readonly key: DkimKey | null;
  /** The key was revoked: only the note of it is left. */
  readonly revoked: boolean;
  readonly problems: readonly Problem[];
}

/** Records under one name that are read at most. */
const MAX_RECORDS = 10;

/**
 * Several records have an undefined result (RFC 6376, section 3.6.2.2): some verifiers take the first in any order, others try
 * all. A key beside other text is a risk; several keys break some verifications.
 * @param all at least one
 */
export function evaluateKeys(all: readonly string[]): DkimKeyResult {
  const records = all.slice(0, MAX_RECORDS);
  const readings = records.map((record) => ({ record, meant: isKeyRecord(record), ...readKeyRecord(record) }));
  const meant = readings.filter((reading) => reading.meant);
  const best = readings.find(({ key }) => key !== null) ?? meant[0] ?? readings[0];
  if (best === undefined) throw new RangeError('There is no record to judge');
  const { record, key, revoked } = best;
  const several = all.length > 1 ? [describeSeveral(all.length, meant.length)] : [];
  return { record, records, key, revoked: revoked && meant.length === 1, problems: [...best.problems, ...several] };
}

function describeSeveral(records: number, keys: number): Problem {
  if (keys > 1) {
    const message = `There are ${keys} DKIM keys under one selector, and verifiers take any of them. Leave the one that you sign with.`;
    return failing('several_keys', message);
  }
  const message = `Beside the DKIM key there is other text under its name (${records} records), and not all verifiers look for the right one. Remove the others.`;
  return warning('several_records', message);
}
