import { type JsonSchema, type OpenApiDocument } from './document';

const REFERENCE = '#/components/schemas/';

/**
 * Replaces references in a schema by their targets, since not every AI tool follows references. An `allOf` with one
 * element becomes that schema, and `example`, a keyword of OpenAPI, becomes `examples`.
 * @throws Error for a recursive schema or an external reference
 */
export function inlineSchema(
  schema: JsonSchema,
  document: OpenApiDocument,
  within: readonly string[] = [],
): JsonSchema {
  const { $ref, allOf, example, ...others } = schema;
  if (typeof $ref === 'string') {
    const name = $ref.slice(REFERENCE.length);
    const target = document.components.schemas[name];
    if (!target || within.includes(name)) throw new Error(`${$ref} cannot be inlined`);
    return { ...inlineSchema(target, document, [...within, name]), ...others };
  }
  const only = Array.isArray(allOf) && allOf.length === 1 ? (allOf[0] as JsonSchema) : undefined;
  if (only) return { ...inlineSchema(only, document, within), ...others };
  const parts = Object.entries({ ...others, ...(allOf ? { allOf } : {}) }).map(
    ([keyword, value]) => [keyword, inlinePart(keyword, value, document, within)] as const,
  );
  return { ...Object.fromEntries(parts), ...(example === undefined ? {} : { examples: [example] }) };
}

/** Only where a schema is expected: an `enum` or a `default` may contain any value. */
function inlinePart(keyword: string, value: unknown, document: OpenApiDocument, within: readonly string[]): unknown {
  const one = (schema: unknown) => inlineSchema(schema as JsonSchema, document, within);
  switch (keyword) {
    case 'items':
      return one(value);
    case 'additionalProperties':
      return typeof value === 'object' ? one(value) : value;
    case 'properties':
      return Object.fromEntries(Object.entries(value as object).map(([name, schema]) => [name, one(schema)]));
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
      return (value as unknown[]).map(one);
    default:
      return value;
  }
}
