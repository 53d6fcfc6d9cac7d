/** @jest-environment node */
import { SwaggerModule } from '@nestjs/swagger';
import { expectFormA, type Platform, startPlatform } from '../harness';

/** Number of serialisations of the document. */
let serialised = 0;

jest.mock('../../apps/api/src/http/openapi', () => {
  const actual = jest.requireActual<{ createOpenApiDocument: (...args: unknown[]) => object }>(
    '../../apps/api/src/http/openapi',
  );
  return {
    ...actual,
    createOpenApiDocument: (...args: unknown[]) => {
      const document = actual.createOpenApiDocument(...args);
      const toJSON = () => ((serialised += 1), document);
      return { ...document, toJSON };
    },
  };
});

describe('the API documentation, which needs no key', () => {
  let platform: Platform;
  const built = jest.spyOn(SwaggerModule, 'createDocument');

  beforeAll(async () => {
    platform = await startPlatform();
  });
  afterAll(() => platform.close());

  it('is built once and serialised once for each of its two forms, however often it is requested', async () => {
    serialised = 0;
    built.mockClear();
    const texts = new Set<string>();
    for (let round = 0; round < 4; round += 1) {
      texts.add((await platform.api.get('/openapi.json').expect(200)).text);
      await platform.api.head('/openapi.json').expect(200);
      await platform.api.get('/docs').expect(200);
      await platform.api.get('/docs/').expect(200);
      await platform.api.get('/docs/swagger-ui-init.js').expect(200);
    }
    expect(texts.size).toBe(1);
    expect([built.mock.calls.length, serialised]).toEqual([1, 2]);
  });

  it('has the headers of a JSON response, and answers HEAD with those of GET', async () => {
    const { headers, text } = await platform.api.get('/openapi.json');
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(text)),
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    const head = await platform.api.head('/openapi.json').expect(200);
    expect(head.text).toBeFalsy();
    const { 'x-request-id': _one, date: _then, ...same } = headers as Record<string, string>;
    expect(head.headers).toMatchObject(same);
  });

  it('answers 304 to a client that has it', async () => {
    const { headers } = await platform.api.get('/openapi.json');
    expect(headers['etag']).toMatch(/^"[\w-]{43}"$/);
    const again = await platform.api.get('/openapi.json').set('If-None-Match', headers['etag']!);
    expect([again.status, again.text]).toEqual([304, '']);
    await platform.api.get('/openapi.json').set('If-None-Match', '"another"').expect(200);
  });

  it.each(['/docs-yaml', '/docs-json', '/openapi.yaml', '/docs/reference/openapi.json'])(
    'is unavailable at %s',
    async (path) => {
      expectFormA(await platform.api.get(path), 404);
    },
  );

  it('accepts no other method', async () => {
    const response = await platform.api.post('/openapi.json').send({});
    expectFormA(response, 405);
    expect(response.headers['allow']).toContain('GET');
  });
});
