import { type CrmField, type CrmFieldType } from '@adapters/crm';
import { ApiProperty } from '@nestjs/swagger';
import { CheckedField, ObjectsField, OneOfField, TextField } from '@platform/validation';
import { isObject } from 'class-validator';
import {
  type FieldRule,
  type MappingRule,
  RULE_DIRECTIONS,
  RULE_OVERWRITES,
  type RuleDirection,
  type RuleOverwrite,
} from '../field-rule';
import { MAX_RULES } from '../mapping-faults';

const MAX_NAME = 200;
const LEAD =
  'Field of a lead, name of a variable, or what is pushed only: `stage`, `optedOut`, `lastContactedAt`, `campaign`.';
const CRM = 'Field of people as the API of the CRM names it (GET /fields).';
const OVERWRITE = 'Whether a value replaces another one on the receiving side.';
const VALUES = 'A value of the lead and what the CRM calls it, such as {"positive": "qualified"}; null: as it is.';
const TYPES = [
  'text',
  'number',
  'boolean',
  'day',
  'instant',
  'choice',
  'choices',
  'email',
  'phone',
  'url',
  'reference',
  'other',
] as const satisfies readonly CrmFieldType[];

export class FieldRuleRequest {
  @TextField({ max: MAX_NAME, about: LEAD, example: 'jobTitle' })
  lead!: string;

  @TextField({ max: MAX_NAME, about: CRM, example: 'jobtitle' })
  crm!: string;

  @OneOfField(RULE_DIRECTIONS)
  direction!: RuleDirection;

  @OneOfField(RULE_OVERWRITES, { optional: true, about: `${OVERWRITE} Default: when_empty.` })
  overwrite: RuleOverwrite = 'when_empty';

  @CheckedField(
    {
      name: 'values',
      validate: (value) => isObject(value) && Object.values(value).every((one) => typeof one === 'string'),
      message: '$property must be an object of texts, or null',
      schema: { type: 'object', additionalProperties: { type: 'string' } } as never,
    },
    { optional: true, nullable: true, about: VALUES },
  )
  values: Record<string, string> | null = null;
}

/** The complete list of rules. */
export class SetCrmMappingRequest {
  @ObjectsField(() => FieldRuleRequest, {
    max: MAX_RULES,
    about: 'All rules; without any, only addresses are synchronised.',
  })
  rules!: FieldRuleRequest[];
}

export class FieldRuleResponse {
  @ApiProperty({ type: 'string', description: LEAD })
  lead!: string;

  @ApiProperty({ type: 'string', description: CRM })
  crm!: string;

  @ApiProperty({ type: 'string', enum: RULE_DIRECTIONS })
  direction!: RuleDirection;

  @ApiProperty({ type: 'string', enum: RULE_OVERWRITES, description: OVERWRITE })
  overwrite!: RuleOverwrite;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, nullable: true, description: VALUES })
  values!: Record<string, string> | null;

  @ApiProperty({
    type: 'string',
    enum: TYPES,
    nullable: true,
    description: 'Kind of the field; null: not read from the CRM yet.',
  })
  type!: CrmFieldType | null;
}

/** A field mapping rule. */
export class CrmMappingResponse {
  @ApiProperty({ type: FieldRuleResponse, isArray: true })
  rules!: FieldRuleResponse[];
}

/** A person field of the CRM. */
export class CrmFieldResponse {
  @ApiProperty({ type: 'string', description: 'As the API names it.' })
  name!: string;

  @ApiProperty({ type: 'string', description: 'As people see it.' })
  label!: string;

  @ApiProperty({ type: 'string', enum: TYPES })
  type!: CrmFieldType;

  @ApiProperty({ type: 'boolean' })
  isWritable!: boolean;

  @ApiProperty({ type: 'boolean', description: 'Whether the account made it.' })
  isCustom!: boolean;

  @ApiProperty({
    type: 'string',
    isArray: true,
    nullable: true,
    description: 'Allowed values; null: not limited.',
  })
  options!: string[] | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Maximum number of characters of a text; null: the CRM does not report it.',
  })
  maxLength!: number | null;
}

/** The person fields of the CRM. */
export class CrmFieldsResponse {
  @ApiProperty({ type: CrmFieldResponse, isArray: true })
  fields!: CrmFieldResponse[];
}

export const CRM_MAPPING_EXAMPLE: SetCrmMappingRequest = {
  rules: [
    { lead: 'jobTitle', crm: 'jobtitle', direction: 'both', overwrite: 'when_empty', values: null },
    {
      lead: 'stage',
      crm: 'hs_lead_status',
      direction: 'push',
      overwrite: 'always',
      values: { contacted: 'ATTEMPTED_TO_CONTACT', positive: 'OPEN_DEAL' },
    },
  ],
};

export function getRule({ lead, crm, direction, overwrite, values }: FieldRuleRequest): FieldRule {
  return { lead, crm, direction, overwrite, values };
}

export function toCrmMapping(rules: readonly MappingRule[]): CrmMappingResponse {
  return {
    rules: rules.map(({ lead, crm, direction, overwrite, values, type }) => ({
      lead,
      crm,
      direction,
      overwrite,
      values: values && { ...values },
      type,
    })),
  };
}

export function toCrmFields(fields: readonly CrmField[]): CrmFieldsResponse {
  return {
    fields: fields.map(({ name, label, type, isWritable, isCustom, options, maxLength }) => ({
      name,
      label,
      type,
      isWritable,
      isCustom,
      options: options && [...options],
      maxLength,
    })),
  };
}
