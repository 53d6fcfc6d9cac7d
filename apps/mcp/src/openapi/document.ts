import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A JSON Schema (2020-12); only the keywords used here are named. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

export interface Operation {
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
  /** The permission that the key needs. */
  readonly 'x-permission': string;
}

/** The parts of the platform's OpenAPI document that are used here. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/** docs/reference/openapi.json, for the source and for the build, which copies it beside `apps` (nest-cli.json). */
const FILE = join(__dirname, '../../../../docs/reference/openapi.json');

export function readDocument(): OpenApiDocument {
  return JSON.parse(readFileSync(FILE, 'utf8')) as OpenApiDocument;
}

/** Every operation by method and path, such as `GET /v1/campaigns`. */
export function getOperations({ paths }: OpenApiDocument): Map<string, Operation> {
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
    ),
  );
}
