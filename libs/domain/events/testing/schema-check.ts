import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import { type JsonSchema } from '..';

const ajv = new Ajv2020({ allErrors: true });
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
ajv.addFormat('date', /^\d{4}-\d\d-\d\d$/);

const compiled = new WeakMap<JsonSchema, ValidateFunction>();

/** What of a value is not as its schema says; a field that the schema does not name is no part of it. */
export function getViolations(schema: JsonSchema, value: unknown): string[] {
  const validate = compiled.get(schema) ?? ajv.compile(closed(schema));
  compiled.set(schema, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].filter(Boolean).join(' '),
  );
}

/** Readers are told to expect fields that come later; what is written today has those of today. */
function closed(schema: JsonSchema): JsonSchema {
  const { properties } = schema;
  if (typeof properties !== 'object' || properties === null) return schema;
  const each = Object.entries(properties as Record<string, JsonSchema>);
  const inner = Object.fromEntries(each.map(([name, field]) => [name, closed(field)]));
  return { ...schema, properties: inner, additionalProperties: false };
}
