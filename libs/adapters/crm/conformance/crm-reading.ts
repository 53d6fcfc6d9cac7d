import { type CrmPerson } from '../port/crm-person';
import { type CrmFilter, type CrmSession } from '../port/crm-session';
import { type CrmTestEnvironment } from './crm-test-environment';

/** All people on the pages of a pull. */
async function pullAll(session: CrmSession, fields: readonly string[], filter: CrmFilter = {}): Promise<CrmPerson[]> {
  const people: CrmPerson[] = [];
  let cursor: string | null = null;
  do {
    const page = await session.pull({ filter, fields, cursor });
    expect(page.people.length).toBeLessThanOrEqual(session.limits.page);
    people.push(...page.people);
    ({ cursor } = page);
  } while (cursor !== null);
  return people;
}

function sortIds(people: readonly { readonly externalId: string }[]): string[] {
  return people.map(({ externalId }) => externalId).toSorted();
}

export function describeAccount(environment: () => CrmTestEnvironment): void {
  it('returns the account', async () => {
    const { accountId, accountName } = await environment().open().identity();
    expect([accountId, accountName].every((text) => text !== '')).toBe(true);
  });

  it('returns each field of people once, with its writability and whether it is a custom field', async () => {
    const { fields } = environment().traits;
    const told = await environment().open().fields();
    const names = told.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of Object.values(fields)) {
      const field = told.find((one) => one.name === name);
      expect(field).toMatchObject({ isWritable: true, isCustom: name === fields.own });
      expect(field?.label).not.toBe('');
    }
  });

  it('counts its requests, and sends none before the first call', async () => {
    const session = environment().open();
    expect(session.requests).toBe(0);
    await session.identity();
    expect(session.requests).toBeGreaterThan(0);
  });
}

export function describePull(environment: () => CrmTestEnvironment): void {
  const add = async (count: number): Promise<string[]> => {
    const { add: added, traits, passes } = environment();
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) {
      ids.push(await added({ emails: [`p${n}@example.com`], fields: { [traits.fields.first]: `First ${n}` } }));
    }
    passes(3_600_000);
    return ids;
  };

  it('returns no people for an empty account', async () => {
    expect(await environment().open().pull({ filter: {}, fields: [], cursor: null })).toMatchObject({
      people: [],
      cursor: null,
    });
  });

  it('returns people with the requested fields, and null for missing values', async () => {
    const { first, last, own } = environment().traits.fields;
    const fields = { [first]: 'Zoë “Ada” 你好', [last]: 'O’Hara-Müller', [own]: 'x' };
    const id = await environment().add({ emails: ['Ada@Example.com'], fields });
    const other = await environment().add({ emails: ['bare@example.com'], fields: { [last]: 'Bare' } });
    environment().passes(3_600_000);
    const people = await pullAll(environment().open(), [first, own]);
    const [ada, bare] = [id, other].map((one) => people.find(({ externalId }) => externalId === one));
    expect(ada?.fields).toEqual({ [first]: 'Zoë “Ada” 你好', [own]: 'x' });
    expect(ada?.emails.map((email) => email.toLowerCase())).toEqual(['ada@example.com']);
    expect(bare?.fields).toEqual({ [first]: null, [own]: null });
    expect(ada?.updatedAt.getTime()).toBeGreaterThan(0);
  });

  it('returns each person once over several pages, with as few requests as the vendor allows', async () => {
    const session = environment().open();
    const count = session.limits.page * 2 + 3;
    const ids = await add(count);
    const people = await pullAll(session, [environment().traits.fields.first]);
    expect(sortIds(people)).toEqual(ids.toSorted());
    expect(session.requests).toBeLessThanOrEqual(Math.ceil(session.limits.requestsFor('pull', count) * 1.1));
  });

  it('returns a person that exists throughout at least once, although others are created, updated and deleted meanwhile', async () => {
    const session = environment().open();
    const ids = await add(session.limits.page + 5);
    const page = await session.pull({ filter: {}, fields: [], cursor: null });
    const seen = sortIds(page.people);
    const removed = seen[0] ?? '';
    await environment().remove(removed);
    await environment().change(seen[1] ?? '', { fields: { [environment().traits.fields.first]: 'Changed' } });
    await environment().change(ids.at(-1) ?? '', { fields: { [environment().traits.fields.first]: 'Changed too' } });
    await environment().add({ emails: ['late@example.com'], fields: { [environment().traits.fields.last]: 'Late' } });
    environment().passes(3_600_000);
    let { cursor } = page;
    while (cursor !== null) {
      const next: Awaited<ReturnType<CrmSession['pull']>> = await session.pull({ filter: {}, fields: [], cursor });
      seen.push(...sortIds(next.people));
      ({ cursor } = next);
    }
    expect(ids.filter((id) => id !== removed && !seen.includes(id))).toEqual([]);
  });

  it('allows another session to read a page, repeatedly', async () => {
    await add(environment().open().limits.page + 2);
    const { cursor } = await environment().open().pull({ filter: {}, fields: [], cursor: null });
    expect(cursor).not.toBeNull();
    const [again, once] = [environment().open(), environment().open()];
    const people = await once.pull({ filter: {}, fields: [], cursor });
    expect(sortIds((await again.pull({ filter: {}, fields: [], cursor })).people)).toEqual(sortIds(people.people));
    expect(people.people.length).toBe(2);
  });

  it.each(['', 'nonsense', '{"a":1}', '../../x', 'ey'])(
    'refuses the cursor %j, which it did not issue',
    async (cursor) => {
      await add(1);
      const failing = environment().open().pull({ filter: {}, fields: [], cursor });
      await expect(failing).rejects.toMatchObject({ reason: 'cursor', failure: 'permanent' });
    },
  );
}

export function describeFilters(environment: () => CrmTestEnvironment): void {
  it('returns only people changed since the given time', async () => {
    const { add, change, passes, traits } = environment();
    const old = await add({ emails: ['old@example.com'], fields: { [traits.fields.last]: 'Old' } });
    const changed = await add({ emails: ['changed@example.com'], fields: { [traits.fields.last]: 'Changed' } });
    passes(3_600_000);
    const before = await environment().open().read([old], []);
    const since = new Date((before[0]?.updatedAt.getTime() ?? 0) + 1_800_000);
    await change(changed, { fields: { [traits.fields.first]: 'New' } });
    const made = await add({ emails: ['made@example.com'], fields: { [traits.fields.last]: 'Made' } });
    passes(3_600_000);
    const people = await pullAll(environment().open(), [], { updatedSince: since });
    expect(sortIds(people)).toEqual([changed, made].toSorted());
  });

  it('returns only people with one of the given values', async () => {
    const { add, passes, traits } = environment();
    const { first, last } = traits.fields;
    const ada = await add({ emails: ['a@example.com'], fields: { [first]: "Ada O'Hara", [last]: 'One' } });
    const bob = await add({ emails: ['b@example.com'], fields: { [first]: 'Bob', [last]: 'One' } });
    await add({ emails: ['c@example.com'], fields: { [first]: 'Bob', [last]: 'Two' } });
    await add({ emails: ['d@example.com'], fields: { [first]: 'Cem', [last]: 'One' } });
    passes(3_600_000);
    const filter = { fields: { [first]: ["Ada O'Hara", 'Bob'], [last]: ['One'] } };
    expect(sortIds(await pullAll(environment().open(), [], filter))).toEqual([ada, bob].toSorted());
  });

  it('returns only the people of an owner, where the vendor has owners', async () => {
    const { add, passes, traits } = environment();
    const [owner, other] = traits.owners;
    const filter = { ownerId: owner };
    if (!traits.hasOwners) {
      await expect(environment().open().pull({ filter, fields: [], cursor: null })).rejects.toMatchObject({
        reason: 'unsupported',
      });
      return;
    }
    const own = await add({ emails: ['own@example.com'], fields: { [traits.fields.last]: 'Own' }, ownerId: owner });
    await add({ emails: ['other@example.com'], fields: { [traits.fields.last]: 'Other' }, ownerId: other });
    await add({ emails: ['none@example.com'], fields: { [traits.fields.last]: 'None' } });
    passes(3_600_000);
    const people = await pullAll(environment().open(), [], filter);
    expect(people.map(({ externalId, ownerId }) => [externalId, ownerId])).toEqual([[own, owner]]);
  });

  it('returns only the members of a list, where the vendor has lists', async () => {
    const { add, passes, traits, list } = environment();
    if (!traits.hasLists) {
      const asking = environment()
        .open()
        .pull({ filter: { listId: '17' }, fields: [], cursor: null });
      await expect(asking).rejects.toMatchObject({ reason: 'unsupported', failure: 'permanent' });
      return;
    }
    const member = await add({ emails: ['member@example.com'], fields: { [traits.fields.last]: 'Member' } });
    await add({ emails: ['other@example.com'], fields: { [traits.fields.last]: 'Other' } });
    passes(3_600_000);
    const listId = list?.([member]) ?? '';
    expect(sortIds(await pullAll(environment().open(), [], { listId }))).toEqual([member]);
  });

  it('refuses a missing field and names it', async () => {
    await environment().add({ emails: ['a@example.com'], fields: { [environment().traits.fields.last]: 'A' } });
    environment().passes(3_600_000);
    const filter = { fields: { nowhere_to_be_found: ['x'] } };
    await expect(environment().open().pull({ filter, fields: [], cursor: null })).rejects.toMatchObject({
      reason: 'unknown_field',
      failure: 'permanent',
      field: 'nowhere_to_be_found',
    });
  });
}

export function describeLookUps(environment: () => CrmTestEnvironment): void {
  it('finds people by their addresses without regard to case', async () => {
    const { add, passes, traits } = environment();
    const { first, last } = traits.fields;
    const ada = await add({ emails: ['Ada@Example.com'], fields: { [first]: 'Ada', [last]: 'A' } });
    const bob = await add({ emails: ['bob+x@example.com'], fields: { [last]: 'B' } });
    await add({ emails: ['not.ada@example.com'], fields: { [last]: 'C' } });
    passes(3_600_000);
    const found = await environment()
      .open()
      .find(['ADA@example.com', 'bob+x@example.com', 'none@example.com'], [first]);
    expect(sortIds(found)).toEqual([ada, bob].toSorted());
    expect(found.find(({ externalId }) => externalId === ada)?.fields).toEqual({ [first]: 'Ada' });
  });

  it('finds people by their secondary addresses, and all people with the same address', async () => {
    const { add, passes, traits } = environment();
    const { last } = traits.fields;
    const found: string[] = [];
    if (traits.hasSeveralEmails) {
      found.push(await add({ emails: ['main@example.com', 'second@example.com'], fields: { [last]: 'Both' } }));
    }
    if (traits.allowsDuplicates) {
      for (const name of ['One', 'Two'])
        found.push(await add({ emails: ['second@example.com'], fields: { [last]: name } }));
    }
    passes(3_600_000);
    const people = await environment().open().find(['second@example.com'], []);
    expect(sortIds(people)).toEqual(found.toSorted());
    expect(people.every(({ emails }) => emails.some((email) => email.toLowerCase() === 'second@example.com'))).toBe(
      true,
    );
  });

  it('finds as many people per call as its limit states, with as few requests as the vendor allows', async () => {
    const { add, passes, traits } = environment();
    const session = environment().open();
    const emails = Array.from({ length: session.limits.find }, (_, n) => `p${n}@example.com`);
    const ids: string[] = [];
    for (const email of emails) ids.push(await add({ emails: [email], fields: { [traits.fields.last]: email } }));
    passes(3_600_000);
    expect(sortIds(await session.find(emails, []))).toEqual(ids.toSorted());
    expect(session.requests).toBeLessThanOrEqual(Math.ceil(session.limits.requestsFor('find', emails.length) * 1.1));
    expect(await session.find([], [])).toEqual([]);
  });

  it('reads people by their ids and omits missing ones', async () => {
    const { add, traits } = environment();
    const { first, last } = traits.fields;
    const ada = await add({ emails: ['ada@example.com'], fields: { [first]: 'Ada', [last]: 'A' } });
    const gone = await add({ emails: ['gone@example.com'], fields: { [last]: 'Gone' } });
    await environment().remove(gone);
    const people = await environment()
      .open()
      .read([ada, gone, ...traits.strangers, 'no id at all'], [first]);
    expect(people).toMatchObject([{ externalId: ada, fields: { [first]: 'Ada' } }]);
    expect(await environment().open().read([], [])).toEqual([]);
  });

  it('returns the opt-out of a person, where the vendor has one', async () => {
    const { add, traits } = environment();
    const out = await add({ emails: ['out@example.com'], fields: { [traits.fields.last]: 'Out' }, isOptedOut: true });
    const fine = await add({ emails: ['fine@example.com'], fields: { [traits.fields.last]: 'Fine' } });
    const people = await environment().open().read([out, fine], []);
    const told = new Map(people.map(({ externalId, isOptedOut }) => [externalId, isOptedOut]));
    expect([told.get(out), told.get(fine)]).toEqual(traits.knowsOptOut ? [true, false] : [null, null]);
  });
}
