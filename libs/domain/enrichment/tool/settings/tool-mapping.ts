import { findValueFault } from '@domain/leads';
import { type ErrorDetail } from '@platform/errors';
import { type MappedField } from '../schemas/enrichment-tool.record';

/** Maximum number of mapped fields: more than a lead can have. */
export const MAX_MAPPED = 60;
/** Maximum characters of a name in a result. */
const MAX_SOURCE = 200;

/** Converts `{title: 'jobTitle'}` to a list; trims the target names. */
export function toMapping(input: Readonly<Record<string, unknown>>): MappedField[] {
  return Object.entries(input).map(([from, to]) => ({ from, to: typeof to === 'string' ? to.trim() : '' }));
}

/** Lists the faults of a mapping, one entry for each field. Pure. */
export function listMappingFaults(mapping: readonly MappedField[]): ErrorDetail[] {
  if (mapping.length === 0 || mapping.length > MAX_MAPPED) {
    return [{ field: 'mapping', message: `mapping must have 1 to ${MAX_MAPPED} fields` }];
  }
  const taken = new Set<string>();
  return mapping.flatMap(({ from, to }) => {
    const field = `mapping.${from.slice(0, MAX_SOURCE)}`;
    const fault =
      findSourceFault(from) ??
      findTargetFault(to) ??
      (taken.has(to) ? 'names a field that another entry already fills' : null);
    taken.add(to);
    return fault === null ? [] : [{ field, message: `${field} ${fault}` }];
  });
}

function findSourceFault(from: string): string | null {
  if (from.trim() === '' || from.length > MAX_SOURCE) return `must have a name of 1 to ${MAX_SOURCE} characters`;
  return from.isWellFormed() && !from.includes('\0') ? null : 'must be well-formed text without null characters';
}

/** An empty value fits every field, so that only a faulty name is reported. */
function findTargetFault(to: string): string | null {
  if (to === '') return 'must be the name of a field of leads or of a variable';
  return findValueFault({ name: to, value: '' });
}
