import { isDeepStrictEqual } from 'node:util';
import { redact } from '@platform/observability';

/** A field before and after, as plain JSON values; null where there was or is nothing. */
interface AuditChange {
  from: unknown;
  to: unknown;
}

export type AuditChanges = Record<string, AuditChange>;

/**
 * What differs between two states of a record in the named fields; null when nothing does. `before` is null for what
 * was created, `after` for what was deleted. Give whole states, not patches: a field that `after` lacks counts as
 * emptied. Never name a field that holds a secret.
 */
export function getChanges<F extends string, B extends { [field in F]: unknown }, A extends { [field in F]: unknown }>(
  before: B | null,
  after: A | null,
  fields: readonly F[],
): AuditChanges | null {
  const changes: AuditChanges = {};
  for (const field of fields) {
    const [from, to] = [plain(before?.[field]), plain(after?.[field])];
    if (!isDeepStrictEqual(from, to)) changes[field] = { from, to };
  }
  return Object.keys(changes).length === 0 ? null : changes;
}

/** The changes as they may be kept: plain JSON, with anything that looks like a key or a password masked. */
export function redactedChanges(changes: AuditChanges): AuditChanges {
  return JSON.parse(redact(JSON.stringify(changes))) as AuditChanges;
}

/** Dates and ids as text, nothing as null: two states compare, and are shown, as the API would show them. */
function plain(value: unknown): unknown {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as unknown);
}
