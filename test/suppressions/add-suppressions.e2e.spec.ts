import { HookRegistry } from '@platform/hooks';
import { addListener } from '@testing';
import { SUPPRESSION_HOOKS } from '@domain/suppressions';
import { expectFormA, expectFormB, type Platform, type SeededWorkspace, startPlatform } from '../harness';
import { auditedActions, dataOf, ID, ISO, newMember } from '../workspaces/people';

const PATH = '/v1/suppressions';

interface Suppression {
  _id: string;
  kind: string;
  value: string;
}

describe('POST /v1/suppressions', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  /** The suppressions of the workspace when the side effects began, and whether they are complete. */
  let effect: { listed: string[]; over: boolean; failure: Error | null };

  beforeAll(async () => {
    platform = await startPlatform();
    addListener(platform.app.get(HookRegistry, { strict: false }), SUPPRESSION_HOOKS, {
      suppressed: async () => {
        effect.listed = await values();
        if (effect.failure) throw effect.failure;
        effect.over = true;
      },
    });
  });
  beforeEach(() => {
    effect = { listed: [], over: false, failure: null };
  });
  afterAll(() => platform.close());
  const anotherWorkspace = async () => {
    workspace = await platform.seed.workspace();
  };

  const add = (body: object, key = workspace.key) => platform.api.as(key).post(PATH).send(body);
  const listed = async () =>
    dataOf<Suppression[]>(await platform.api.as(workspace.key).get(`${PATH}?limit=100`)).toReversed();
  const values = async () => (await listed()).map(({ value }) => value);
  const addresses = (count: number) => Array.from({ length: count }, (_, index) => `a${index}@example.com`);

  describe('with a valid request', () => {
    beforeEach(anotherWorkspace);

    it('adds addresses and domains in their normal form, with all documented fields', async () => {
      const body = { addresses: [' Ada@Example.COM'], domains: ['@Bücher.example'], reason: ' asked by phone ' };
      const response = await add(body, workspace.owner.key).expect(201);
      expect(response.body).toEqual({ success: true, data: { added: 2, existing: 0 } });
      const { userId } = workspace.owner;
      const common = {
        _id: ID,
        source: 'manual',
        reason: 'asked by phone',
        createdBy: { kind: 'user', userId, keyId: ID },
        createdAt: ISO,
      };
      expect(await listed()).toEqual([
        { ...common, kind: 'address', value: 'ada@example.com' },
        { ...common, kind: 'domain', value: 'xn--bcher-kva.example' },
      ]);
      expect(await auditedActions(platform, workspace)).toContain('suppressions.added');
    });

    it('leaves existing entries unchanged', async () => {
      await add({ addresses: ['ada@example.com'], reason: 'first' }).expect(201);
      const again = await add({
        addresses: ['ADA@example.com', 'bob@example.com', 'bob@example.com'],
        reason: 'second',
      });
      expect(dataOf(again)).toEqual({ added: 1, existing: 2 });
      expect(await listed()).toMatchObject([
        { value: 'ada@example.com', reason: 'first' },
        { value: 'bob@example.com', reason: 'second' },
      ]);
    });

    it('answers after its side effects, which see the new entries', async () => {
      await add({ domains: ['example.org'] }).expect(201);
      expect(effect).toEqual({ listed: ['example.org'], over: true, failure: null });
    });

    it('is not acknowledged when its side effects fail, and a repetition completes them', async () => {
      effect.failure = new Error('no');
      expect((await add({ domains: ['example.org'] })).status).toBe(500);
      effect.failure = null;
      expect(dataOf(await add({ domains: ['example.org'] }))).toEqual({ added: 0, existing: 1 });
      expect(effect.over).toBe(true);
    });

    it('accepts 1000 entries of both kinds together, and not one more', async () => {
      const domains = ['example.org', 'example.net'];
      expect(dataOf(await add({ addresses: addresses(998), domains }))).toEqual({ added: 1000, existing: 0 });
      const before = (await platform.api.as(workspace.key).get(`${PATH}?limit=1`)).body as object;
      expectFormB(await add({ addresses: addresses(999), domains }), 400, 'VALIDATION_ERROR', 'addresses');
      expectFormB(await add({ addresses: addresses(1001) }), 400, 'VALIDATION_ERROR', 'addresses');
      expectFormB(await add({ domains: addresses(1001) }), 400, 'VALIDATION_ERROR', 'domains');
      expect((await platform.api.as(workspace.key).get(`${PATH}?limit=1`)).body).toEqual(before);
    });
  });

  describe('with an invalid request', () => {
    beforeAll(anotherWorkspace);

    it('stores nothing when one entry is invalid, and names each invalid entry', async () => {
      const body = {
        addresses: ['ada@example.com', 'ada', 'Ada <ada@example.com>'],
        domains: ['example.org', '*.example.org'],
      };
      expectFormB(await add(body), 400, 'VALIDATION_ERROR', 'addresses.1', 'addresses.2', 'domains.1');
      expect(await values()).toEqual([]);
      expect(effect.over).toBe(false);
    });

    it.each<[string, object]>([
      ['addresses', {}],
      ['addresses', { addresses: [] }],
      ['addresses', { addresses: [], domains: [] }],
      ['addresses', { reason: 'none' }],
      ['addresses', { addresses: 'ada@example.com' }],
      ['addresses', { addresses: null }],
      ['addresses', { addresses: [5] }],
      ['addresses', { addresses: [null] }],
      ['addresses', { addresses: [['ada@example.com']] }],
      ['addresses', { addresses: { 0: 'ada@example.com', length: 1 } }],
      ['addresses', { addresses: [`${'x'.repeat(1001)}@example.com`] }],
      ['addresses.0', { addresses: [''] }],
      ['addresses.0', { addresses: ['ada@localhost'] }],
      ['addresses.0', { addresses: ['ada@example.com\r\nBcc: bob@example.com'] }],
      ['domains', { domains: 'example.org' }],
      ['domains', { domains: [{ $ne: '' }] }],
      ['domains.0', { domains: ['org'] }],
      ['domains.0', { domains: ['ada@example.com'] }],
      ['domains.0', { domains: ['https://example.org/'] }],
      ['reason', { addresses: ['ada@example.com'], reason: '' }],
      ['reason', { addresses: ['ada@example.com'], reason: 'x'.repeat(501) }],
      ['reason', { addresses: ['ada@example.com'], reason: null }],
      ['source', { addresses: ['ada@example.com'], source: 'crm' }],
      ['emails', { addresses: ['ada@example.com'], emails: [] }],
    ])('refuses an invalid %s: %j', async (field, body) => {
      expectFormB(await add(body), 400, 'VALIDATION_ERROR', field);
      expect(effect).toEqual({ listed: [], over: false, failure: null });
    });

    it('has stored nothing by any of these', async () => {
      expect(await values()).toEqual([]);
    });

    it('accepts members, and rejects a read-only key and a stranger', async () => {
      const member = await newMember(platform, workspace);
      const as = (key: string) =>
        platform.api
          .as(key)
          .in(workspace.workspaceId)
          .post(PATH)
          .send({ domains: ['example.org'] });
      const stranger = await platform.seed.workspace();
      const readOnly = await platform.seed.workspaceKey(workspace.workspaceId, ['read']);
      for (const key of [readOnly, stranger.key, stranger.owner.key]) expectFormA(await as(key), 403);
      expect(await values()).toEqual([]);
      await as(member.key).expect(201);
    });
  });
});
