import { createHash } from 'node:crypto';
import { type CrmValue } from '@adapters/crm';

/** Digests of both sides of a rule at the last sync: no personal value is stored twice. */
export type SnapshotRule = readonly [lead: string, crm: string];
export type RemoteSnapshot = Readonly<Record<string, SnapshotRule>>;

/** Eight characters: a collision in one of 2^48 pairs. */
const DIGEST_CHARACTERS = 8;

export function getDigest(value: CrmValue): string {
  return createHash('sha256').update(toCanonicalText(value)).digest('base64url').slice(0, DIGEST_CHARACTERS);
}

export function isEmpty(value: CrmValue): boolean {
  return toCanonicalText(value) === '';
}

/** One key per rule: two rules can share a CRM field. */
export function getSnapshotKey({ lead, crm }: { readonly lead: string; readonly crm: string }): string {
  return `${lead}>${crm}`;
}

export function parseSnapshot(text: string): RemoteSnapshot {
  return JSON.parse(text) as RemoteSnapshot;
}

function toCanonicalText(value: CrmValue): string {
  if (value === null) return '';
  if (typeof value === 'object') return value.length === 0 ? '' : JSON.stringify(value.toSorted());
  return String(value).trim();
}
