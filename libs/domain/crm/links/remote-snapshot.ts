import { createHash } from 'node:crypto';
import { type CrmValue } from '@adapters/crm';

/** What both sides of a rule had at the last sync, as digests: no value of a person is kept twice. */
export type SnapshotRule = readonly [lead: string, crm: string];
export type RemoteSnapshot = Readonly<Record<string, SnapshotRule>>;

/** Eight characters tell two values of one field apart but once in four billion. */
const DIGEST_CHARACTERS = 8;

export function getDigest(value: CrmValue): string {
  return createHash('sha256').update(toCanonicalText(value)).digest('base64url').slice(0, DIGEST_CHARACTERS);
}

export function isEmpty(value: CrmValue): boolean {
  return toCanonicalText(value) === '';
}

/** By the field of the CRM: of two rules for one field, each has its own. */
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
