import { type Type as Class } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsObject, ValidateBy, ValidateNested } from 'class-validator';
import { bounds, field, type FieldOptions } from './field';

/** A nested object. */
export function ObjectField(type: () => Class, options: FieldOptions = {}) {
  // A new function: Nest recognizes a lazily named class by a function called `type`.
  return field(options, { type: () => type() }, [
    ValidateNested(),
    IsObject({ message: '$property must be an object' }),
    Type(type),
  ]);
}

/** A list of nested objects. */
export function ObjectsField(type: () => Class, options: FieldOptions & { min?: number; max: number }) {
  const { min = 0, max } = options;
  const isList = (value: unknown) =>
    Array.isArray(value) && value.length >= min && value.length <= max && value.every(isObject);
  const message = `$property must be a list of ${bounds(min, max)} objects`;
  return field(options, { type: () => type(), isArray: true, minItems: min, maxItems: max }, [
    ValidateNested({ each: true }),
    ValidateBy({ name: 'objects', validator: { validate: isList, defaultMessage: () => message } }),
    Type(type),
  ]);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
