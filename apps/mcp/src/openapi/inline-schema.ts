import { type JsonSchema, type OpenApiDocument } from './document';

const REFERENCE = '#/components/schemas/';

/**
 * A schema that stands alone: what it refers to is put in its place, since not every AI tool follows references. A list with one
 * `allOf` becomes the schema itself, and `example`, which is OpenAPI's own word, becomes `examples`.
 * @throws Error for a schema that holds itself, or refers elsewhere
 */
export function inlined(schema: JsonSchema, document: OpenApiDocument, within: readonly string[] = []): JsonSchema {
  const { $ref, allOf, example, ...rest } = schema;
  if (typeof $ref === 'string') {
    const name = $ref.slice(REFERENCE.length);
    const target = document.components.schemas[name];
    if (!target || within.includes(name)) throw new Error(`${$ref} cannot be put in its place`);
    return { ...inlined(target, document, [...within, name]), ...rest };
  }
  const only = Array.isArray(allOf) && allOf.length === 1 ? (allOf[0] as JsonSchema) : undefined;
  if (only) return { ...inlined(only, document, within), ...rest };
  const parts = Object.entries({ ...rest, ...(allOf ? { allOf } : {}) }).map(
    ([keyword, value]) => [keyword, part(keyword, value, document, within)] as const,
  );
  return { ...Object.fromEntries(parts), ...(example === undefined ? {} : { examples: [example] }) };
}

/** Only where a schema stands: an `enum` or a `default` may hold anything. */
function part(keyword: string, value: unknown, document: OpenApiDocument, within: readonly string[]): unknown {
  const one = (schema: unknown) => inlined(schema as JsonSchema, document, within);
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
