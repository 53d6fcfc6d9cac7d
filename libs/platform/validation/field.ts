import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { ValidateBy, ValidateIf } from 'class-validator';

export interface FieldOptions {
  /** One sentence for the API documentation. */
  about?: string;
  optional?: boolean;
  /** Whether null may be sent; it means "none". */
  nullable?: boolean;
  example?: unknown;
}

/** A rule for a value. */
export interface FieldCheck {
  name: string;
  validate: (value: unknown) => boolean;
  /** Describes the allowed values, with `$property` for the name of the field. */
  message: string;
  /** The same for the API documentation. */
  schema: ApiPropertyOptions;
}

/** A field with one check, for a kind of value that only one domain has. */
export function CheckedField({ name, validate, message, schema }: FieldCheck, options: FieldOptions = {}) {
  return field(options, schema, [ValidateBy({ name, validator: { validate, defaultMessage: () => message } })]);
}

/** Combines the parts of a field decorator: when the field is checked, the checks, and its documentation. */
export function field(options: FieldOptions, schema: ApiPropertyOptions, checks: PropertyDecorator[]) {
  const { about, optional = false, nullable = false, example } = options;
  const skip = ValidateIf((_object, value) => !((optional && value === undefined) || (nullable && value === null)));
  const documented = {
    ...schema,
    required: !optional,
    ...(nullable ? { nullable: true } : {}),
    ...(about === undefined ? {} : { description: about }),
    ...(example === undefined ? {} : { example }),
  } as ApiPropertyOptions;
  return applyDecorators(skip, ...checks, ApiProperty(documented));
}

/** `at most 5`, or `1 to 5`. */
export function bounds(min: number, max: number): string {
  return min === 0 ? `at most ${max}` : `${min} to ${max}`;
}
