import fc from 'fast-check';
import { pickArguments, getRequest } from './request';
import { type Route } from './tool';

const route: Route = {
  method: 'GET',
  path: '/v1/campaigns/{campaignId}/leads/{leadId}',
  places: new Map([
    ['campaignId', 'path'],
    ['leadId', 'path'],
    ['search', 'query'],
    ['limit', 'query'],
    ['tags', 'body'],
  ]),
  hasBody: false,
  fixed: {},
};

const [CAMPAIGN, LEAD] = ['6b02b7001f823208a919770c', '6b02b7001f823208a919770d'];
const ids = { campaignId: CAMPAIGN, leadId: LEAD };

describe('requestOf', () => {
  it('places each argument as the operation defines', () => {
    expect(getRequest(route, { ...ids, search: 'a&b=c d', limit: 5, tags: undefined })).toEqual({
      method: 'GET',
      path: `/v1/campaigns/${CAMPAIGN}/leads/${LEAD}?search=a%26b%3Dc+d&limit=5`,
      body: undefined,
    });
  });

  it('has a body if the operation has one, even an empty one', () => {
    const post = { ...route, method: 'POST', path: '/v1/suppressions', hasBody: true };
    expect(getRequest(post, { tags: ['a', { b: null }] })).toMatchObject({ body: { tags: ['a', { b: null }] } });
    expect(getRequest(post, {})).toMatchObject({ path: '/v1/suppressions', body: {} });
  });

  it('always contains the fixed values, which arguments cannot change', () => {
    const preview = { ...route, path: '/v1/reports/preview', fixed: { format: 'text' } };
    expect(getRequest(preview, { search: 'x' }).path).toBe('/v1/reports/preview?format=text&search=x');
    expect(() => getRequest(preview, { format: 'html' })).toThrow('There is no argument format');
  });

  it.each([
    ['an unknown argument', { ...ids, status: 'active' }, 'There is no argument status'],
    ['a missing id', { campaignId: CAMPAIGN }, 'leadId is missing'],
    ['an empty id', { ...ids, leadId: '' }, 'leadId is not an id'],
    ['another path', { ...ids, leadId: '../../start' }, 'leadId is not an id'],
    ['an encoded path', { ...ids, leadId: '%2e%2e%2fstart' }, 'leadId is not an id'],
    ['the name of another operation', { ...ids, leadId: 'export' }, 'leadId is not an id'],
    ['a line break after an id', { ...ids, leadId: `${LEAD}\n` }, 'leadId is not an id'],
    ['a dot', { ...ids, leadId: '..' }, 'leadId is not an id'],
    ['a query in an id', { ...ids, leadId: `${LEAD}?x=y` }, 'leadId is not an id'],
    ['a list as an id', { ...ids, leadId: [LEAD] }, 'leadId is not a string'],
    ['an object in the query', { ...ids, search: { $ne: 1 } }, 'search is not a string'],
  ])('rejects %s', (_what, given, message) => {
    expect(() => getRequest(route, given)).toThrow(message);
  });

  it.each([LEAD, LEAD.toUpperCase(), 'ev_1763802000000_0123456789ab'])('accepts %s as an id', (leadId) => {
    expect(getRequest(route, { ...ids, leadId }).path).toBe(`/v1/campaigns/${CAMPAIGN}/leads/${leadId}`);
  });

  it('never leaves its operation, for any arguments', () => {
    const nearlyId = fc
      .tuple(fc.string({ unit: 'binary', maxLength: 3 }), fc.constantFrom(LEAD, 'x', ''))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(nearlyId, fc.string({ unit: 'binary' }), (leadId, search) => {
        let path: string;
        try {
          ({ path } = getRequest(route, { ...ids, leadId, search }));
        } catch {
          return;
        }
        const url = new URL(`https://platform.test${path}`);
        expect(url.pathname).toBe(`/v1/campaigns/${CAMPAIGN}/leads/${leadId}`);
        expect([...url.searchParams.keys()]).toEqual(['search']);
        expect(url.hash).toBe('');
      }),
    );
  });
});

describe('argumentsFor', () => {
  it('omits arguments that the other operation does not have', () => {
    expect(pickArguments(route, { campaignId: CAMPAIGN, leads: [] })).toEqual({ campaignId: CAMPAIGN });
  });
});
