import type { Route } from './document.mts';
import { listNames } from './names.mts';

function route(text: string, answer: Route['answer'] = 'record'): Route {
  const [method = '', path = ''] = text.split(' ');
  const rest = { summary: '', ids: [], hasQuery: false, queryRequired: false, sends: undefined, bearer: false };
  return { method: method.toLowerCase() as Route['method'], path, answer, body: 'none', ...rest };
}

const SURFACE = [
  ['GET /v1/campaigns', 'campaigns.list'],
  ['POST /v1/campaigns', 'campaigns.create'],
  ['GET /v1/campaigns/{id}', 'campaigns.get'],
  ['PATCH /v1/campaigns/{id}', 'campaigns.update'],
  ['DELETE /v1/campaigns/{id}', 'campaigns.delete'],
  ['POST /v1/campaigns/{id}/test-email', 'campaigns.testEmail'],
  ['GET /v1/campaigns/{id}/sequence', 'campaigns.sequence.get'],
  ['PUT /v1/campaigns/{id}/sequence', 'campaigns.sequence.set'],
  ['GET /v1/campaigns/{id}/leads/{leadId}', 'campaigns.leads.get'],
  ['POST /v1/campaigns/{id}/leads/import', 'campaigns.leads.import'],
  ['GET /v1/campaigns/{id}/leads/{leadId}/explain', 'campaigns.leads.explain'],
  ['GET /v1/api-keys', 'apiKeys.get'],
  ['POST /v1/api-keys/{id}/rotate', 'apiKeys.rotate'],
  ['GET /v1/mailboxes/{id}/health', 'mailboxes.health.get'],
  ['GET /v1/mailboxes/{id}/health/history', 'mailboxes.health.history'],
  ['POST /v1/mailboxes/oauth/{provider}', 'mailboxes.oauth.create'],
] as const;

it('a client method is named by its path', () => {
  const routes = SURFACE.map(([text]) => route(text));
  const names = [...listNames(routes)].map(([{ method, path }, name]) => [
    `${method.toUpperCase()} ${path}`,
    name.join('.'),
  ]);
  expect(names).toEqual(SURFACE);
});

it.each(['page', 'list'] as const)(
  'a route that returns a %s is named list, even without a route for a single record',
  (answer) => {
    const audit = route('GET /v1/audit', answer);
    expect(listNames([audit]).get(audit)).toEqual(['audit', 'list']);
  },
);

it('two routes with the same name are rejected', () => {
  const routes = [
    route('GET /v1/campaigns/{id}'),
    route('GET /v1/campaigns/{id}/leads/{leadId}'),
    route('GET /campaigns/{id}'),
  ];
  expect(() => listNames(routes)).toThrow('GET /campaigns/{id} and GET /v1/campaigns/{id} would both be campaigns.get');
});
