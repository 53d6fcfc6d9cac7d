import { OutboundHttpClient } from '@platform/outbound';
import { rounds } from '@testing';
import { type CrmPerson } from '../port/crm-person';
import { type CrmSession, type CrmWrite } from '../port/crm-session';
import { ZohoServer } from '../testing';
import { ZohoDriver } from './zoho.driver';

/** For a complete read of the list. */
const MANY = rounds(100_000);

const WITH_NAME = { First_Name: 'Ada', Last_Name: 'Lovelace' };

describe('Zoho', () => {
  let server: ZohoServer;
  let http: OutboundHttpClient;
  let now: Date;

  beforeEach(async () => {
    server = await new ZohoServer().listen();
    http = new OutboundHttpClient({ allowPrivate: true });
    now = new Date('2026-11-20T10:00:00Z');
  });
  afterEach(async () => {
    await http.onModuleDestroy();
    await server.close();
  });

  const open = (): CrmSession =>
    new ZohoDriver({ http, timeoutMs: 5_000, now: () => now }).open({
      type: 'zoho',
      baseUrl: server.baseUrl,
      auth: { kind: 'token', token: () => Promise.resolve('canary-token') },
    });
  const make = (key: string, fields: CrmWrite['fields'] = WITH_NAME): CrmWrite => ({
    key,
    externalId: null,
    email: `${key}@example.com`,
    fields,
  });
  const bodies = (path: string): Record<string, unknown>[] =>
    server.asked.flatMap((asked) => (asked.path === path ? [asked.body as Record<string, unknown>] : []));

  it('accepts only a consent, with its own token type', async () => {
    expect(new ZohoDriver({ http, timeoutMs: 1, now: () => now }).ways).toEqual(['consent']);
    await open().identity();
    expect(server.asked[0]?.headers.authorization).toBe('Zoho-oauthtoken canary-token');
  });

  it('requests tokens only from servers of Zoho, and accepts the hosts of its data centres', () => {
    const { consent } = new ZohoDriver({ http, timeoutMs: 1, now: () => now });
    expect(consent.tokenServers?.parameter).toBe('accounts-server');
    for (const host of consent.tokenServers?.hosts ?? []) expect(host).toMatch(/^accounts\.(zoho\.|zohocloud\.ca$)/);
    for (const host of consent.baseUrlDomains) expect(host).toMatch(/^www\.zohoapis\./);
  });

  it('matches no result to another record', async () => {
    const said = (id: string) => ({
      code: 'SUCCESS',
      status: 'success',
      message: '',
      action: 'insert',
      details: { id },
    });
    const session = open();
    await session.fields();
    server.next({ status: 200, body: { data: [said('11')] } });
    expect(await session.write([make('a'), make('b')])).toMatchObject([{ kind: 'ambiguous' }, { kind: 'ambiguous' }]);
    const change = (key: string, externalId: string) => ({ ...make(key), externalId });
    server.next({ status: 200, body: { data: [said('12'), said('12')] } });
    expect(await session.write([change('a', '11'), change('b', '12')])).toMatchObject([
      { key: 'a', kind: 'ambiguous' },
      { key: 'b', kind: 'updated', externalId: '12' },
    ]);
  });

  it('stops when the list makes no progress', async () => {
    const page = { status: 200, body: { data: [{ id: '7' }], info: { more_records: true } } };
    server.next(page);
    await expect(open().pull({ filter: {}, fields: [], cursor: '7' })).rejects.toMatchObject({ reason: 'protocol' });
    server.next(page, page);
    await expect(open().find(['a@example.com'], [])).rejects.toMatchObject({ reason: 'protocol' });
  });

  it('pulls many people, two thousand per request, each once', async () => {
    server.store.fill(MANY);
    const session = open();
    const seen = new Set<string>();
    let cursor: string | null = null;
    do {
      const page: { people: readonly CrmPerson[]; cursor: string | null } = await session.pull({
        filter: {},
        fields: [],
        cursor,
      });
      for (const { externalId } of page.people) seen.add(externalId);
      ({ cursor } = page);
    } while (cursor !== null);
    expect(seen.size).toBe(MANY);
    expect(session.limits.requestsFor('pull', MANY)).toBe(MANY / 2_000);
    expect(session.requests).toBe(MANY / 2_000);
  });

  it('pulls thousands of people that changed in the same second, each once', async () => {
    server.store.fill(4_500);
    const updatedSince = new Date('2026-11-01T00:00:00Z');
    const first = await open().pull({ filter: { updatedSince }, fields: [], cursor: null });
    const second = await open().pull({ filter: { updatedSince }, fields: [], cursor: first.cursor });
    const third = await open().pull({ filter: { updatedSince }, fields: [], cursor: second.cursor });
    const ids = [first, second, third].flatMap(({ people }) => people.map(({ externalId }) => externalId));
    expect([new Set(ids).size, ids.length, third.cursor]).toEqual([4_500, 4_500, null]);
  });

  it('finds all of many people with one address', async () => {
    for (let n = 0; n < 2_100; n += 1) server.store.add({ emails: ['info@example.com'] });
    expect(await open().find(['info@example.com'], [])).toHaveLength(2_100);
  });

  it('does not let a value become part of a query', async () => {
    const title = `O'Hara' or id is not null or Title = '`;
    server.store.add({ emails: ['a@example.com'], fields: { Title: title } });
    server.store.add({ emails: ['b@example.com'], fields: { Title: 'x' } });
    const page = await open().pull({ filter: { fields: { Title: [title] } }, fields: [], cursor: null });
    expect(page.people.map(({ emails }) => emails)).toEqual([['a@example.com']]);
    expect(await open().find([`a'or@example.com`, `' or id is not null or Email='`], [])).toEqual([]);
  });

  it('compares booleans in Zoho’s format', async () => {
    server.store.add({ emails: ['a@example.com'], isOptedOut: true });
    server.store.add({ emails: ['b@example.com'] });
    const page = await open().pull({ filter: { fields: { Email_Opt_Out: ['true'] } }, fields: [], cursor: null });
    expect(page.people.map(({ emails }) => emails)).toEqual([['a@example.com']]);
  });

  it('reads the company name through the account', async () => {
    server.accounts.set('12', 'Zylker');
    server.store.add({ emails: ['a@example.com'], fields: { Account_Name: { id: '12', name: 'Zylker' } } });
    const field = 'Account_Name.Account_Name';
    const { people } = await open().pull({ filter: {}, fields: [field, 'Account_Name'], cursor: null });
    expect(people[0]?.fields).toEqual({ [field]: 'Zylker', Account_Name: '12' });
  });

  it('refuses to read a removed field and names it', async () => {
    server.store.fill(1);
    server.removeField('Favourite');
    await expect(open().pull({ filter: {}, fields: ['Favourite'], cursor: null })).rejects.toMatchObject({
      reason: 'unknown_field',
      field: 'Favourite',
    });
  });

  it('detects a removed field of a write, which Zoho does not report', async () => {
    server.removeField('Favourite');
    const written = await open().write([make('a'), make('b', { ...WITH_NAME, Favourite: 'x' })]);
    expect(written).toMatchObject([
      { key: 'a', kind: 'created' },
      { key: 'b', kind: 'refused', reason: 'unknown_field', field: 'Favourite' },
    ]);
    expect(server.store.size).toBe(1);
  });

  it('starts no workflow of the account', async () => {
    const [made] = await open().write([make('a')]);
    await open().write([{ ...make('a'), externalId: made?.kind === 'created' ? made.externalId : '' }]);
    expect([...bodies('/crm/v8/Contacts/upsert'), ...bodies('/crm/v8/Contacts')].map(({ trigger }) => trigger)).toEqual(
      [[], []],
    );
  });

  it('substitutes a missing surname, and never overwrites a stored one', async () => {
    const there = server.store.add({ emails: ['There@example.com'], fields: { Last_Name: 'Kept' } });
    const written = await open().write([
      make('there', { First_Name: 'New' }),
      make('bare', {}),
      make('some', { First_Name: 'Some' }),
    ]);
    expect(written.map(({ kind }) => kind)).toEqual(['merged', 'created', 'created']);
    expect(there.fields).toMatchObject({ First_Name: 'New', Last_Name: 'Kept' });
    expect([...server.store.people()].map(({ fields }) => fields['Last_Name'])).toEqual(['Kept', 'bare', 'Some']);
  });

  it('keeps the surname of a person whose local surname was cleared', async () => {
    const { id, fields } = server.store.add({ emails: ['a@example.com'], fields: { ...WITH_NAME } });
    const change = { ...make('a', { First_Name: null, Last_Name: null }), externalId: id };
    expect(await open().write([change])).toMatchObject([{ kind: 'updated' }]);
    expect(fields).toEqual({ First_Name: null, Last_Name: 'Lovelace' });
  });

  it('names the record with the same unique value', async () => {
    const other = server.store.add({ emails: ['other@example.com'], fields: { Passport: 'X1' } });
    const written = await open().write([make('a', { ...WITH_NAME, Passport: 'X1' }), make('b')]);
    expect(written).toMatchObject([
      { kind: 'refused', reason: 'duplicate', field: 'Passport', externalId: other.id },
      { kind: 'created' },
    ]);
  });

  it('reports the fault of each record when all are refused', async () => {
    const written = await open().write([make('a', { ...WITH_NAME, Phone: 'x'.repeat(51) })]);
    expect(written).toMatchObject([{ kind: 'refused', reason: 'invalid', field: 'Phone' }]);
  });

  it('writes times and choices in Zoho’s format', async () => {
    const fields = { ...WITH_NAME, Met_At: '2026-01-02T03:04:05.678Z', Interests: 'Chess' };
    expect(await open().write([make('a', fields)])).toMatchObject([{ kind: 'created' }]);
    const [person] = await open().find(['a@example.com'], ['Met_At', 'Interests']);
    expect(person?.fields).toEqual({ Met_At: '2026-01-02T03:04:05.000Z', Interests: ['Chess'] });
  });

  it('reports created people when the response to the changes is lost', async () => {
    const { id } = server.store.add({ emails: ['old@example.com'], fields: { ...WITH_NAME } });
    const session = open();
    await session.fields();
    server.next(
      { status: 200, body: { data: [{ code: 'SUCCESS', details: { id }, message: '', status: 'success' }] } },
      'cut',
    );
    const written = await session.write([{ ...make('old'), externalId: id }, make('new')]);
    expect(written).toMatchObject([
      { key: 'old', kind: 'updated' },
      { key: 'new', kind: 'ambiguous' },
    ]);
  });

  it.each([
    ['fewer results than people', { data: [{ code: 'SUCCESS', details: { id: '1' }, action: 'insert' }] }],
    ['no results', { ok: true }],
  ])('returns no people for %s', async (_, body) => {
    const session = open();
    await session.fields();
    server.next({ status: 200, body });
    const written = await session.write([make('a'), make('b')]);
    expect(written.at(-1)).toMatchObject({ key: 'b', kind: 'ambiguous' });
  });

  it.each([
    ['a page of another server', 200, undefined],
    ['no records', 200, { data: [], info: { more_records: true } }],
    ['records without ids', 200, { data: [{ Email: 'a@example.com' }], info: { more_records: true } }],
  ])('does not treat %s as the end of a list', async (_, status, body) => {
    server.next({ status, body });
    const pulling = open().pull({ filter: {}, fields: [], cursor: null });
    await expect(pulling).rejects.toMatchObject({ reason: 'protocol', failure: 'temporary' });
  });

  it('does not treat fields as deleted when Zoho returns none', async () => {
    server.next({ status: 200, body: { fields: [] } });
    await expect(open().write([make('a')])).rejects.toMatchObject({ reason: 'protocol' });
    expect(server.store.size).toBe(0);
  });

  it('writes no person with a read-only field', async () => {
    const written = await open().write([make('a', { ...WITH_NAME, 'Account_Name.Account_Name': 'Zylker' })]);
    expect(written).toMatchObject([{ kind: 'refused', reason: 'invalid', field: 'Account_Name.Account_Name' }]);
  });

  it('cools down when the daily credits are used up', async () => {
    server.creditsLeft = 1;
    const session = open();
    await session.identity();
    expect(session.cooldownUntil).toBeNull();
    server.creditsLeft = 0;
    await expect(session.identity()).rejects.toMatchObject({
      reason: 'quota',
      failure: 'temporary',
      retryAfterMs: 900_000,
    });
    expect(session.cooldownUntil).toEqual(new Date('2026-11-20T10:15:00Z'));
    now = new Date('2026-11-20T10:15:00Z');
    expect(session.cooldownUntil).toBeNull();
  });

  it('does not renew a valid token that lacks a permission', async () => {
    server.next({
      status: 401,
      body: { code: 'OAUTH_SCOPE_MISMATCH', details: {}, message: 'invalid oauth scope', status: 'error' },
    });
    const session = open();
    await expect(session.identity()).rejects.toMatchObject({ reason: 'forbidden', failure: 'needs-human' });
    expect(session.requests).toBe(1);
  });
});
