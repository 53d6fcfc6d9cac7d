/** A JSON Schema (2020-12), which is also what OpenAPI 3.1 takes. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/**
 * What a value looks like: for the compiler (`T`), for whoever receives it (`schema`), and by example. All three are made by the
 * same call: between a class's fields and the decorators over them, nothing but a test would notice a difference.
 */
export interface Shape<out T> {
  readonly schema: JsonSchema;
  readonly example: T;
}

export type Fields = Readonly<Record<string, Shape<unknown>>>;
/** What an object with these fields is. */
export type DataOf<F extends Fields> = { -readonly [name in keyof F]: F[name]['example'] };

/** An object with exactly these fields; none of them is ever left out. */
export interface ObjectShape<F extends Fields = Fields> extends Shape<DataOf<F>> {
  readonly fields: F;
}

function shape<T>(type: string, about: string, example: T, more: JsonSchema = {}): Shape<T> {
  return { schema: { type, description: about, ...more, examples: [example] }, example };
}

export function text(about: string, example: string): Shape<string> {
  return shape('string', about, example);
}

/** Texts; may be empty. */
export function texts(about: string, ...example: readonly string[]): Shape<readonly string[]> {
  return shape('array', about, example, { items: { type: 'string' } });
}

export function id(about: string, example: string): Shape<string> {
  return shape('string', about, example, { pattern: '^[0-9a-f]{24}$' });
}

/** ISO 8601 in UTC with milliseconds. */
export function instant(about: string, example: string): Shape<string> {
  return shape('string', about, example, { format: 'date-time' });
}

/** YYYY-MM-DD */
export function day(about: string, example: string): Shape<string> {
  return shape('string', about, example, { format: 'date' });
}

export function flag(about: string, example: boolean): Shape<boolean> {
  return shape('boolean', about, example);
}

/** A whole number from 0. */
export function count(about: string, example: number): Shape<number> {
  return shape('integer', about, example, { minimum: 0 });
}

/** A whole number from 0 to 100. */
export function percent(about: string, example: number): Shape<number> {
  return shape('integer', about, example, { minimum: 0, maximum: 100 });
}

/** 0 to 1 */
export function ratio(about: string, example: number): Shape<number> {
  return shape('number', about, example, { minimum: 0, maximum: 1 });
}

/** One of a closed list; the first one is the example. */
export function getOne<const V extends string>(about: string, values: readonly [V, ...V[]]): Shape<V> {
  return shape('string', about, values[0], { enum: values });
}

/** null where there is nothing to say. */
export function nullable<T>({ schema, example }: Shape<T>): Shape<T | null> {
  const { type, enum: values, ...rest } = schema;
  const allowed = Array.isArray(values) ? { enum: [...(values as unknown[]), null] } : {};
  return { schema: { type: [type, 'null'], ...rest, ...allowed }, example };
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
