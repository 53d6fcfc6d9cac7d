import { OutboundHttpClient } from '@platform/outbound';
import { HubSpotServer } from '../testing/hubspot-server';
import { HubSpotDriver } from './hubspot.driver';

describe('the driver of HubSpot', () => {
  let server: HubSpotServer;
  let http: OutboundHttpClient;
  beforeEach(async () => {
    server = await new HubSpotServer().listen();
    http = new OutboundHttpClient({ allowPrivate: true });
  });
  afterEach(async () => {
    await http.onModuleDestroy();
    await server.close();
  });

  const open = () =>
    new HubSpotDriver({ http, timeoutMs: 20_000, now: () => new Date() }).open({
      type: 'hubspot',
      baseUrl: server.baseUrl,
      auth: { kind: 'key', key: 'canary-token' },
    });
  const made = (key: string, fields: Record<string, string> = {}, email = `${key}@example.com`) => ({
    key,
    externalId: null,
    email,
    fields: { lastname: key, ...fields },
  });
  const batches = () => server.asked.filter(({ path }) => path.includes('/batch/'));

  it('finds a hundred people by addresses in capitals', async () => {
    const emails = Array.from({ length: 100 }, (_, n) => `P${n}@Example.com`);
    for (const email of emails) server.store.add({ emails: [email] });
    expect(await open().find(emails, [])).toHaveLength(100);
  });

  it('stops when the list makes no progress', async () => {
    const page = { results: [{ id: '7', properties: {} }], paging: { next: { after: '200' } } };
    server.next({ status: 200, body: page });
    await expect(open().pull({ filter: {}, fields: [], cursor: 'id:7' })).rejects.toMatchObject({ reason: 'protocol' });
    server.next({ status: 200, body: page }, { status: 200, body: page });
    await expect(open().find(['a@example.com'], [])).rejects.toMatchObject({ reason: 'protocol' });
    const list = { results: [], paging: { next: { after: 'same' } } };
    server.next({ status: 200, body: list });
    const filter = { listId: '1' };
    await expect(open().pull({ filter, fields: [], cursor: 'list:same' })).rejects.toMatchObject({
      reason: 'protocol',
    });
  });

  it('returns the type of each property', async () => {
    const fields = new Map((await open().fields()).map((field) => [field.name, field]));
    expect(fields.get('email')).toMatchObject({ type: 'email' });
    expect(fields.get('phone')).toMatchObject({ type: 'phone' });
    expect(fields.get('lifecyclestage')).toMatchObject({ type: 'choice', options: ['lead'] });
    expect(fields.get('hubspot_owner_id')).toMatchObject({ type: 'reference', options: null });
    expect(fields.get('hs_email_optout')).toMatchObject({ type: 'boolean' });
    expect(fields.get('hs_object_id')).toMatchObject({ type: 'number', isWritable: false });
    expect(fields.get('shoe_size')).toMatchObject({ isCustom: true, maxLength: 65_536 });
    expect(fields.has('hs_secret_score')).toBe(false);
  });

  it('isolates the invalid person of a refused batch, and writes the others', async () => {
    const people = Array.from({ length: 100 }, (_, n) => made(`p${n}`, n === 42 ? { lifecyclestage: 'no such' } : {}));
    const session = open();
    const written = await session.write(people);
    expect(written[42]).toMatchObject({ key: 'p42', kind: 'refused', reason: 'invalid', field: 'lifecyclestage' });
    expect(written.filter(({ kind }) => kind === 'created')).toHaveLength(99);
    expect(session.requests).toBeLessThanOrEqual(15);
    expect(server.store.size).toBe(99);
  });

  it('needs one more request for a missing property, however many people have it', async () => {
    const people = Array.from({ length: 100 }, (_, n) => made(`p${n}`, n % 2 === 0 ? { gone_property: 'x' } : {}));
    const session = open();
    const written = await session.write(people);
    expect(written.filter(({ kind }) => kind === 'created')).toHaveLength(50);
    expect(written[0]).toMatchObject({ reason: 'unknown_field', field: 'gone_property' });
    expect(session.requests).toBe(2);
  });

  it('writes a person who occurs twice in two successive batches', async () => {
    const written = await open().write([made('a', {}, 'Same@example.com'), made('b', {}, 'same@example.com')]);
    expect(written.map(({ kind }) => kind)).toEqual(['created', 'merged']);
    expect(batches()).toHaveLength(2);
    expect([...server.store.people()]).toMatchObject([{ fields: { lastname: 'b' } }]);
  });

  it('names the contact that has the address as a secondary one', async () => {
    const { id } = server.store.add({ emails: ['main@example.com', 'other@example.com'] });
    expect(await open().write([made('k', {}, 'other@example.com')])).toMatchObject([
      { kind: 'refused', reason: 'duplicate', externalId: id },
    ]);
  });

  it('writes values in HubSpot’s format: texts, multiple choices with semicolons, and null as an empty text', async () => {
    server.properties.push({ name: 'any', label: 'Any', type: 'string', fieldType: 'text' });
    const { id } = server.store.add({ emails: ['a@example.com'] });
    const change = (value: boolean | number | null | readonly string[]) =>
      open().write([{ key: 'k', externalId: id, email: 'a@example.com', fields: { any: value } }]);
    const stored: unknown[] = [];
    for (const value of [true, 5.5, ['a', 'b'], null]) {
      await change(value);
      stored.push(server.store.get(id)?.fields['any']);
    }
    expect(stored).toEqual(['true', '5.5', 'a;b', '']);
  });

  it('requests earlier changes too, because the search lags', async () => {
    const since = new Date('2026-11-20T10:00:00.000Z');
    await open().pull({ filter: { updatedSince: since }, fields: [], cursor: null });
    const body = JSON.stringify(server.asked[0]?.body);
    expect(body).toContain(`"lastmodifieddate","operator":"GTE","value":"${since.getTime() - 300_000}"`);
  });

  it('evaluates conditions that exceed one filter group', async () => {
    const fields = { firstname: 'a', lastname: 'b', company: 'c', jobtitle: 'd', website: 'e' };
    const right = server.store.add({ emails: ['r@example.com'], fields, ownerId: '501' });
    server.store.add({ emails: ['w@example.com'], fields: { ...fields, website: 'other' }, ownerId: '501' });
    const filter = {
      updatedSince: new Date(0),
      ownerId: '501',
      fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [value]])),
    };
    const { people } = await open().pull({ filter, fields: [], cursor: null });
    expect(people.map(({ externalId }) => externalId)).toEqual([right.id]);
  });

  it('filters the members of a list', async () => {
    const ids = Array.from({ length: 130 }, (_, n) => {
      const ownerId = n % 2 === 0 ? '501' : '502';
      return server.store.add({ emails: [`p${n}@example.com`], fields: { lastname: 'x' }, ownerId }).id;
    });
    server.store.lists.set('7', new Set(ids));
    const session = open();
    const filter = { listId: '7', ownerId: '501' };
    const first = await session.pull({ filter, fields: [], cursor: null });
    const second = await session.pull({ filter, fields: [], cursor: first.cursor });
    expect([first.people.length, second.people.length, second.cursor]).toEqual([50, 15, null]);
    expect(session.requests).toBe(4);
    const unknown = session.pull({ filter: { listId: '../x' }, fields: [], cursor: null });
    await expect(unknown).rejects.toMatchObject({ reason: 'rejected' });
  });

  it('associates emails and notes with the contact as documented, and escapes foreign markup in notes', async () => {
    const { id } = server.store.add({ emails: ['a@example.com'] });
    const at = new Date('2026-11-20T10:00:00.000Z');
    const base = { externalId: id, at, title: 'T', body: '<script>&\nx' };
    await open().record([
      { ...base, key: 'out', kind: 'email', direction: 'outgoing' },
      { ...base, key: 'in', kind: 'email', direction: 'incoming' },
      { ...base, key: 'note', kind: 'note', direction: null },
    ]);
    const bodies = server.store.activities.map(({ kind, body }) => [
      kind,
      body['hs_email_direction'] ?? body['hs_note_body'],
    ]);
    expect(bodies).toEqual([
      ['email', 'EMAIL'],
      ['email', 'INCOMING_EMAIL'],
      ['note', '<strong>T</strong><br>&lt;script&gt;&amp;<br>x'],
    ]);
  });

  it('pulls ten thousand people with the minimum number of requests', async () => {
    server.store.fill(10_100, (n) => ({ lastname: `Person ${n}` }));
    const session = open();
    const seen = new Set<string>();
    for (let cursor: string | null = null; ;) {
      const page = await session.pull({ filter: {}, fields: ['lastname'], cursor });
      for (const { externalId } of page.people) seen.add(externalId);
      if (seen.size <= 200) expect(page.total).toBe(10_100);
      ({ cursor } = page);
      if (cursor === null) break;
    }
    expect([seen.size, session.requests]).toEqual([10_100, 51]);
  });
});
