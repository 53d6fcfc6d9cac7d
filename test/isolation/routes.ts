import { type ApiClient } from '@testing';
import { type Bodies } from './bodies';

/** A schema of the OpenAPI document without references, as far as requests use it. */
export interface Schema {
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
}

interface Written extends Schema {
  $ref?: string;
  allOf?: Written[];
}

interface Operation {
  security?: Record<string, unknown>[];
  parameters?: { name: string; in: string; schema?: Written }[];
  requestBody?: { content: Record<string, { schema: Written }> };
  responses?: Record<string, { content?: Record<string, unknown> }>;
  'x-permission': string;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Written> };
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** An operation of the API, as in /openapi.json: each new one is tested automatically. */
export interface Route {
  label: string;
  method: Method;
  /** With `{parameters}`. */
  template: string;
  permission: string;
  /** Where the request names the workspace. */
  workspace: 'path' | 'header' | 'none';
  bearer: boolean;
  /** Path parameters other than the workspace. */
  ids: string[];
  query: Record<string, Schema>;
  isList: boolean;
  /** A list in pages by cursor; other lists have numbered pages. */
  hasCursor: boolean;
  /** It answers a file instead of JSON. */
  isFile: boolean;
  /** The Content-Type of the file that it accepts instead of a JSON body; undefined for any other. */
  upload: string | undefined;
  /** The fields of its body, and a valid body; undefined for an operation without one. */
  body: { fields: Record<string, Schema>; plausible: () => Record<string, unknown> } | undefined;
}

/** Path parameters that name no record, and a valid value of each. */
export const NO_IDS: Readonly<Record<string, string>> = { provider: 'google', type: 'hubspot', attachmentIndex: '0' };

let unique = 0;

/** Every operation that the running API describes. `bodies`: details that its schema does not define. */
export async function describedRoutes(api: ApiClient, bodies: Bodies): Promise<Route[]> {
  const document = (await api.get('/openapi.json')).body as Document;
  return Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      getRoute(document, template, method as Method, operation, bodies),
    ),
  );
}

function getRoute(document: Document, template: string, method: Method, operation: Operation, bodies: Bodies): Route {
  const { parameters = [], security = [], requestBody, responses = {} } = operation;
  const has = (place: string, name: string) => parameters.some((known) => known.in === place && known.name === name);
  const named = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const written = requestBody?.content['application/json']?.schema;
  const schema = written && resolved(document, written);
  const label = `${method.toUpperCase()} ${template}`;
  const query = parameters.filter((parameter) => parameter.in === 'query');
  return {
    label,
    method,
    template,
    permission: operation['x-permission'],
    workspace: named.includes('workspaceId') ? 'path' : has('header', 'X-Workspace-Id') ? 'header' : 'none',
    bearer: security.some((scheme) => 'bearer' in scheme),
    ids: named.filter((name) => name !== 'workspaceId' && !(name in NO_IDS)),
    query: Object.fromEntries(query.map(({ name, schema }) => [name, resolved(document, schema ?? {})])),
    isList: has('query', 'limit'),
    hasCursor: has('query', 'cursor'),
    isFile: !('application/json' in (responses['200']?.content ?? { 'application/json': {} })),
    upload: Object.keys(requestBody?.content ?? {}).find((type) => type !== 'application/json'),
    body: schema && {
      fields: schema.properties ?? {},
      plausible: () => given({ ...(plausible(schema) as object), ...bodies[label]?.() }),
    },
  };
}

function given(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The schema with all references resolved. */
function resolved(document: Document, schema: Written): Schema {
  const [only] = schema.allOf ?? [];
  const reference = schema.$ref ?? only?.$ref;
  const target = reference && document.components.schemas[reference.replace('#/components/schemas/', '')];
  if (target) return resolved(document, target);
  const { properties, items, additionalProperties } = schema;
  const inner = Object.entries(properties ?? {}).map(([name, property]) => [name, resolved(document, property)]);
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(inner) as Record<string, Schema> }),
    ...(items && { items: resolved(document, items) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: resolved(document, additionalProperties),
    }),
  };
}

/** A value that the schema allows, a new one each time if it must be unique. */
export function plausible(schema: Schema): unknown {
  if (schema.properties) {
    return Object.fromEntries(Object.entries(schema.properties).map(([name, property]) => [name, plausible(property)]));
  }
  if (schema.enum) return schema.enum.findLast((value) => value !== null);
  unique += 1;
  const [type] = [schema.type].flat();
  if (schema.format === 'email') return `person-${unique}@example.com`;
  if (schema.format === 'date-time') return '2099-01-01T00:00:00Z';
  if (type === 'string') return `Plausible ${unique}`;
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return false;
  if (type === 'array') return schema.items ? [plausible(schema.items)] : [];
  return {};
}
