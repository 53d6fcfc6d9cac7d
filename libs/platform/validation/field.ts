import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { ValidateBy, ValidateIf } from 'class-validator';

export interface FieldOptions {
  /** One sentence for the API documentation. */
  about?: string;
  optional?: boolean;
  /** null is a value that may be sent, and means "none". */
  nullable?: boolean;
  example?: unknown;
}

/** What a value of a kind of its own has to be. */
export interface FieldCheck {
  name: string;
  validate: (value: unknown) => boolean;
  /** With `$property` for its name: what is allowed. */
  message: string;
  /** The same for the API documentation. */
  schema: ApiPropertyOptions;
}

/** A field of a kind that one check describes; for those that only one domain has. */
export function CheckedField({ name, validate, message, schema }: FieldCheck, options: FieldOptions = {}) {
  return field(options, schema, [ValidateBy({ name, validator: { validate, defaultMessage: () => message } })]);
}

/** What every field decorator is made of: when it is checked, by what, and what the documentation says of it. */
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
