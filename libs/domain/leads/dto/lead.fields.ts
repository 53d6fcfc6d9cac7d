import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsObject, ValidateBy, ValidateIf } from 'class-validator';
import { MAX_VARIABLE, MAX_VARIABLES } from '../lead.values';

interface FieldOptions {
  about?: string;
  optional?: boolean;
}

/** Values for placeholders, by name. Which names and values, `variableFaults` says: it names the one that is wrong. */
export function VariablesField(options: FieldOptions & { removable?: boolean } = {}) {
  const type = options.removable ? ['string', 'null'] : 'string';
  return applyDecorators(
    IsObject({ message: '$property must be an object' }),
    ...whenGiven(options),
    ApiProperty({
      type: 'object',
      additionalProperties: { type, maxLength: MAX_VARIABLE } as never,
      maxProperties: MAX_VARIABLES,
      ...documented(options),
    } as unknown as ApiPropertyOptions),
  );
}

/** Ids of leads. One that is malformed is an unknown one, so their form is not checked. */
export function LeadIdsField(options: FieldOptions & { min: number; max: number }) {
  const { min, max } = options;
  const isIds = (value: unknown) =>
    Array.isArray(value) &&
    value.length >= min &&
    value.length <= max &&
    value.every((id) => typeof id === 'string' && id.length <= 64);
  const message = `$property must be a list of ${min} to ${max} lead ids`;
  return applyDecorators(
    ValidateBy({ name: 'leadIds', validator: { validate: isIds, defaultMessage: () => message } }),
    ...whenGiven(options),
    ApiProperty({ type: 'array', items: { type: 'string' }, minItems: min, maxItems: max, ...documented(options) }),
  );
}

function whenGiven({ optional = false }: FieldOptions): PropertyDecorator[] {
  return optional ? [ValidateIf((_object, value) => value !== undefined)] : [];
}

function documented({ about, optional = false }: FieldOptions) {
  return { required: !optional, ...(about === undefined ? {} : { description: about }) };
}
