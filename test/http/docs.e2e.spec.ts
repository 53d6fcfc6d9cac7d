import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENT_TYPES, type JsonSchema } from '@domain/events';
import { getViolations } from '../../libs/domain/events/testing';
import { type Platform, sharedPlatform } from '../harness';

interface Reference {
  $ref: string;
}

interface Operation {
  operationId: string;
  summary?: string;
  security?: unknown[];
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: unknown; examples?: Record<string, unknown> }> };
  responses: Record<string, { content?: Record<string, { schema: unknown }> }>;
  'x-permission'?: string;
}

interface Document {
  openapi: string;
  webhooks: Record<string, { post: Omit<Operation, 'parameters'> & { parameters: { $ref: string }[] } }>;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { properties?: Record<string, unknown>; required?: string[] }> };
}

/** All values of `$ref`, at any depth. */
function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    name === '$ref' && typeof inner === 'string' ? [inner] : referencesIn(inner),
  );
}

/** The target of a reference within the document (RFC 6901); undefined if it has none. */
function found(document: Document, reference: string): unknown {
  const [root, ...names] = reference.split('/').map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (root !== '#') return undefined;
  return names.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined,
    document,
  );
}

describe('the API documentation', () => {
  let platform: Platform;
  let document: Document;

  beforeAll(async () => {
    platform = await sharedPlatform();
    document = (await platform.api.get('/openapi.json')).body as Document;
  });
  afterAll(() => platform.close());

  it('is OpenAPI 3.1 at /openapi.json, equal to the file in the repository', () => {
    expect(document.openapi).toBe('3.1.0');
    const golden = JSON.parse(readFileSync(join(__dirname, '../../docs/reference/openapi.json'), 'utf8')) as Document;
    expect(document.paths).toEqual(golden.paths);
    expect(document.components).toEqual(golden.components);
    expect(document.webhooks).toEqual(golden.webhooks);
  });

  it('can be browsed at /docs, with scripts from its own host only', async () => {
    const page = await platform.api.get('/docs');
    expect(page.status).toBe(200);
    expect(page.text).toContain('swagger-ui');
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    for (const [, script] of page.text.matchAll(/<script src="\.?\/?([^"]+)"/g)) {
      expect(
        (await platform.api.get(`/${script!.startsWith('docs') ? '' : 'docs/'}${script!.replace(/^docs\//, 'docs/')}`))
          .status,
      ).toBe(200);
    }
  });

  it('describes every operation: its purpose, its callers and its responses', () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, ...operation })),
    );
    expect(operations.length).toBeGreaterThan(15);
    const incomplete = operations.filter(
      ({ summary, 'x-permission': permission, responses }) =>
        !summary || !permission || !Object.keys(responses).some((status) => status.startsWith('2')),
    );
    expect(incomplete.map(({ name }) => name)).toEqual([]);
  });

  it('names every operation once', () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(ids.filter((id, at) => !id || ids.indexOf(id) !== at)).toEqual([]);
  });

  it('resolves every reference', () => {
    const references = [...new Set(referencesIn(document))];
    expect(references.length).toBeGreaterThan(30);
    expect(references.filter((reference) => found(document, reference) === undefined)).toEqual([]);
  });

  it('shows a body for every mailbox route that has one', () => {
    const bodies = Object.entries(document.paths)
      .filter(([path]) => path.startsWith('/v1/mailboxes'))
      .flatMap(([, methods]) =>
        Object.values(methods).flatMap(({ requestBody }) => (requestBody ? [requestBody.content] : [])),
      );
    expect(bodies.length).toBeGreaterThanOrEqual(5);
    for (const { 'application/json': body } of bodies) {
      expect(body!.schema).toEqual({ $ref: expect.stringMatching(/Request$/) as unknown });
      expect(Object.keys(body!.examples ?? {})).not.toEqual([]);
    }
  });

  it('describes webhooks: the body of each type, the headers, and the meaning of responses', () => {
    expect(Object.keys(document.webhooks)).toEqual(EVENT_TYPES);
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      const { schema, example } = post.requestBody!.content['application/json'] as {
        schema: Reference;
        example: unknown;
      };
      expect(getViolations(found(document, schema.$ref) as JsonSchema, example)).toEqual([]);
      expect(example).toMatchObject({ type });
      const headers = post.parameters.map(({ $ref }) => (found(document, $ref) as { name: string }).name);
      expect(headers).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
      expect(Object.keys(post.responses).toSorted()).toEqual(['2XX', '3XX', '410', '429', '503', 'default']);
      expect(post.security).toEqual([]);
    }
  });

  it('has exactly the contract’s fields of a workspace and of a member', () => {
    const { WorkspaceResponse, MemberResponse } = document.components.schemas;
    const contract = ['id', 'name', 'ownerId', 'members', 'settings', 'limits', 'createdAt'];
    expect(Object.keys(WorkspaceResponse!.properties!)).toEqual(contract);
    expect(WorkspaceResponse!.required).toEqual(contract);
    expect(Object.keys(MemberResponse!.properties!)).toEqual(['userId', 'name', 'email', 'role', 'joinedAt']);
  });
});
