import { type FoundValue } from '@domain/leads';
import { type MappedField } from '../schemas/enrichment-tool.record';

/** An entry under a mapped name that has no usable value. */
export interface UnknownCallbackValue {
  readonly name: string;
  readonly reason: string;
}

/** The mapped values of a result. */
export interface CallbackValues {
  readonly values: readonly FoundValue[];
  readonly unknown: readonly UnknownCallbackValue[];
}

const STRANGE = 'must be a text, a number, or true or false';

/**
 * Extracts the mapped values of a result. A name of the mapping is a field, or, without such a field, a path into the
 * objects of the result. Everything else is ignored. Pure.
 */
export function parseCallbackValues(
  mapping: readonly MappedField[],
  result: Readonly<Record<string, unknown>>,
): CallbackValues {
  const values: FoundValue[] = [];
  const strange: UnknownCallbackValue[] = [];
  for (const { from, to: name } of mapping) {
    const text = toText(getValueAt(result, from));
    if (text === undefined) strange.push({ name, reason: STRANGE });
    else if (text !== '') values.push({ name, value: text });
  }
  return { values, unknown: strange };
}

/** Reads own properties only: every object inherits a `constructor`. */
function getValueAt(result: Readonly<Record<string, unknown>>, path: string): unknown {
  if (Object.hasOwn(result, path)) return result[path];
  return path
    .split('.')
    .reduce<unknown>(
      (inner, name) => (isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
      result,
    );
}

/** Empty for an empty value; undefined for an unusable one. */
function toText(value: unknown): string | undefined {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
