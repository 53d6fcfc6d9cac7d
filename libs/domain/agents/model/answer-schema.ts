type Schema = Readonly<Record<string, unknown>>;

/**
 * Whether an answer matches its JSON schema. Supported: `type`, `enum`, `required`, `properties`,
 * `additionalProperties: false`, `items`, `minLength`, `maxLength` (characters), `minItems`, `maxItems`, `minimum`,
 * `maximum`. Servers enforce only a part of a schema, or none of it.
 */
export function matchesSchema(value: unknown, schema: Schema): boolean {
  const { type, enum: allowed } = schema;
  const types = Array.isArray(type) ? type : [type];
  if (type !== undefined && !types.some((one) => isOfType(value, one))) return false;
  if (Array.isArray(allowed) && !allowed.includes(value)) return false;
  if (typeof value === 'string') return isBetween(Array.from(value).length, schema['minLength'], schema['maxLength']);
  if (typeof value === 'number') return isBetween(value, schema['minimum'], schema['maximum']);
  if (Array.isArray(value)) return fitItems(value, schema);
  return isRecord(value) ? fitProperties(value, schema) : true;
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'object':
      return isRecord(value);
    case 'array':
      return Array.isArray(value);
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function fitItems(values: readonly unknown[], { items, minItems, maxItems }: Schema): boolean {
  return (
    isBetween(values.length, minItems, maxItems) &&
    (!isRecord(items) || values.every((one) => matchesSchema(one, items)))
  );
}

function fitProperties(
  value: Readonly<Record<string, unknown>>,
  { properties = {}, required = [], additionalProperties }: Schema,
): boolean {
  const known = properties as Readonly<Record<string, Schema>>;
  const isComplete = (required as readonly string[]).every((name) => Object.hasOwn(value, name));
  return (
    isComplete &&
    Object.entries(value).every(([name, one]) => {
      const schema = Object.hasOwn(known, name) ? known[name] : undefined;
      return schema ? matchesSchema(one, schema) : additionalProperties !== false;
    })
  );
}

function isBetween(value: number, least: unknown, most: unknown): boolean {
  return !(typeof least === 'number' && value < least) && !(typeof most === 'number' && value > most);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
