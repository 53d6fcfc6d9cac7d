import { type FoundValue } from '@domain/leads';
import { type MappedField } from '../schemas/enrichment-tool.record';

/** Something that was found under a mapped name and is no value. */
export interface UnknownCallbackValue {
  readonly name: string;
  readonly reason: string;
}

/** What a result says of the fields of the mapping. */
export interface CallbackValues {
  readonly values: readonly FoundValue[];
  readonly unknown: readonly UnknownCallbackValue[];
}

const STRANGE = 'must be a text, a number, or true or false';

/**
 * What a result says, by the names of leads. A name of the mapping is that of a field, or, where there is no such field, a path
 * into the objects of the result. Whatever else a result has is nobody's business. Pure.
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

/** Only what the object itself has: every object has a `constructor`. */
function getValueAt(result: Readonly<Record<string, unknown>>, path: string): unknown {
  if (Object.hasOwn(result, path)) return result[path];
  return path
    .split('.')
    .reduce<unknown>(
      (inner, name) => (isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
      result,
    );
}

/** Empty for what says nothing; undefined for what is no value. */
function toText(value: unknown): string | undefined {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
