import { applyDecorators, type Type as Class } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsObject, ValidateBy, ValidateIf, ValidateNested } from 'class-validator';

interface FieldOptions {
  about?: string;
  optional?: boolean;
}

/** An object with fields of its own. */
export function ObjectField(type: () => Class, options: FieldOptions = {}) {
  return applyDecorators(
    ValidateNested(),
    IsObject({ message: '$property must be an object' }),
    Type(type),
    ...whenGiven(options),
    // A function of its own: Nest knows a class that is named later by a function called `type`.
    ApiProperty({ type: () => type(), ...documented(options) }),
  );
}

/** A list of objects with fields of their own. */
export function ObjectsField(type: () => Class, options: FieldOptions & { min?: number; max: number }) {
  const { min = 0, max } = options;
  const isList = (value: unknown) =>
    Array.isArray(value) && value.length >= min && value.length <= max && value.every(isObject);
  const message = `$property must be a list of ${min} to ${max} objects`;
  return applyDecorators(
    ValidateNested({ each: true }),
    ValidateBy({ name: 'objects', validator: { validate: isList, defaultMessage: () => message } }),
    Type(type),
    ...whenGiven(options),
    ApiProperty({ type: () => type(), isArray: true, minItems: min, maxItems: max, ...documented(options) }),
  );
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function whenGiven({ optional = false }: FieldOptions): PropertyDecorator[] {
  return optional ? [ValidateIf((_object, value) => value !== undefined)] : [];
}

function documented({ about, optional = false }: FieldOptions) {
  return { required: !optional, ...(about === undefined ? {} : { description: about }) };
}
