import { OutboundHttpClient } from '@platform/outbound';
import { CLOSE_FAILURES, CloseServer } from '../testing/close-server';
import { CloseDriver } from './close.driver';
import { CLOSE } from './close.errors';

describe('the driver of Close', () => {
  let server: CloseServer;
  let http: OutboundHttpClient;
  beforeEach(async () => {
    server = await new CloseServer().listen();
    http = new OutboundHttpClient({ allowPrivate: true });
  });
  afterEach(async () => {
    await http.onModuleDestroy();
    await server.close();
  });

  const open = (kind: 'key' | 'token' = 'key') =>
    new CloseDriver({ http, timeoutMs: 20_000, now: () => new Date() }).open({
      type: 'close',
      baseUrl: server.baseUrl,
      auth: kind === 'key' ? { kind, key: 'canary-token' } : { kind, token: () => Promise.resolve('canary-token') },
    });
  const pullAll = async (session = open()) => {
    const ids: string[] = [];
    for (let cursor: string | null = null; ;) {
      const page = await session.pull({ filter: {}, fields: [], cursor });
      ids.push(...page.people.map(({ externalId }) => externalId));
      // A cursor of Close ends after thirty seconds; ours must not.
      server.passes(60_000);
      ({ cursor } = page);
      if (cursor === null) return ids;
    }
  };

  it('stops an endless search', async () => {
    const page = { status: 200, body: { data: [], cursor: 'again' } };
    server.next(...Array.from({ length: 60 }, () => page));
    await expect(open().find(['a@example.com'], [])).rejects.toMatchObject({ reason: 'protocol' });
    expect(server.count).toBe(51);
  });

  it('sends a key as the user name and a token as a bearer token', async () => {
    await open().identity();
    await open('token').identity();
    const key = `Basic ${Buffer.from('canary-token:').toString('base64')}`;
    expect(server.asked.map(({ headers }) => headers.authorization)).toEqual([key, 'Bearer canary-token']);
  });

  it('returns the parts of a name, the company and the custom fields of the account', async () => {
    const fields = new Map((await open().fields()).map((field) => [field.name, field]));
    expect(fields.get('first_name')).toMatchObject({ type: 'text', isWritable: true });
    expect(fields.get('lead_name')).toMatchObject({ isWritable: false });
    expect(fields.get('custom.cf_tier')).toMatchObject({ type: 'choice', options: ['gold', 'silver'], isCustom: true });
  });

  it.each([
    ['Ada', 'Ada', null],
    ['Ada Lovelace', 'Ada', 'Lovelace'],
    ['  Ada  King Lovelace ', 'Ada', 'King Lovelace'],
    ['', null, null],
  ])('splits %j into %j and %j', async (name, first, last) => {
    const { id } = server.store.add({ fields: { name } });
    const [person] = await open().read([id], ['first_name', 'last_name']);
    expect(person?.fields).toEqual({ first_name: first, last_name: last });
  });

  it('changes half of a name and the first phone, and keeps the other values', async () => {
    const phones = [
      { phone: '+1', type: 'mobile' },
      { phone: '+2', type: 'home' },
    ];
    const { id } = server.store.add({ emails: ['a@example.com'], fields: { name: 'Ada Lovelace', phones } });
    const change = { key: 'k', externalId: id, email: 'a@example.com' };
    await open().write([{ ...change, fields: { last_name: 'King', phone: '+3' } }]);
    expect(server.store.get(id)?.fields).toMatchObject({
      name: 'Ada King',
      phones: [
        { phone: '+3', type: 'mobile' },
        { phone: '+2', type: 'home' },
      ],
    });
    await open().write([{ ...change, fields: { phone: null, first_name: 'Zoë', last_name: 'X' } }]);
    expect(server.store.get(id)?.fields).toMatchObject({ name: 'Zoë X', phones: [{ phone: '+2', type: 'home' }] });
  });

  it('reads the contact before a change only when the change needs stored values', async () => {
    const { id } = server.store.add({ emails: ['a@example.com'], fields: { name: 'Ada' } });
    const session = open();
    const change = { key: 'k', externalId: id, email: 'a@example.com' };
    await session.write([{ ...change, fields: { first_name: 'A', last_name: 'B', title: 'CEO' } }]);
    expect(session.requests).toBe(1);
    await session.write([{ ...change, fields: { first_name: 'A' } }]);
    expect(session.requests).toBe(3);
  });

  it('does not write the company name of a person, and writes nothing to an invalid id', async () => {
    const base = { email: 'a@example.com', externalId: null };
    const written = await open().write([
      { ...base, key: 'company', fields: { lead_name: 'Acme' } },
      { ...base, key: 'nobody', externalId: '../lead/lead_1', fields: { title: 'x' } },
      { ...base, key: 'custom', fields: { 'custom.cf_gone': 'x' } },
    ]);
    expect(written).toMatchObject([
      { kind: 'refused', reason: 'invalid', field: 'lead_name' },
      { kind: 'refused', reason: 'gone' },
      { kind: 'refused', reason: 'unknown_field', field: 'custom.cf_gone' },
    ]);
    expect(server.store.size).toBe(0);
  });

  it('returns companies with one more request per page', async () => {
    for (let n = 0; n < 30; n += 1) server.store.add({ fields: { name: `P${n}`, lead_name: `Company ${n % 3}` } });
    const session = open();
    const { people } = await session.pull({ filter: {}, fields: ['lead_name'], cursor: null });
    expect(people.map(({ fields }) => fields['lead_name'])).toEqual(
      Array.from({ length: 30 }, (_, n) => `Company ${n % 3}`),
    );
    expect(session.requests).toBe(2);
    const [read] = await open().read([people[4]?.externalId ?? ''], ['lead_name']);
    expect(read?.fields).toEqual({ lead_name: 'Company 1' });
  });

  it('filters fields that the API cannot search, and requests choices by their names', async () => {
    server.store.add({ fields: { name: 'Ada Lovelace', 'custom.cf_tier': 'gold', lead_name: 'Acme' } });
    server.store.add({ fields: { name: 'Ada King', 'custom.cf_tier': 'silver', lead_name: 'Acme' } });
    const names = async (fields: Record<string, string[]>) => {
      const { people } = await open().pull({ filter: { fields }, fields: ['name'], cursor: null });
      return people.map((person) => person.fields['name']);
    };
    expect(await names({ last_name: ['lovelace'] })).toEqual(['Ada Lovelace']);
    expect(await names({ 'custom.cf_tier': ['silver'] })).toEqual(['Ada King']);
    expect(await names({ lead_name: ['acme'], first_name: ['Ada'] })).toEqual(['Ada Lovelace', 'Ada King']);
  });

  it('continues after cursors of Close have expired, and past many people with one creation time', async () => {
    const at = server.store.tick();
    jest.spyOn(server.store, 'tick').mockReturnValue(at);
    server.store.fill(450);
    jest.restoreAllMocks();
    server.passes(1_000);
    server.store.fill(250);
    server.passes(1_000);
    const ids = await pullAll();
    expect(new Set(ids).size).toBe(700);
    expect(ids.length).toBe(700);
  });

  it('pulls ten thousand people without exceeding the result limit of a query', async () => {
    server.store.fill(10_100);
    server.passes(1_000);
    const session = open();
    expect(new Set(await pullAll(session)).size).toBe(10_100);
    expect(session.requests).toBeLessThanOrEqual(Math.ceil(session.limits.requestsFor('pull', 10_100) * 1.1));
  });

  it('accepts smart views of contacts only', async () => {
    server.views.set('save_lead', { type: 'lead', s_query: { query: { type: 'match_all' } } });
    const pull = (listId: string) => open().pull({ filter: { listId }, fields: [], cursor: null });
    await expect(pull('save_lead')).rejects.toMatchObject({ reason: 'unsupported' });
    await expect(pull('save_none')).rejects.toMatchObject({ reason: 'rejected' });
  });

  it('requests the lead of a contact once, and writes emails as notes', async () => {
    const { id } = server.store.add({ fields: { name: 'Ada' } });
    const session = open();
    const at = new Date('2026-11-20T10:00:00.000Z');
    const base = { externalId: id, at, title: 'Hello', body: 'Text' };
    await session.record([{ ...base, key: 'a', kind: 'email', direction: 'outgoing' }]);
    await session.record([{ ...base, key: 'b', kind: 'email', direction: 'incoming' }]);
    expect(session.requests).toBe(3);
    expect(server.store.activities.map(({ body }) => [body['title'], body['activity_at']])).toEqual([
      ['Email sent: Hello', at.toISOString()],
      ['Email received: Hello', at.toISOString()],
    ]);
  });

  it('refuses only the invalid address among several', async () => {
    const written = await open().write([
      { key: 'a', externalId: null, email: 'not an address', fields: {} },
      { key: 'b', externalId: null, email: 'b@example.com', fields: { name: 'B' } },
    ]);
    expect(written).toMatchObject([{ kind: 'refused', reason: 'invalid', field: 'emails' }, { kind: 'created' }]);
  });

  it('keeps the results before a limit, and reports the others as ambiguous', async () => {
    const session = open();
    await session.identity();
    const [ok, ok2] = [
      { status: 200, body: { id: 'cont_a' } },
      { status: 200, body: { id: 'cont_b' } },
    ];
    server.next(ok, ok2, CLOSE_FAILURES.rate_limited, CLOSE_FAILURES.rate_limited);
    const people = Array.from({ length: 20 }, (_, n) => ({
      key: `${n}`,
      externalId: null,
      email: `p${n}@example.com`,
      fields: { name: `P${n}` },
    }));
    const kinds = (await session.write(people)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'created').length).toBeGreaterThanOrEqual(2);
    expect(new Set(kinds)).toEqual(new Set(['created', 'ambiguous']));
    expect(session.cooldownUntil).not.toBeNull();
  });

  it.each([
    ['limit=100, remaining=0, reset=5', 5_000],
    ['limit=100, remaining=0, reset=0.5', 500],
    ['limit=100, remaining=1, reset=5', null],
    ['nonsense', null],
  ])('cools down after the header %j for %j ms', (ratelimit, rest) => {
    expect(CLOSE.getCooldownMs({ status: 200, headers: { ratelimit }, json: {} })).toBe(rest);
  });

  it('waits as long as the response asks', () => {
    const { body: json } = CLOSE_FAILURES.rate_limited;
    expect(CLOSE.getFault({ status: 429, headers: {}, json })).toMatchObject({
      reason: 'rate_limited',
      retryAfterMs: 2_400,
    });
  });
});
