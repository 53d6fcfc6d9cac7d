import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A JSON schema (2020-12), of which only what is looked at has a name. */
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
  /** What the key must be allowed to. */
  readonly 'x-permission': string;
}

/** The OpenAPI document of the platform, as far as it is looked at. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/** docs/reference/openapi.json, from the source as from the build, which copies it beside `apps` (nest-cli.json). */
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
