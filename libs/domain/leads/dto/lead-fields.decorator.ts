import { bounds, CheckedField, type FieldOptions } from '@platform/validation';
import { isObject } from 'class-validator';
import { MAX_VARIABLE, MAX_VARIABLES } from '../lead-values';

/** Values of placeholders by name. `listVariableFaults` checks names and values, and names the faulty one. */
export function VariablesField(options: FieldOptions & { removable?: boolean } = {}) {
  const { removable = false, ...others } = options;
  const values = { type: removable ? ['string', 'null'] : 'string', maxLength: MAX_VARIABLE };
  const message = `$property must be an object of names and texts${removable ? ', or null to remove one' : ''}`;
  const schema = { type: 'object', additionalProperties: values as never, maxProperties: MAX_VARIABLES } as const;
  return CheckedField({ name: 'variables', validate: isObject, message, schema }, others);
}

/** Ids of leads. Their form is not checked: a malformed id matches no lead. */
export function LeadIdsField(options: FieldOptions & { min: number; max: number }) {
  const { min, max, ...others } = options;
  const isIds = (value: unknown) =>
    Array.isArray(value) &&
    value.length >= min &&
    value.length <= max &&
    value.every((id) => typeof id === 'string' && id.length <= 64);
  const message = `$property must be a list of ${bounds(min, max)} lead ids`;
  const schema = { type: 'array', items: { type: 'string' }, minItems: min, maxItems: max } as const;
  return CheckedField({ name: 'leadIds', validate: isIds, message, schema }, others);
}
