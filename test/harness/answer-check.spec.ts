import { AnswerCheck, type ApiDocument, type Exchange } from './answer-check';

const schema = { $ref: '#/components/schemas/Answer' };
const refusal = { content: { 'application/json': { schema: { $ref: '#/components/schemas/HttpErrorBody' } } } };
const text = { type: 'string' };

const DOCUMENT: ApiDocument = {
  paths: {
    '/v1/things/{thingId}': {
      get: { responses: { 200: { content: { 'application/json': { schema } } }, '4XX': refusal } },
      put: {
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Body' } } } },
        responses: { 202: { content: { 'application/json': { schema } } } },
      },
    },
    '/v1/things/{thingId}/file': {
      get: { responses: { 200: { content: { '*/*': { schema: { type: 'string', format: 'binary' } } } } } },
    },
  },
  components: {
    schemas: {
      Answer: {
        type: 'object',
        required: ['data'],
        properties: { data: { anyOf: [{ $ref: '#/components/schemas/Thing' }, { type: 'null' }] }, page: text },
      },
      Thing: {
        type: 'object',
        required: ['at', 'sizes'],
        properties: {
          at: { type: 'string', format: 'date-time' },
          sizes: { type: 'array', items: { type: 'object', properties: { mm: { type: 'integer' } } } },
          free: { type: 'object', additionalProperties: true },
        },
      },
      Body: { type: 'object', required: ['email'], properties: { email: { type: 'string', format: 'email' } } },
      HttpErrorBody: {
        type: 'object',
        required: ['error', 'message', 'code'],
        properties: { error: text, message: text, code: { type: 'integer' } },
      },
    },
  },
};

const AT = '2026-11-22T09:00:00.000Z';
const THING = { data: { at: AT, sizes: [{ mm: 1 }], free: { any: 'thing' } } };
const NOT_FOUND = { error: 'Not Found', message: 'Thing not found', code: 404 };

function exchange({
  answer = THING,
  ...more
}: Partial<Omit<Exchange, 'answer'>> & { answer?: unknown } = {}): Exchange {
  return {
    method: 'GET',
    route: '/v1/things/{thingId}',
    path: '/v1/things/1',
    status: 200,
    contentType: 'application/json; charset=utf-8',
    sent: undefined,
    ...more,
    answer: typeof answer === 'string' ? answer : JSON.stringify(answer),
  };
}

describe('the check of responses', () => {
  const check = new AnswerCheck(DOCUMENT);

  it.each<[string, Parameters<typeof exchange>[0]]>([
    ['a documented response', {}],
    ['an allowed null', { answer: { data: null } }],
    ['a refusal of a documented class', { status: 404, answer: NOT_FOUND }],
    ['HEAD for a readable route', { method: 'HEAD', answer: '' }],
    ['a file of any type', { route: '/v1/things/{thingId}/file', contentType: 'image/png', answer: '' }],
    ['a file that is JSON', { route: '/v1/things/{thingId}/file', answer: { any: 'thing' } }],
    ['a documented body', { method: 'PUT', status: 202, sent: { email: ' ada@example.com ' } }],
    ['a refused body of any kind', { method: 'GET', status: 400, answer: NOT_FOUND, sent: { x: 1 } }],
    ['a refusal without a route', { route: null, status: 404, answer: NOT_FOUND }],
    ['a page outside the API', { route: '/o/{token}', path: '/o/1', contentType: 'image/gif', answer: '' }],
    ['a page at an unknown address', { route: null, path: '/docs', contentType: 'text/html', answer: '' }],
  ])('accepts %s', (_what, given) => {
    expect(check.violations(exchange(given))).toEqual([]);
  });

  const thing = (change: object) => ({ answer: { data: { ...THING.data, ...change } } });

  it.each<[string, Parameters<typeof exchange>[0], RegExp]>([
    ['an additional field', thing({ secret: 1 }), /200: \/data must NOT have additional properties .*"secret"/],
    [
      'an additional field in a list',
      thing({ sizes: [{ cm: 1 }] }),
      /\/data\/sizes\/0 must NOT have additional .*"cm"/,
    ],
    ['a missing field', thing({ at: undefined }), /\/data must have required property 'at'/],
    ['another type', thing({ sizes: [{ mm: 1.5 }] }), /\/data\/sizes\/0\/mm must be integer/],
    ['a forbidden null', thing({ sizes: null }), /\/data\/sizes must be array/],
    ['a time without milliseconds', thing({ at: '2026-11-22T09:00:00Z' }), /\/data\/at must match format "date-time"/],
    ['a field beside the data', { answer: { ...THING, trace: 'x' } }, /\/ must NOT have additional .*"trace"/],
    ['a body that is not JSON', { answer: '<html>' }, /\/ must be object/],
    ['another type of content', { contentType: 'text/html' }, /the document has no text\/html here/],
    ['no type of content', { contentType: '' }, /the document has no answer without a type here/],
    ['a status', { status: 201 }, /GET \/v1\/things\/\{thingId\} 201: the document has no such status/],
    ['a refusal in another form', { status: 404, answer: { success: false } }, /404: \/ must have required .*'error'/],
    ['a route', { route: '/v1/others', path: '/v1/others' }, /GET \/v1\/others 200: the document has no such route/],
    ['a method', { method: 'DELETE' }, /DELETE .*: the document has no such route/],
    [
      'a body field that the document lacks',
      { method: 'PUT', status: 202, sent: { email: 'ada@example.com', admin: true } },
      /PUT .* 202, accepted body: \/ must NOT have additional properties .*"admin"/,
    ],
    ['a success without a route', { route: null }, /GET without a route 200: application\/json.* is no refusal/],
    ['a page without a route', { route: null, status: 404, contentType: 'text/html' }, /404: text\/html is no refusal/],
    [
      'another form without a route',
      { route: null, status: 404, answer: { success: false } },
      /GET without a route 404: \/ must have required property 'error'/,
    ],
  ])('reports %s', (_what, given, violation) => {
    expect(check.violations(exchange(given))).toContainEqual(expect.stringMatching(violation));
  });
});
