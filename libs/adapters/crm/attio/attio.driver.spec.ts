import { OutboundHttpClient } from '@platform/outbound';
import { rounds } from '@testing';
import { type CrmPage, type CrmSession, type CrmWrite } from '../port/crm-session';
import { AttioServer } from '../testing';
import { AttioDriver } from './attio.driver';

/** For a complete read of the list. */
const MANY = rounds(20_000);

const FULL_NAME = { 'name.first_name': 'Ada', 'name.last_name': 'Lovelace' };
const RECORDS = '/v2/objects/people/records';

describe('Attio', () => {
  let server: AttioServer;
  let http: OutboundHttpClient;

  beforeEach(async () => {
    server = await new AttioServer().listen();
    http = new OutboundHttpClient({ allowPrivate: true });
  });
  afterEach(async () => {
    await http.onModuleDestroy();
    await server.close();
  });

  const open = (): CrmSession =>
    new AttioDriver({ http, timeoutMs: 5_000, now: () => new Date() }).open({
      type: 'attio',
      baseUrl: server.baseUrl,
      auth: { kind: 'key', key: 'canary-token' },
    });
  const make = (key: string, fields: CrmWrite['fields'] = FULL_NAME): CrmWrite => ({
    key,
    externalId: null,
    email: `${key}@example.com`,
    fields,
  });
  const pages = async (session: CrmSession, between: () => void = () => undefined): Promise<string[]> => {
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const page: CrmPage = await session.pull({ filter: {}, fields: [], cursor });
      ids.push(...page.people.map(({ externalId }) => externalId));
      ({ cursor } = page);
      between();
    } while (cursor !== null);
    return ids;
  };
  const methods = (): string[] =>
    server.asked.flatMap(({ method, path }) => (path.startsWith(RECORDS) && !path.endsWith('/query') ? [method] : []));

  it.each(['constructor', 'toString.first_name', '__proto__'])('has no field %s', async (name) => {
    server.store.add({ emails: ['a@example.com'] });
    const asking = open().pull({ filter: {}, fields: [name], cursor: null });
    await expect(asking).rejects.toMatchObject({ reason: 'unknown_field', field: name });
  });

  it('accepts a key or a consent', async () => {
    expect(new AttioDriver({ http, timeoutMs: 1, now: () => new Date() }).ways).toEqual(['key', 'consent']);
    await open().identity();
    expect(server.asked[0]?.headers.authorization).toBe('Bearer canary-token');
  });

  it('pulls many people with at most one percent more than the minimum number of requests, rounded up', async () => {
    server.store.fill(MANY);
    const session = open();
    const ids = await pages(session);
    expect([new Set(ids).size, ids.length]).toEqual([MANY, MANY]);
    expect(session.requests).toBeLessThanOrEqual(Math.ceil(session.limits.requestsFor('pull', MANY) * 1.01));
  });

  it('reads thousands of people with the same creation time, each once', async () => {
    server.importedAt = new Date('2026-10-01T00:00:00Z');
    server.store.fill(2_600);
    const ids = await pages(open());
    expect([new Set(ids).size, ids.length]).toEqual([2_600, 2_600]);
  });

  it('skips none of them when others with the same time are removed meanwhile', async () => {
    server.importedAt = new Date('2026-10-01T00:00:00Z');
    server.store.fill(2_600);
    const all = [...server.store.people()].map(({ id }) => id);
    const removed = new Set<string>();
    let page = 0;
    const ids = await pages(open(), () => {
      // Some of the returned people, and the last one of a page.
      for (const id of page === 0 ? all.slice(0, 3) : page === 1 ? all.slice(900, 1_200) : []) {
        server.store.remove(id);
        removed.add(id);
      }
      page += 1;
    });
    expect(all.filter((id) => !removed.has(id) && !ids.includes(id))).toEqual([]);
  });

  it('finds the people of an import together with earlier and later ones', async () => {
    server.store.fill(3);
    for (const { id } of server.store.people()) server.createdAt(server.store.get(id) ?? fail(id));
    server.importedAt = new Date('2026-12-01T00:00:00Z');
    for (let n = 0; n < 1_100; n += 1) server.store.add({ emails: [`import${n}@example.com`] });
    expect(new Set(await pages(open())).size).toBe(1_103);
  });

  it('omits people without changes since then, although their pages are read', async () => {
    server.store.fill(501);
    const [first] = server.store.people();
    server.store.passes(3_600_000);
    const updatedSince = new Date('2026-11-01T00:30:00Z');
    server.store.change(first?.id ?? '', { fields: { job_title: 'CEO' } });
    const page = await open().pull({ filter: { updatedSince }, fields: [], cursor: null });
    expect(page.people.map(({ externalId }) => externalId)).toEqual([first?.id]);
    expect(await open().pull({ filter: { updatedSince }, fields: [], cursor: page.cursor })).toMatchObject({
      people: [],
      cursor: null,
    });
  });

  it('refuses to read a deleted or renamed field, but reads a field without values', async () => {
    server.store.fill(1);
    server.removeAttribute('favourite');
    for (const field of ['favourite', 'nme.first_name']) {
      const reading = open().pull({ filter: {}, fields: ['job_title', field], cursor: null });
      await expect(reading).rejects.toMatchObject({ reason: 'unknown_field', field });
    }
    const { people } = await open().pull({ filter: {}, fields: ['job_title'], cursor: null });
    expect(people[0]?.fields).toEqual({ job_title: null });
  });

  it('returns the allowed choices without archived ones', async () => {
    const fields = await open().fields();
    const options = new Map(fields.map(({ name, options: told }) => [name, told]));
    expect([options.get('tier'), options.get('interests'), options.get('job_title')]).toEqual([
      ['Gold', 'Silver'],
      ['Chess', 'Go'],
      null,
    ]);
    expect(options.has('retired')).toBe(false);
  });

  it('keeps the other part of a name when one part is written', async () => {
    const { id, fields } = server.store.add({ emails: ['a@example.com'], fields: { ...FULL_NAME } });
    const change = { ...make('a', { 'name.first_name': 'Augusta' }), externalId: id };
    expect(await open().write([change])).toMatchObject([{ kind: 'updated' }]);
    expect(fields).toMatchObject({ 'name.first_name': 'Augusta', 'name.last_name': 'Lovelace' });
  });

  it('changes the person with the address, and keeps omitted fields', async () => {
    const there = server.store.add({
      emails: ['Main@example.com', 'a@example.com'],
      fields: { ...FULL_NAME, job_title: 'CEO' },
    });
    const [written] = await open().write([make('a', { 'name.first_name': 'New', favourite: 'x' })]);
    expect(written).toMatchObject({ kind: 'merged', externalId: there.id });
    expect(there.emails).toEqual(['Main@example.com', 'a@example.com']);
    expect(there.fields).toMatchObject({ 'name.last_name': 'Lovelace', job_title: 'CEO', favourite: 'x' });
  });

  it('adds a number before the existing ones, and replaces multiple choices', async () => {
    const { id, fields } = server.store.add({
      emails: ['a@example.com'],
      fields: { phone_numbers: ['+4911111111'], interests: ['Go'] },
    });
    const change = (values: CrmWrite['fields']): CrmWrite => ({ ...make('a', values), externalId: id });
    await open().write([change({ phone_numbers: '+4922222222' })]);
    expect(fields['phone_numbers']).toEqual(['+4922222222', '+4911111111']);
    await open().write([change({ interests: ['Chess'] })]);
    expect(fields['interests']).toEqual(['Chess']);
    await open().write([change({ interests: null })]);
    expect(fields['interests']).toEqual([]);
    expect(methods()).toEqual(['PATCH', 'PUT', 'PUT']);
  });

  it('reports the fault of each refused person, and writes the others', async () => {
    server.removeAttribute('favourite');
    const written = await open().write([
      make('a', { score: 'seven' }),
      make('b', { phone_numbers: '0123' }),
      make('c', { favourite: 'x' }),
      make('d', { tier: 'Iron' }),
      make('e', { score: 7, tier: 'Gold', wants_mail: true }),
      { ...make('f'), ownerId: 'nobody' },
    ]);
    expect(written.map((one) => (one.kind === 'refused' ? [one.reason, one.field] : one.kind))).toEqual([
      ['invalid', 'score'],
      ['invalid', 'phone_numbers'],
      ['unknown_field', 'favourite'],
      ['invalid', 'tier'],
      'created',
      ['invalid', 'owner'],
    ]);
    expect(server.store.size).toBe(1);
  });

  it('sets no owner when the account has no attribute for it', async () => {
    server.removeAttribute('owner');
    const written = await open().write([{ ...make('a'), ownerId: server.members[0] }]);
    expect(written).toMatchObject([{ kind: 'refused', reason: 'unknown_field', field: 'owner' }]);
  });

  it('starts no request after a limit is reached, and reports the completed ones', async () => {
    const session = open();
    await session.write([make('first')]);
    const limit = { status: 429, headers: { 'retry-after': new Date(Date.now() + 2_000).toUTCString() }, body: {} };
    server.next(...Array.from({ length: 4 }, () => limit));
    await expect(session.write(Array.from({ length: 20 }, (_, n) => make(`p${n}`)))).rejects.toMatchObject({
      reason: 'rate_limited',
    });
    expect([server.store.size, session.cooldownUntil instanceof Date]).toEqual([1, true]);
    server.next({
      status: 200,
      body: { data: { id: { record_id: 'r' }, created_at: '2026-11-01T00:00:00Z', values: {} } },
    });
    server.next(...Array.from({ length: 4 }, () => limit));
    const written = await session.write(Array.from({ length: 20 }, (_, n) => make(`p${n}`)));
    expect(written.map(({ kind }) => kind).toSorted()).toEqual([...Array<string>(19).fill('ambiguous'), 'created']);
  });

  it.each([
    ['no record', { data: {} }],
    ['nothing', undefined],
  ])('reports an ambiguous outcome when the answer has %s', async (_, body) => {
    const session = open();
    await session.fields();
    server.next({ status: 200, body });
    expect(await session.write([make('a')])).toMatchObject([{ kind: 'ambiguous' }]);
  });

  it.each([
    ['a page of another server', undefined],
    ['no list', { data: {} }],
    ['a list with something else in it', { data: [{ id: {} }] }],
  ])('does not treat %s as the end of a list', async (_, body) => {
    server.next({ status: 200, body });
    const pulling = open().pull({ filter: {}, fields: [], cursor: null });
    await expect(pulling).rejects.toMatchObject({ reason: 'protocol', failure: 'temporary' });
  });

  it('does not treat fields as deleted when Attio returns none', async () => {
    server.next({ status: 200, body: { data: [] } });
    await expect(open().write([make('a')])).rejects.toMatchObject({ reason: 'protocol' });
  });

  it('does not use an invalid id as part of a URL', async () => {
    const session = open();
    const id = '../../../v2/objects/companies/records/x';
    expect(await session.write([{ ...make('a'), externalId: id }])).toMatchObject([
      { kind: 'refused', reason: 'gone' },
    ]);
    const activity = {
      key: 'k',
      externalId: id,
      kind: 'note',
      direction: null,
      at: new Date(),
      title: 'T',
      body: '',
    } as const;
    expect(await session.record([activity])).toMatchObject([{ kind: 'refused', reason: 'gone' }]);
    expect(await session.read([id], [])).toEqual([]);
    expect(server.asked.map(({ path }) => path)).toEqual(['/v2/objects/people/attributes']);
  });

  it('refuses a token that Attio reports as inactive', async () => {
    const attributes = { data: [{ api_slug: 'name', type: 'personal-name', title: 'Name' }] };
    server.next({ status: 200, body: attributes }, { status: 200, body: { active: false } });
    await expect(open().identity()).rejects.toMatchObject({ reason: 'unauthorised' });
  });
});

function fail(id: string): never {
  throw new Error(`Nobody has ${id}`);
}
