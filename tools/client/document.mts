export type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The part of an OpenAPI document from which the client is generated. */
export interface ApiDocument {
  paths: Record<string, Partial<Record<HttpMethod, Operation>>>;
  webhooks: Record<string, { post: { requestBody: { content: Content } } }>;
  components: { schemas: Record<string, Schema> };
}

export interface Operation {
  operationId: string;
  summary: string;
  parameters?: { name: string; in: string; required?: boolean }[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
  security?: Record<string, string[]>[];
}

type Content = Record<string, { schema: Schema }>;

interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
}

export interface Route {
  method: HttpMethod;
  path: string;
  summary: string;
  /** Names of the ids in the path, in order. */
  ids: string[];
  hasQuery: boolean;
  queryRequired: boolean;
  body: 'none' | 'optional' | 'required';
  /** Media type of the body. */
  sends: string | undefined;
  /** A page of a list, a whole list, one record, or a file. */
  answer: 'page' | 'list' | 'record' | 'file';
  /** The key is also required as `Authorization: Bearer`. */
  bearer: boolean;
}

const METHODS: readonly HttpMethod[] = ['get', 'post', 'put', 'patch', 'delete'];
const JSON_TYPE = 'application/json';

/** The routes of a document, in order. */
export function listRoutes({ paths, components }: Omit<ApiDocument, 'webhooks'>): Route[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    METHODS.flatMap((method) => {
      const operation = operations[method];
      return operation ? [{ ...toRoute(method, path, operation), body: getBody(method, operation, components) }] : [];
    }),
  );
}

function toRoute(method: HttpMethod, path: string, operation: Operation): Omit<Route, 'body'> {
  const { requestBody, security = [] } = operation;
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  return {
    method,
    path,
    summary: operation.summary,
    ids: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    hasQuery: query.length > 0,
    queryRequired: query.some(({ required }) => required),
    sends: requestBody && Object.keys(requestBody.content)[0],
    answer: getResponseKind(path, operation),
    bearer: security.some((one) => 'bearer' in one),
  };
}

/** An action whose body may be empty can be called without one. */
function getBody(
  method: HttpMethod,
  { requestBody }: Operation,
  { schemas }: ApiDocument['components'],
): Route['body'] {
  const schema = requestBody?.content[JSON_TYPE]?.schema;
  if (!requestBody) return 'none';
  if (method !== 'post' || !schema) return 'required';
  const shape = schema.$ref ? schemas[refName(schema)] : schema;
  return shape?.type === 'object' && (shape.required ?? []).length === 0 ? 'optional' : 'required';
}

function getResponseKind(path: string, operation: Operation): Route['answer'] {
  const content = findSuccess(path, operation).content;
  const schema = content?.[JSON_TYPE]?.schema;
  if (!schema) return 'file';
  if (schema.properties?.['pagination']) return 'page';
  return schema.properties?.['data']?.type === 'array' ? 'list' : 'record';
}

export function findSuccess(path: string, { responses }: Operation): { content?: Content } {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'));
  if (!success) throw new Error(`${path} declares no success response`);
  return success[1];
}

/** The schema names of webhook messages. */
export function webhookMessages({ webhooks }: Pick<ApiDocument, 'webhooks'>): string[] {
  return Object.values(webhooks).map(({ post }) => refName(post.requestBody.content[JSON_TYPE]?.schema ?? {}));
}

function refName({ $ref = '' }: Schema): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}
