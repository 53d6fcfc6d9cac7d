import { type ApiClient } from '@testing';
import { type Bodies } from './outside';

/** A schema of the OpenAPI document, as far as bodies use it. */
interface Schema {
  $ref?: string;
  allOf?: Schema[];
  type?: string;
  format?: string;
  enum?: unknown[];
  example?: unknown;
  minimum?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
}

interface Operation {
  security?: Record<string, unknown>[];
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses?: Record<string, { content?: Record<string, unknown> }>;
  'x-permission': string;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** An operation of the API, as /openapi.json describes it: a new one is tested from the day on which it is written. */
export interface Route {
  label: string;
  method: Method;
  /** With `{parameters}`. */
  template: string;
  permission: string;
  /** Where the workspace is named. */
  workspace: 'path' | 'header' | 'none';
  bearer: boolean;
  /** Parameters of the path other than the workspace. */
  ids: string[];
  isList: boolean;
  /** A list in pages by cursor; one that is not has pages by number. */
  hasCursor: boolean;
  /** It answers a file instead of JSON. */
  isFile: boolean;
  /** The Content-Type of the file that it takes instead of a body in JSON; undefined for any other. */
  upload: string | undefined;
  /** A body that validation lets through, and the schemas of its fields; undefined for an operation without one. */
  body: { fields: Record<string, Schema>; plausible: () => Record<string, unknown> } | undefined;
}

/** Parameters of the path that name no record, and a value that they take. */
export const NO_IDS: Readonly<Record<string, string>> = { provider: 'google', type: 'hubspot', attachmentIndex: '0' };

let unique = 0;

/** Every operation that the running API describes. `bodies`: what its schema alone does not say. */
export async function describedRoutes(api: ApiClient, bodies: Bodies): Promise<Route[]> {
  const document = (await api.get('/openapi.json')).body as Document;
  return Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      routeOf(document, template, method as Method, operation, bodies),
    ),
  );
}

function routeOf(document: Document, template: string, method: Method, operation: Operation, bodies: Bodies): Route {
  const { parameters = [], security = [], requestBody, responses = {} } = operation;
  const has = (place: string, name: string) => parameters.some((known) => known.in === place && known.name === name);
  const named = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const schema = requestBody?.content['application/json']?.schema;
  const label = `${method.toUpperCase()} ${template}`;
  return {
    label,
    method,
    template,
    permission: operation['x-permission'],
    workspace: named.includes('workspaceId') ? 'path' : has('header', 'X-Workspace-Id') ? 'header' : 'none',
    bearer: security.some((scheme) => 'bearer' in scheme),
    ids: named.filter((name) => name !== 'workspaceId' && !(name in NO_IDS)),
    isList: has('query', 'limit'),
    hasCursor: has('query', 'cursor'),
    isFile: !('application/json' in (responses['200']?.content ?? { 'application/json': {} })),
    upload: Object.keys(requestBody?.content ?? {}).find((type) => type !== 'application/json'),
    body: schema && {
      fields: resolved(document, schema).properties ?? {},
      plausible: () => given({ ...(plausible(document, schema) as object), ...bodies[label]?.() }),
    },
  };
}

function given(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The schema of an object behind its references. */
function resolved(document: Document, schema: Schema): Schema {
  const [only] = schema.allOf ?? [];
  const reference = schema.$ref ?? only?.$ref;
  if (reference === undefined) return schema;
  return document.components.schemas[reference.replace('#/components/schemas/', '')] ?? schema;
}

/** A value that the schema allows, other each time where it must be unique. */
function plausible(document: Document, given: Schema): unknown {
  const schema = resolved(document, given);
  if (schema.properties) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => [name, plausible(document, property)]),
    );
  }
  if (schema.enum) return schema.enum.at(-1);
  unique += 1;
  if (schema.format === 'email') return `somebody-${unique}@example.com`;
  if (schema.format === 'date-time') return '2099-01-01T00:00:00Z';
  if (schema.type === 'string') return `Plausible ${unique}`;
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1;
  if (schema.type === 'boolean') return false;
  if (schema.type === 'array') return schema.items ? [plausible(document, schema.items)] : [];
  return {};
}
