import { OutboundHttpClient } from '@platform/outbound';
import { rounds } from '@testing';
import { type CrmPerson } from '../port/crm-person';
import { type CrmFilter, type CrmSession, type CrmWrite } from '../port/crm-session';
import { PIPEDRIVE_KEYS } from '../testing/pipedrive-persons';
import { PIPEDRIVE_OWNERS, PipedriveServer } from '../testing/pipedrive-server';
import { PipedriveDriver } from './pipedrive.driver';

/** For a complete read of the list. */
const MANY = rounds(20_000);

const NOW = new Date('2026-11-22T05:00:00.000Z');

describe('the driver of Pipedrive', () => {
  let server: PipedriveServer;
  let http: OutboundHttpClient;
  beforeEach(async () => {
    server = await new PipedriveServer().listen();
    http = new OutboundHttpClient({ allowPrivate: true });
  });
  afterEach(async () => {
    await http.onModuleDestroy();
    await server.close();
  });

  const opened = (kind: 'key' | 'token' = 'token'): CrmSession =>
    new PipedriveDriver({ http, timeoutMs: 10_000, now: () => NOW }).open({
      type: 'pipedrive',
      baseUrl: server.baseUrl,
      auth: kind === 'key' ? { kind, key: 'canary-token' } : { kind, token: () => Promise.resolve('canary-token') },
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
  const change = (externalId: string, fields: CrmWrite['fields']): CrmWrite => ({
    key: externalId,
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
  const asked = (path: string) => server.asked.filter((one) => one.path.startsWith(path));

  it('reads many people with one request per five hundred and one request for the fields', async () => {
    server.store.fill(MANY);
    const session = opened();
    expect(new Set((await pulled(session)).map(({ externalId }) => externalId)).size).toBe(MANY);
    expect(session.limits.requestsFor('pull', MANY)).toBe(MANY / 500);
    expect(session.requests).toBe(MANY / 500 + 1);
  }, 60_000);

  it('reads thousands of people that changed in the same second, with times in whole seconds', async () => {
    server.store.fill(1_200);
    const [first] = (await opened().pull({ filter: {}, fields: [], cursor: null })).people;
    const updatedSince = new Date((first?.updatedAt.getTime() ?? 0) + 1);
    expect(await pulled(opened(), { updatedSince })).toHaveLength(1_200);
  });

  it.each([
    ['key', 'x-api-token', 'canary-token'],
    ['token', 'authorization', 'Bearer canary-token'],
  ] as const)('accepts a %s', async (kind, header, value) => {
    expect(await opened(kind).identity()).toEqual({ accountId: '4711', accountName: 'Acme Sales' });
    expect(server.asked[0]?.headers[header]).toBe(value);
  });

  it('returns options by their labels, and amounts and addresses as one value', async () => {
    const { choice, choices, amount, address, number, day } = PIPEDRIVE_KEYS;
    const fields = {
      [choice]: 32,
      [choices]: [41, 99],
      [amount]: { value: 500, currency: 'EUR' },
      [address]: { value: 'Brno', country: 'CZ' },
      [number]: 7,
      [day]: '2026-11-22',
    };
    const { id } = server.store.add({ emails: ['a@example.com'], fields });
    const [person] = await opened().read([id], Object.keys(fields));
    expect(person?.fields).toEqual({
      [choice]: 'Replied',
      [choices]: ['Sales', '99'],
      [amount]: 500,
      [address]: 'Brno',
      [number]: 7,
      [day]: '2026-11-22',
    });
  });

  it('writes options by their labels, and numbers as numbers', async () => {
    const { choice, choices, number, day, address } = PIPEDRIVE_KEYS;
    const fields = {
      [choice]: 'Replied',
      [choices]: ['Support'],
      [number]: '7.5',
      [day]: '2026-11-22T10:00:00Z',
      [address]: 'Brno',
    };
    const [written] = await opened().write([made('a', fields)]);
    const id = written?.kind === 'created' ? written.externalId : '';
    expect(server.store.get(id)?.fields).toMatchObject({
      [choice]: 32,
      [choices]: [42],
      [number]: 7.5,
      [day]: '2026-11-22',
      [address]: { value: 'Brno' },
    });
    expect(written).toMatchObject({ updatedAt: server.store.get(id)?.updatedAt });
  });

  it.each([
    [PIPEDRIVE_KEYS.choice, 'Lost', 'invalid'],
    [PIPEDRIVE_KEYS.number, 'many', 'invalid'],
    [PIPEDRIVE_KEYS.day, 'in spring', 'invalid'],
    [PIPEDRIVE_KEYS.amount, 5, 'forbidden'],
    ['org_name', 'Acme', 'forbidden'],
    ['9'.repeat(40), 'x', 'unknown_field'],
  ])('refuses for %s the value %j without a request', async (field, value, reason) => {
    const session = opened();
    await session.fields();
    expect(await session.write([made('a', { [field]: value })])).toMatchObject([{ kind: 'refused', reason, field }]);
    expect(session.requests).toBe(1);
  });

  it('reports a field that was removed after its metadata was read', async () => {
    const session = opened();
    await session.fields();
    const error = `Validation failed: custom_fields.${PIPEDRIVE_KEYS.text}: Parameter 'custom_fields.${PIPEDRIVE_KEYS.text}' is not allowed for this request`;
    server.next({ status: 400, body: { success: false, error, code: 'ERR_SCHEMA_VALIDATION_FAILED' } });
    expect(await session.write([made('a', { [PIPEDRIVE_KEYS.text]: 'x' })])).toMatchObject([
      { kind: 'refused', reason: 'unknown_field', field: PIPEDRIVE_KEYS.text },
    ]);
  });

  it('keeps the other part of a name and the other numbers', async () => {
    const phones = [
      { value: '+1', primary: false, label: 'home' },
      { value: '+2', primary: true, label: 'mobile' },
    ];
    const { id } = server.store.add({
      emails: ['a@example.com'],
      fields: { first_name: 'Ada', last_name: 'King Lovelace', phones },
    });
    const session = opened();
    await session.fields();
    expect(await session.write([change(id, { first_name: 'Augusta', phones: '+3' })])).toMatchObject([
      { kind: 'updated' },
    ]);
    expect(server.store.get(id)?.fields).toMatchObject({
      first_name: 'Augusta',
      last_name: 'King Lovelace',
      phones: [
        { value: '+3', primary: true, label: 'mobile' },
        { value: '+1', primary: false, label: 'home' },
      ],
    });
    expect(session.requests).toBe(3);
    expect(await session.read([id], ['phones'])).toMatchObject([{ fields: { phones: '+3' } }]);
    await session.write([change(id, { phones: null })]);
    expect(server.store.get(id)?.fields['phones']).toEqual([{ value: '+1', primary: true, label: 'home' }]);
    await session.write([change(id, { phones: '+1' })]);
    expect(asked('/api/v2/persons').at(-1)?.method).toBe('GET');
  });

  it('does not read a person whose full name is written', async () => {
    const { id } = server.store.add({ emails: ['a@example.com'] });
    const session = opened();
    await session.write([change(id, { first_name: 'Ada', last_name: 'Lovelace' })]);
    expect(server.store.get(id)?.fields).toMatchObject({ first_name: 'Ada', last_name: 'Lovelace' });
    expect(session.requests).toBe(2);
  });

  it('writes an opt-out and never a consent', async () => {
    const { id } = server.store.add({ emails: ['a@example.com'] });
    const session = opened();
    await session.write([change(id, { marketing_status: false })]);
    expect(asked(`/api/v2/persons/${id}`)).toEqual([]);
    await session.write([change(id, { marketing_status: true })]);
    expect(asked(`/api/v2/persons/${id}`)).toMatchObject([{ body: { marketing_status: 'unsubscribed' } }]);
    expect(await session.read([id], [])).toMatchObject([{ isOptedOut: true }]);
  });

  it('requests no opt-out when the company has no Campaigns product', async () => {
    server.hasMarketing = false;
    const { id } = server.store.add({ emails: ['a@example.com'], isOptedOut: true });
    const session = opened();
    expect(await session.read([id], [])).toMatchObject([{ isOptedOut: null }]);
    expect(await session.write([change(id, { marketing_status: 'unsubscribed' })])).toMatchObject([
      { kind: 'refused', reason: 'unknown_field' },
    ]);
  });

  it('returns the name of the organisation, requested once and in batches of a hundred', async () => {
    for (let n = 1; n <= 150; n += 1) {
      server.organisations.set(n, `Company ${n}`);
      server.store.add({ emails: [`p${n}@example.com`], fields: { org_id: n } });
    }
    const session = opened();
    const people = await pulled(session, {}, ['org_name']);
    expect(people.map(({ fields }) => fields['org_name'])).toEqual(people.map((_, n) => `Company ${n + 1}`));
    await pulled(session, {}, ['org_name']);
    expect(asked('/api/v2/organizations')).toHaveLength(2);
  });

  it('filters the members of a list by owner, although Pipedrive ignores the owner', async () => {
    const [owner, other] = PIPEDRIVE_OWNERS.map(String);
    const one = server.store.add({ emails: ['1@x.io'], ownerId: owner ?? null });
    const two = server.store.add({ emails: ['2@x.io'], ownerId: other ?? null });
    server.store.lists.set('17', new Set([one.id, two.id]));
    const people = await pulled(opened(), { listId: '17', ownerId: owner ?? '' });
    expect(people.map(({ externalId }) => externalId)).toEqual([one.id]);
  });

  it.each<[string, CrmFilter]>([
    ['a filter', { listId: '17&owner_id=1' }],
    ['an owner', { ownerId: 'me' }],
  ])('refuses an invalid id of %s', async (_what, filter) => {
    await expect(opened().pull({ filter, fields: [], cursor: null })).rejects.toMatchObject({ reason: 'rejected' });
    expect(asked('/api/v2/persons')).toEqual([]);
  });

  it('requests all fields when there are more than a request can name', async () => {
    const names = Object.values(PIPEDRIVE_KEYS);
    server.store.add({ emails: ['a@example.com'] });
    await opened().pull({ filter: {}, fields: names, cursor: null });
    expect(asked('/api/v2/persons')[0]?.query.get('custom_fields')?.split(',')).toEqual(names);
    await expect(opened().pull({ filter: {}, fields: ['9'.repeat(40)], cursor: null })).rejects.toMatchObject({
      reason: 'unknown_field',
      field: '9'.repeat(40),
    });
  });

  it.each(["o'hara+x&y=z@example.com", 'a b@example.com', '"%"@example.com'])(
    'searches for %j unchanged',
    async (email) => {
      const { id } = server.store.add({ emails: [email] });
      server.store.add({ emails: ['b@example.com'] });
      expect((await opened().find([email], [])).map(({ externalId }) => externalId)).toEqual([id]);
    },
  );

  it('reads a list to its end, and skips incomplete fields', async () => {
    const page = (entries: unknown, next: string | null) => ({
      status: 200,
      body: { data: entries, additional_data: { next_cursor: next } },
    });
    const whole = { field_code: 'b'.repeat(40), field_name: 'B', field_type: 'varchar', is_custom_field: true };
    server.next(page([null, { field_code: 'x' }, { ...whole, options: 'none' }], 'abc'), page([whole], null));
    expect((await opened().fields()).filter(({ isCustom }) => isCustom)).toMatchObject([{ name: 'b'.repeat(40) }]);
    expect(asked('/api/v2/personFields')[1]?.query.get('cursor')).toBe('abc');
    server.next(...Array.from({ length: 30 }, () => page([], 'abc')));
    await expect(opened().fields()).rejects.toMatchObject({ reason: 'protocol' });
    expect(server.count).toBe(22);
  });

  it('reads a person without lists as one without addresses', async () => {
    const session = opened();
    await session.fields();
    server.next({ status: 200, body: { data: [{ id: 7, emails: null, phones: 'none' }, { id: 'x' }, null] } });
    expect(await session.read(['7'], ['phones'])).toMatchObject([
      { externalId: '7', emails: [], fields: { phones: null } },
    ]);
  });

  it('cools down when the window has no room for a whole call', async () => {
    server.newWindow(20, 10);
    const session = opened();
    await session.write(Array.from({ length: 9 }, (_, n) => made(`p${n}`)));
    expect(session.cooldownUntil).toBeNull();
    await session.write([made('next')]);
    expect(session.cooldownUntil).toEqual(new Date('2026-11-22T05:00:02.000Z'));
  });

  it('cools down after searches by their own window', async () => {
    server.newWindow(100, 10);
    const session = opened();
    await session.find(
      Array.from({ length: 10 }, (_, n) => `p${n}@example.com`),
      [],
    );
    await session.identity();
    expect(session.cooldownUntil).toEqual(new Date('2026-11-22T05:00:02.000Z'));
    await expect(session.find(['a@example.com'], [])).rejects.toMatchObject({
      reason: 'rate_limited',
      retryAfterMs: 2_000,
    });
  });

  it('distinguishes the daily budget from the two-second window', async () => {
    server.newWindow(20, 10);
    server.budget = 5;
    const session = opened();
    await expect(session.identity()).rejects.toMatchObject({ reason: 'quota', retryAfterMs: 3_600_000 });
  });

  it('keeps the results before a limit', async () => {
    const session = opened();
    await session.fields();
    server.newWindow(4, 0);
    const written = await session.write(Array.from({ length: 10 }, (_, n) => made(`p${n}`)));
    expect(written.filter(({ kind }) => kind === 'created')).toHaveLength(4);
    expect(written.filter(({ kind }) => kind === 'ambiguous')).toHaveLength(6);
    expect(server.store.size).toBe(4);
  });

  it('classifies a page of Cloudflare as a limit, not as a missing permission', async () => {
    const page = { status: 403, headers: { 'content-type': 'text/html' } };
    server.next(page);
    await expect(opened().identity()).rejects.toMatchObject({ reason: 'rate_limited', retryAfterMs: 600_000 });
    const session = opened();
    await session.fields();
    server.next(page);
    await expect(session.write([made('a')])).rejects.toMatchObject({ reason: 'rate_limited' });
  });

  it.each([
    [{ error: 'You do not have permission to edit this person' }, 'forbidden'],
    [{ error: 'Person is locked' }, 'forbidden'],
  ])('refuses a person that the user must not change, and keeps the connection: %j', async (body, reason) => {
    const { id } = server.store.add({ emails: ['a@example.com'] });
    const session = opened();
    await session.fields();
    server.next({ status: 403, body });
    expect(await session.write([change(id, { job_title: 'CEO' })])).toMatchObject([{ kind: 'refused', reason }]);
    server.next({ status: 403, body: { error: 'Scope and URL mismatch' } });
    await expect(session.write([change(id, { job_title: 'CEO' })])).rejects.toMatchObject({ reason: 'forbidden' });
  });

  it('sends no request for an invalid id', async () => {
    const session = opened();
    await session.fields();
    expect(await session.write([change('../users', { job_title: 'x' })])).toMatchObject([{ reason: 'gone' }]);
    expect(await session.read(['1,2', '0', '-1'], [])).toEqual([]);
    const note = { kind: 'note', direction: null, at: NOW, title: 't', body: 'b' } as const;
    expect(await session.record([{ key: 'k', externalId: 'x', ...note }])).toMatchObject([{ reason: 'gone' }]);
    expect(session.requests).toBe(1);
  });

  it('writes emails as done activities and other events as notes, at their time and without markup', async () => {
    const { id } = server.store.add({ emails: ['a@example.com'] });
    const activity = { externalId: id, at: new Date('2026-11-20T23:59:01Z'), title: 'Hi & <b>', body: '<script>\n"x"' };
    await opened().record([
      { key: 'e', kind: 'email', direction: 'outgoing', ...activity },
      { key: 'n', kind: 'note', direction: null, ...activity },
    ]);
    expect(server.store.activities.map(({ body }) => body)).toEqual(
      expect.arrayContaining([
        {
          subject: 'Hi & <b>',
          type: 'email',
          done: true,
          due_date: '2026-11-20',
          due_time: '23:59',
          participants: [{ person_id: Number(id), primary: true }],
          note: '&lt;script&gt;<br>&quot;x&quot;',
        },
        {
          person_id: Number(id),
          content: '<b>Hi &amp; &lt;b&gt;</b><br>&lt;script&gt;<br>&quot;x&quot;',
          add_time: '2026-11-20 23:59:01',
        },
      ]),
    );
  });
});
