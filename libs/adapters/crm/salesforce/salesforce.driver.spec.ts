import { OutboundHttpClient } from '@platform/outbound';
import { rounds } from '@testing';
import { type CrmPerson } from '../port/crm-person';
import { type CrmFilter, type CrmSession, type CrmWrite } from '../port/crm-session';
import { SALESFORCE_OWNERS, salesforceId, SalesforceServer } from '../testing/salesforce-server';
import { SalesforceDriver } from './salesforce.driver';

/** For a complete read of the list. */
const MANY = rounds(100_000);

const NOW = new Date('2026-11-22T05:00:00.000Z');

describe('the driver of Salesforce', () => {
  let server: SalesforceServer;
  let http: OutboundHttpClient;
  beforeEach(async () => {
    server = await new SalesforceServer().listen();
    http = new OutboundHttpClient({ allowPrivate: true });
  });
  afterEach(async () => {
    await http.onModuleDestroy();
    await server.close();
  });

  const opened = (): CrmSession =>
    new SalesforceDriver({ http, timeoutMs: 10_000, now: () => NOW }).open({
      type: 'salesforce',
      baseUrl: server.baseUrl,
      auth: { kind: 'token', token: () => Promise.resolve('canary-token') },
    });
  const pulled = async (session: CrmSession, filter: CrmFilter = {}, fields: string[] = []): Promise<CrmPerson[]> => {
    const people: CrmPerson[] = [];
    for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
      const page: Awaited<ReturnType<CrmSession['pull']>> = await session.pull({ filter, fields, cursor });
      people.push(...page.people);
      ({ cursor } = page);
    }
    return people;
  };
  const queries = () => server.asked.flatMap(({ query }) => query.get('q') ?? []);
  const change = (externalId: string, fields: CrmWrite['fields'], key = externalId): CrmWrite => ({
    key,
    externalId,
    email: 'x@example.com',
    fields,
  });
  const made = (key: string, fields: CrmWrite['fields'] = {}): CrmWrite => ({
    key,
    externalId: null,
    email: `${key}@example.com`,
    fields,
  });

  it('reads many people with one request per two thousand and one final request', async () => {
    server.store.fill(MANY);
    const session = opened();
    const ids = new Set((await pulled(session)).map(({ externalId }) => externalId));
    expect(ids.size).toBe(MANY);
    expect(session.limits.requestsFor('pull', MANY)).toBe(MANY / 2_000);
    expect(session.requests).toBe(MANY / 2_000 + 1);
  }, 60_000);

  it('reads thousands of people that changed in the same second, even when the pull starts at that second', async () => {
    server.store.fill(4_100);
    const [first] = (await opened().pull({ filter: {}, fields: [], cursor: null })).people;
    const updatedSince = first?.updatedAt ?? NOW;
    expect(new Set((await pulled(opened(), { updatedSince })).map(({ externalId }) => externalId)).size).toBe(4_100);
    expect(new Set((await pulled(opened())).map(({ updatedAt }) => updatedAt.getTime())).size).toBeLessThan(10);
  });

  it('continues after a partial page of Salesforce, and returns the total', async () => {
    server.store.fill(2_300);
    server.rowsAtOnce = 700;
    const session = opened();
    const page = await session.pull({ filter: {}, fields: [], cursor: null });
    expect([page.people.length, page.total]).toEqual([700, 2_300]);
    const next = await session.pull({ filter: {}, fields: [], cursor: page.cursor });
    expect([next.people.length, next.total]).toEqual([700, 2_300]);
    expect(next.people[0]?.externalId).toBe(salesforceId('003', 701));
    expect(await pulled(opened())).toHaveLength(2_300);
  });

  it('needs no cursor of Salesforce: an earlier cursor still works after two days', async () => {
    server.store.fill(2_001);
    const { cursor } = await opened().pull({ filter: {}, fields: [], cursor: null });
    server.store.passes(3 * 86_400_000);
    expect((await opened().pull({ filter: {}, fields: [], cursor })).people).toHaveLength(1);
    expect(queries().at(-1)).toContain(`Id > '${salesforceId('003', 2_000)}'`);
  });

  it.each(["x') OR (Id != '", "\\' OR Id != \\'", "'", '\\', 'a\u0000b', 'a\nb', '%', '\ud800', '', ' ', '\u0000'])(
    'finds no person by the address %j, and all others as before',
    async (hostile) => {
      const id = server.store.add({ emails: ["o'hara@example.com"] }).id;
      server.store.add({ emails: [] });
      const found = await opened().find([hostile, "o'hara@example.com"], []);
      expect(found.map(({ externalId }) => externalId)).toEqual([id]);
    },
  );

  it('splits addresses that are too long for one request', async () => {
    const emails = Array.from({ length: 200 }, (_, n) => `${'x'.repeat(200)}${n}@example.com`);
    for (const email of emails) server.store.add({ emails: [email] });
    const session = opened();
    expect(await session.find(emails, ['FirstName', 'Account.Name'])).toHaveLength(200);
    expect(session.requests).toBe(5);
  });

  it('finds all people with an address, even in several parts', async () => {
    for (let n = 0; n < 25; n += 1) server.store.add({ emails: ['same@example.com'] });
    server.rowsAtOnce = 10;
    expect(await opened().find(['Same@example.com'], [])).toHaveLength(25);
  });

  it('follows the next part only on the host of the account', async () => {
    const body = { totalSize: 3, done: false, nextRecordsUrl: 'http://elsewhere.example/x', records: [] };
    server.next({ status: 200, body });
    await expect(opened().find(['a@example.com'], [])).rejects.toMatchObject({ reason: 'protocol' });
    expect(server.count).toBe(1);
  });

  it('stops following endless parts', async () => {
    const nextRecordsUrl = '/services/data/v62.0/query/01g-2000';
    server.next(
      ...Array.from({ length: 60 }, () => ({
        status: 200,
        body: { totalSize: 3, done: false, nextRecordsUrl, records: [] },
      })),
    );
    await expect(opened().find(['a@example.com'], [])).rejects.toMatchObject({ reason: 'protocol' });
    expect(server.count).toBe(50);
  });

  it('skips incomplete field descriptions', async () => {
    server.next({ status: 200, body: { fields: [null, { name: 'X' }, { name: 'Y', label: 'Y', type: 'string' }] } });
    expect((await opened().fields()).map(({ name }) => name)).toEqual(['Y']);
    server.next({ status: 200, body: {} });
    await expect(opened().fields()).rejects.toMatchObject({ reason: 'protocol' });
  });

  it('omits the opt-out when the user must not see it, at the cost of one request', async () => {
    server.store.add({ emails: ['a@example.com'], isOptedOut: true });
    server.showsOptOut = false;
    const session = opened();
    expect(await session.find(['a@example.com'], [])).toMatchObject([{ isOptedOut: null }]);
    expect(await session.find(['a@example.com'], [])).toMatchObject([{ isOptedOut: null }]);
    expect(session.requests).toBe(3);
    await expect(session.find(['a@example.com'], ['HasOptedOutOfEmail'])).rejects.toMatchObject({
      reason: 'unknown_field',
      field: 'HasOptedOutOfEmail',
    });
  });

  it('names a deleted field, without the addresses of the query', async () => {
    const reading = opened().find(['secret@example.com'], ['Gone__c']);
    await expect(reading).rejects.toMatchObject({ reason: 'unknown_field', field: 'Gone__c' });
    await expect(reading).rejects.not.toThrow(/secret/);
    await expect(opened().find(['a@example.com'], ['Name FROM User'])).rejects.toMatchObject({
      reason: 'unknown_field',
    });
  });

  it.each<[string, CrmFilter, number[]]>([
    ['a boolean', { fields: { DoNotCall: ['true'] } }, [1]],
    ['a number', { fields: { Score__c: ['7', '8'] } }, [2]],
    ['a day', { fields: { Birthdate: ['1980-02-29'] } }, [3]],
    ['a choice', { fields: { Stage__c: ['Won'] } }, [1]],
    ['an owner', { ownerId: SALESFORCE_OWNERS[1] }, [3]],
    ['all of it', { ownerId: SALESFORCE_OWNERS[0], fields: { Score__c: ['7'] } }, [2]],
  ])('filters by %s', async (_what, filter, wanted) => {
    const [owner, other] = SALESFORCE_OWNERS;
    server.store.add({ emails: ['1@x.io'], ownerId: owner, fields: { DoNotCall: true, Stage__c: 'Won' } });
    server.store.add({ emails: ['2@x.io'], ownerId: owner, fields: { DoNotCall: false, Score__c: 7 } });
    server.store.add({ emails: ['3@x.io'], ownerId: other, fields: { Birthdate: '1980-02-29' } });
    expect((await pulled(opened(), filter)).map(({ externalId }) => externalId)).toEqual(
      wanted.map((n) => salesforceId('003', n)),
    );
  });

  it.each<[string, CrmFilter]>([
    ['a value that is none of its field', { fields: { Score__c: ['1 OR Id != null'] } }],
    ['an owner that is none', { ownerId: "005' OR Id != '" }],
    ['a campaign that is none', { listId: '00B5g0000000001AAA' }],
  ])('refuses %s without a request', async (_what, filter) => {
    await expect(opened().pull({ filter, fields: [], cursor: null })).rejects.toMatchObject({ reason: 'rejected' });
    expect(queries()).toEqual([]);
  });

  it('creates and changes people with one request', async () => {
    const there = server.store.add({ emails: ['there@example.com'], fields: { LastName: 'There' } });
    const session = opened();
    const written = await session.write([made('a'), change(there.id, { Title: 'CEO' }), made('b')]);
    expect(written.map(({ kind }) => kind)).toEqual(['created', 'updated', 'created']);
    expect(session.requests).toBe(1);
    expect(server.store.get(there.id)?.fields).toEqual({ LastName: 'There', Title: 'CEO' });
  });

  it('accepts ids of fifteen characters, and sends no request for invalid ids', async () => {
    const { id } = server.store.add({ emails: ['a@example.com'], fields: { LastName: 'A' } });
    const written = await opened().write([change(id.slice(0, 15), { Title: 'x' }), change('../Account', {}, 'no')]);
    expect(written).toMatchObject([
      { kind: 'updated', externalId: id },
      { key: 'no', kind: 'refused', reason: 'gone' },
    ]);
    expect(await opened().read([id.slice(0, 15), "'"], [])).toMatchObject([{ externalId: id }]);
  });

  it('retries a record that another client is writing, and still writes the others', async () => {
    const [locked, free] = ['locked', 'free'].map((name) => server.store.add({ emails: [`${name}@example.com`] }).id);
    server.locked.add(locked ?? '');
    const written = await opened().write([change(locked ?? '', { Title: 'x' }), change(free ?? '', { Title: 'x' })]);
    expect(written.map(({ kind }) => kind)).toEqual(['ambiguous', 'updated']);
  });

  it('refuses only the person with a malformed value, and writes the others', async () => {
    const session = opened();
    const written = await session.write([
      made('a', { Birthdate: '1980-02-29' }),
      made('bad', { Birthdate: 'in spring' }),
      made('b', { Score__c: '7' }),
    ]);
    expect(written).toMatchObject([
      { kind: 'created' },
      { kind: 'refused', reason: 'invalid', field: 'Birthdate' },
      { kind: 'created' },
    ]);
    expect(session.requests).toBe(3);
    expect(server.store.size).toBe(2);
  });

  it.each([
    [{ Stage__c: 'Lost' }, 'invalid', 'Stage__c'],
    [{ FirstName: 'x'.repeat(41) }, 'invalid', 'FirstName'],
    [{ Initials__c: 'AB' }, 'forbidden', 'Initials__c'],
    [{ 'Account.Name': 'Acme' }, 'unknown_field', 'Account.Name'],
  ])('explains the refusal of %j', async (fields, reason, field) => {
    expect(await opened().write([made('a', fields)])).toMatchObject([{ kind: 'refused', reason, field }]);
  });

  it('keeps the results of a collection when the next one fails, and reports that one as ambiguous', async () => {
    const there = server.store.add({ emails: ['there@example.com'] });
    const done = {
      body: [{ id: salesforceId('003', 7), success: true, errors: [] }],
      httpStatusCode: 200,
      referenceId: 'POST',
    };
    const failed = (httpStatusCode: number, errorCode: string) => ({
      body: [{ errorCode, message: 'no' }],
      httpStatusCode,
      referenceId: 'PATCH',
    });
    for (const second of [failed(403, 'REQUEST_LIMIT_EXCEEDED'), failed(500, 'UNKNOWN_EXCEPTION')]) {
      server.next({ status: 200, body: { compositeResponse: [done, second] } });
      const written = await opened().write([made('a'), change(there.id, { Title: 'x' })]);
      expect(written.map(({ kind }) => kind)).toEqual(['created', 'ambiguous']);
    }
    server.next({ status: 200, body: { compositeResponse: [failed(403, 'REQUEST_LIMIT_EXCEEDED')] } });
    await expect(opened().write([change(there.id, { Title: 'x' })])).rejects.toMatchObject({ reason: 'quota' });
    server.next({ status: 200, body: { compositeResponse: [failed(500, 'UNKNOWN_EXCEPTION')] } });
    expect(await opened().write([change(there.id, { Title: 'x' })])).toMatchObject([{ kind: 'ambiguous' }]);
    server.next(
      { status: 200, body: { compositeResponse: [done, failed(400, 'JSON_PARSER_ERROR')] } },
      { status: 503 },
    );
    const unsorted = await opened().write([made('a'), change(there.id, { Title: 'x' })]);
    expect(unsorted.map(({ kind }) => kind)).toEqual(['created', 'ambiguous']);
    server.next({ status: 200, body: {} });
    expect(await opened().write([change(there.id, { Title: 'x' })])).toMatchObject([{ kind: 'ambiguous' }]);
  });

  it('cools down when the daily requests are used up, including the last one', async () => {
    server.quota = 2;
    const session = opened();
    await session.identity();
    expect(session.cooldownUntil).toBeNull();
    await session.identity();
    expect(session.cooldownUntil).toEqual(new Date('2026-11-22T05:15:00.000Z'));
    await expect(session.identity()).rejects.toMatchObject({ reason: 'quota', retryAfterMs: 900_000 });
  });

  it('returns the name of the account with a person', async () => {
    const { id } = server.store.add({ emails: ['a@example.com'], fields: { 'Account.Name': 'Acme' } });
    const session = opened();
    expect((await session.fields()).find(({ name }) => name === 'Account.Name')).toMatchObject({ isWritable: false });
    expect(await session.read([id], ['Account.Name'])).toMatchObject([{ fields: { 'Account.Name': 'Acme' } }]);
  });
});
