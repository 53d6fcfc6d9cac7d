import { isDeepStrictEqual } from 'node:util';
import { redact } from '@platform/observability';

/** The values of a field before and after, as plain JSON; null where there was or is no value. */
interface AuditChange {
  from: unknown;
  to: unknown;
}

export type AuditChanges = Record<string, AuditChange>;

/**
 * The differences between two states of a record in the named fields; null if there are none. `before` is null for a
 * created record, `after` for a deleted one. Pass whole states, not patches: a field that `after` lacks counts as
 * removed. Never name a field that contains a secret.
 */
export function getChanges<F extends string, B extends { [field in F]: unknown }, A extends { [field in F]: unknown }>(
  before: B | null,
  after: A | null,
  fields: readonly F[],
): AuditChanges | null {
  const changes: AuditChanges = {};
  for (const field of fields) {
    const [from, to] = [toPlain(before?.[field]), toPlain(after?.[field])];
    if (!isDeepStrictEqual(from, to)) changes[field] = { from, to };
  }
  return Object.keys(changes).length === 0 ? null : changes;
}

/** The changes as they may be stored: plain JSON; values that look like a key or a password are masked. */
export function redactChanges(changes: AuditChanges): AuditChanges {
  return JSON.parse(redact(JSON.stringify(changes))) as AuditChanges;
}

/** Dates and ids become text, undefined becomes null: states are compared and shown as in the API. */
function toPlain(value: unknown): unknown {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as unknown);
}
