import { type Schema, type SchemaType } from 'mongoose';

interface Nested {
  readonly schema?: Schema;
  /** Of an array of plain values. */
  readonly embeddedSchemaType?: SchemaType;
  readonly options?: { readonly enum?: unknown };
}

/** Types whose values are no text; every other type needs an owner or a declaration. */
const COUNTED = new Set(['ObjectId', 'Date', 'Number', 'Boolean']);

/** A path of a schema that can hold text, with its type. */
export interface TextPath {
  readonly path: string;
  readonly type: SchemaType;
}

/** The paths that can hold text: in embedded documents and in arrays too, without strings of a closed list. */
export function listTextPaths(schema: Schema, prefix = ''): TextPath[] {
  return Object.entries(schema.paths).flatMap(([name, type]) => listOfType(`${prefix}${name}`, type));
}

function listOfType(path: string, type: SchemaType): TextPath[] {
  const { schema, embeddedSchemaType, options } = type as Nested;
  if (schema) return listTextPaths(schema, `${path}.`);
  if (embeddedSchemaType) return listOfType(path, embeddedSchemaType);
  if (COUNTED.has(type.instance) || (type.instance === 'String' && options?.enum !== undefined)) return [];
  return [{ path, type }];
}

/** Whether one of the fields is the path or contains it. */
export function covers(fields: readonly string[], path: string): boolean {
  return fields.some((field) => path === field || path.startsWith(`${field}.`));
}
