import type { Route } from './document.mts';
import { type ApiDocument, type Operation, listRoutes, findSuccess, webhookMessages } from './document.mts';
import { listNames } from './names.mts';

/**
 * Returns the document for the generator of types. Operations have the names of the client. Headers and errors are left
 * out, because the client handles them.
 */
export function documentForTypes(document: ApiDocument): object {
  const { webhooks: _webhooks, ...rest } = document;
  const paths: Record<string, Record<string, object>> = {};
  for (const [{ method, path }, name] of listNames(listRoutes(document))) {
    const operation = document.paths[path]?.[method] as Operation;
    const parameters = (operation.parameters ?? []).filter(({ in: place }) => place !== 'header');
    const responses = { '200': findSuccess(path, operation) };
    paths[path] = { ...paths[path], [method]: { ...operation, operationId: typeName(name), parameters, responses } };
  }
  return { ...rest, paths };
}

/** Source of `operations.gen.ts`: one function for each route, in groups. */
export function operationsSource(document: ApiDocument, errorCodes: readonly string[]): string {
  const entries = [...listNames(listRoutes(document))].map(([route, name]) => ({ route, name }));
  return [
    '// Made by `npm run generate` from docs/reference/openapi.json.',
    "import type { Call, CallOptions, Listing } from '../call-types.ts';",
    "import type * as api from './types.gen.ts';",
    '',
    '/** All operations of the API by path: `POST /v1/campaigns/{id}/start` is `campaigns.start(id)`. */',
    'export function operations(call: Call) {',
    `  return ${groupSource(entries, 0, '  ')};`,
    '}',
    '',
    '/** The messages of webhooks. */',
    `export type WebhookMessage = ${webhookMessages(document)
      .map((name) => `api.${name}`)
      .join(' | ')};`,
    '',
    '/** The codes of errors, docs/reference/errors.md. */',
    `export type ErrorCode = ${errorCodes.map((code) => `'${code}'`).join(' | ')};`,
    '',
  ].join('\n');
}

/** The codes of the table in docs/reference/errors.md. */
export function listErrorCodes(page: string): string[] {
  return [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code = '']) => code);
}

interface Entry {
  route: Route;
  name: string[];
}

function groupSource(entries: readonly Entry[], depth: number, indent: string): string {
  const words = new Set(entries.map(({ name }) => name[depth] ?? ''));
  const inner = `${indent}  `;
  const members = [...words].map((word) => {
    const own = entries.filter(({ name }) => name[depth] === word);
    const [first] = own;
    if (!first || own.length > 1 || first.name.length > depth + 1) {
      return `${inner}${word}: ${groupSource(own, depth + 1, inner)},`;
    }
    return methodSource(first, word, inner);
  });
  return `{\n${members.join('\n')}\n${indent}}`;
}

function methodSource({ route, name }: Entry, word: string, indent: string): string {
  const { kind, type } = answerSource(route, typeName(name));
  const lines = [
    `/** ${route.summary} \`${route.method.toUpperCase()} ${route.path}\` */`,
    `${word}: (${parametersSource(route, typeName(name)).join(', ')}): ${type} =>`,
    `  call.${kind}(${requestSource(route)}, options),`,
  ];
  return lines.map((line) => `${indent}${line}`).join('\n');
}

/** Ids in the order of the path, then the body, then the query. */
function parametersSource({ ids, body, sends, hasQuery, queryRequired }: Route, type: string): string[] {
  const data = `api.${type}Input`;
  const sent = sends === 'application/json' ? `${data}['body']` : 'Blob | string';
  return [
    ...ids.map((id) => `${id}: ${data}['path']['${id}']`),
    ...(body === 'none' ? [] : [body === 'optional' ? `body: ${sent} = {}` : `body: ${sent}`]),
    ...(hasQuery ? [queryRequired ? `query: ${data}['query']` : `query?: ${data}['query']`] : []),
    'options?: CallOptions',
  ];
}

function answerSource({ answer }: Route, type: string): { kind: string; type: string } {
  const response = `api.${type}Answer`;
  if (answer === 'page') return { kind: 'list', type: `Listing<${response}>` };
  if (answer === 'file') return { kind: 'file', type: 'Promise<Response>' };
  return { kind: 'data', type: `Promise<${response}['data']>` };
}

function requestSource({ method, path, ids, body, sends, hasQuery, bearer }: Route): string {
  const parts = [
    `method: '${method.toUpperCase()}'`,
    `path: '${path}'`,
    ...(ids.length > 0 ? [`ids: { ${ids.join(', ')} }`] : []),
    ...(body === 'none' ? [] : ['body', `sends: '${sends}'`]),
    ...(hasQuery ? ['query'] : []),
    ...(bearer ? ['bearer: true'] : []),
  ];
  return `{ ${parts.join(', ')} }`;
}

/** `campaigns.leads.list` is CampaignsLeadsList, as the generator of types spells it. */
function typeName(name: readonly string[]): string {
  return name.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
