import { type Type as Class } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsObject, ValidateBy, ValidateNested } from 'class-validator';
import { bounds, field, type FieldOptions } from './field';

/** An object with fields of its own. */
export function ObjectField(type: () => Class, options: FieldOptions = {}) {
  // A function of its own: Nest knows a class that is named later by a function called `type`.
  return field(options, { type: () => type() }, [
    ValidateNested(),
    IsObject({ message: '$property must be an object' }),
    Type(type),
  ]);
}

/** A list of objects with fields of their own. */
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
