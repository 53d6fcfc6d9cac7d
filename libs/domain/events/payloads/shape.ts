/** A JSON Schema (2020-12), the dialect of OpenAPI 3.1. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/**
 * Describes a value for the compiler (`T`), for receivers (`schema`) and by example. One call makes all three, so that
 * they cannot differ.
 */
export interface Shape<out T> {
  readonly schema: JsonSchema;
  readonly example: T;
}

export type Fields = Readonly<Record<string, Shape<unknown>>>;
/** Type of an object with these fields. */
export type DataOf<F extends Fields> = { -readonly [name in keyof F]: F[name]['example'] };

/** An object with exactly these fields; all of them are required. */
export interface ObjectShape<F extends Fields = Fields> extends Shape<DataOf<F>> {
  readonly fields: F;
}

function createShape<T>(type: string, about: string, example: T, more: JsonSchema = {}): Shape<T> {
  return { schema: { type, description: about, ...more, examples: [example] }, example };
}

export function text(about: string, example: string): Shape<string> {
  return createShape('string', about, example);
}

/** A list of texts; may be empty. */
export function texts(about: string, ...example: readonly string[]): Shape<readonly string[]> {
  return createShape('array', about, example, { items: { type: 'string' } });
}

export function id(about: string, example: string): Shape<string> {
  return createShape('string', about, example, { pattern: '^[0-9a-f]{24}$' });
}

/** ISO 8601 in UTC with milliseconds. */
export function instant(about: string, example: string): Shape<string> {
  return createShape('string', about, example, { format: 'date-time' });
}

/** YYYY-MM-DD */
export function day(about: string, example: string): Shape<string> {
  return createShape('string', about, example, { format: 'date' });
}

export function flag(about: string, example: boolean): Shape<boolean> {
  return createShape('boolean', about, example);
}

/** A whole number from 0. */
export function count(about: string, example: number): Shape<number> {
  return createShape('integer', about, example, { minimum: 0 });
}

/** A whole number from 0 to 100. */
export function percent(about: string, example: number): Shape<number> {
  return createShape('integer', about, example, { minimum: 0, maximum: 100 });
}

/** 0 to 1 */
export function ratio(about: string, example: number): Shape<number> {
  return createShape('number', about, example, { minimum: 0, maximum: 1 });
}

/** One of a closed list; the first one is the example. */
export function choice<const V extends string>(about: string, values: readonly [V, ...V[]]): Shape<V> {
  return createShape('string', about, values[0], { enum: values });
}

/** Also allows null, where a value is absent or unknown. */
export function nullable<T>({ schema, example }: Shape<T>): Shape<T | null> {
  const { type, enum: values, ...others } = schema;
  const allowed = Array.isArray(values) ? { enum: [...(values as unknown[]), null] } : {};
  return { schema: { type: [type, 'null'], ...others, ...allowed }, example };
}

export function object<const F extends Fields>(about: string, fields: F): ObjectShape<F> {
  const each = Object.entries(fields);
  return {
    fields,
    schema: {
      type: 'object',
      description: about,
      properties: Object.fromEntries(each.map(([name, field]) => [name, field.schema])),
      required: each.map(([name]) => name),
    },
    example: Object.fromEntries(each.map(([name, field]) => [name, field.example])) as DataOf<F>,
  };
}
