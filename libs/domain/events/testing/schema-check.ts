import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import { type JsonSchema } from '..';

const ajv = new Ajv2020({ allErrors: true });
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
ajv.addFormat('date', /^\d{4}-\d\d-\d\d$/);

const compiled = new WeakMap<JsonSchema, ValidateFunction>();

/** Violations of a schema by a value; a field that the schema does not name is a violation too. */
export function getViolations(schema: JsonSchema, value: unknown): string[] {
  const validate = compiled.get(schema) ?? ajv.compile(toClosedSchema(schema));
  compiled.set(schema, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].filter(Boolean).join(' '),
  );
}

/** Published schemas allow later fields; data written today must have today's fields only. */
function toClosedSchema(schema: JsonSchema): JsonSchema {
  const { properties } = schema;
  if (typeof properties !== 'object' || properties === null) return schema;
  const each = Object.entries(properties as Record<string, JsonSchema>);
  const inner = Object.fromEntries(each.map(([name, field]) => [name, toClosedSchema(field)]));
  return { ...schema, properties: inner, additionalProperties: false };
}
