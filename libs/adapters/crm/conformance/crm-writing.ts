import { type CrmActivity, type CrmWrite } from '../port/crm-session';
import { type CrmTestEnvironment } from './crm-test-environment';

export function describeWriting(environment: () => CrmTestEnvironment): void {
  const made = (key: string, more: Partial<CrmWrite> = {}): CrmWrite => ({
    key,
    externalId: null,
    email: `${key}@example.com`,
    fields: { [environment().traits.fields.last]: key },
    ...more,
  });

  it('creates people and returns the results in their order', async () => {
    const { first, last } = environment().traits.fields;
    const written = await environment()
      .open()
      .write([made('a', { fields: { [first]: 'Zoë', [last]: 'A' } }), made('b')]);
    expect(written).toMatchObject([
      { key: 'a', kind: 'created' },
      { key: 'b', kind: 'created' },
    ]);
    const [a] = written;
    const id = a?.kind === 'created' ? a.externalId : '';
    expect(environment().person(id)).toMatchObject({
      emails: ['a@example.com'],
      fields: { [first]: 'Zoë', [last]: 'A' },
    });
    expect(environment().size()).toBe(2);
  });

  it('changes only the given fields of people, never address and owner', async () => {
    const { traits, add } = environment();
    const { first, last, own } = traits.fields;
    const owner = traits.hasOwners ? traits.owners[0] : null;
    const fields = { [first]: 'Old', [last]: 'Kept', [own]: 'gone soon' };
    const id = await add({ emails: ['kept@example.com'], fields, ownerId: owner });
    const change = { key: 'k', externalId: id, email: 'other@example.com', fields: { [first]: 'New', [own]: null } };
    const written = await environment().open().write([change]);
    expect(written).toMatchObject([{ key: 'k', kind: 'updated', externalId: id }]);
    const person = environment().person(id);
    expect(person).toMatchObject({ emails: ['kept@example.com'], ownerId: owner });
    expect(person?.fields).toMatchObject({ [first]: 'New', [last]: 'Kept' });
    expect(person?.fields[own] ?? null).toBeNull();
  });

  it('sets the owner only when one is given, and where the vendor has owners', async () => {
    const { traits, add } = environment();
    if (!traits.hasOwners) return;
    const [owner, other] = traits.owners;
    const id = await add({ emails: ['old@example.com'], fields: { [traits.fields.last]: 'Old' }, ownerId: owner });
    const change = { key: 'k', externalId: id, email: 'old@example.com', fields: { [traits.fields.first]: 'x' } };
    const written = await environment()
      .open()
      .write([{ ...change, ownerId: other }, made('new', { ownerId: owner })]);
    const [, fresh] = written;
    expect(environment().person(id)?.ownerId).toBe(other);
    expect(fresh?.kind === 'created' && environment().person(fresh.externalId)?.ownerId).toBe(owner);
  });

  it('writes as many people per call as its limit states, new and changed, with as few requests as the vendor allows', async () => {
    const session = environment().open();
    const count = session.limits.write;
    const all = Array.from({ length: count }, (_, n) => made(`p${n}`));
    const created = await session.write(all);
    expect(created.map(({ key, kind }) => [key, kind])).toEqual(all.map(({ key }) => [key, 'created']));
    const forMaking = session.requests;
    expect(forMaking).toBeLessThanOrEqual(Math.ceil(session.limits.requestsFor('write', count) * 1.1));
    const changes = created.map((one, n) => ({
      ...made(`p${n}`),
      externalId: one.kind === 'created' ? one.externalId : '',
    }));
    const updated = await session.write(changes);
    expect(updated.map(({ key, kind }) => [key, kind])).toEqual(all.map(({ key }) => [key, 'updated']));
    expect(session.requests - forMaking).toBeLessThanOrEqual(
      Math.ceil(session.limits.requestsFor('write', count) * 1.1),
    );
    expect(environment().size()).toBe(count);
    expect(await session.write([])).toEqual([]);
  });

  it('reports the outcome for a person whose address exists', async () => {
    const { traits, add, passes } = environment();
    const id = await add({ emails: ['taken@example.com'], fields: { [traits.fields.last]: 'There' } });
    passes(3_600_000);
    const [written] = await environment()
      .open()
      .write([made('taken', { fields: { [traits.fields.last]: 'Ours' } })]);
    if (traits.onTakenEmail === 'merged') expect(written).toMatchObject({ kind: 'merged', externalId: id });
    else if (traits.onTakenEmail === 'duplicate') {
      expect(written).toMatchObject({ kind: 'refused', reason: 'duplicate', externalId: id });
    } else expect(written).toMatchObject({ kind: 'created' });
    expect(environment().size()).toBe(traits.onTakenEmail === 'created' ? 2 : 1);
  });

  it('writes the other people when one is refused', async () => {
    const { traits, add } = environment();
    const { first, last } = traits.fields;
    const id = await add({ emails: ['there@example.com'], fields: { [last]: 'There' } });
    const bad = { [last]: 'x', ...(traits.invalidFirst !== null && { [first]: traits.invalidFirst }) };
    const written = await environment()
      .open()
      .write([
        made('a'),
        ...(traits.invalidFirst === null ? [] : [made('bad', { fields: bad })]),
        { key: 'gone', externalId: traits.strangers[0], email: 'gone@example.com', fields: { [first]: 'x' } },
        { key: 'there', externalId: id, email: 'there@example.com', fields: { [first]: 'y' } },
        made('b'),
      ]);
    const kinds = new Map(written.map((one) => [one.key, one.kind === 'refused' ? one.reason : one.kind]));
    expect(kinds.get('a')).toBe('created');
    expect(kinds.get('b')).toBe('created');
    expect(kinds.get('there')).toBe('updated');
    expect(kinds.get('gone')).toBe('gone');
    if (traits.invalidFirst !== null) expect(kinds.get('bad')).toBe('invalid');
    expect(environment().size()).toBe(3);
  });

  it('names a missing field, and writes the people without it', async () => {
    const { traits } = environment();
    if (!traits.refusesUnknownWrites) return;
    const fields = { [traits.fields.last]: 'x', nowhere_to_be_found: 'y' };
    const written = await environment()
      .open()
      .write([made('a'), made('bad', { fields })]);
    expect(written).toMatchObject([
      { key: 'a', kind: 'created' },
      { key: 'bad', kind: 'refused', reason: 'unknown_field', field: 'nowhere_to_be_found' },
    ]);
  });
}

export function describeRecording(environment: () => CrmTestEnvironment): void {
  const activity = (externalId: string, key: string, more: Partial<CrmActivity> = {}): CrmActivity => ({
    key,
    externalId,
    kind: 'note',
    direction: null,
    at: new Date('2026-11-20T10:00:00.000Z'),
    title: `Title of ${key}`,
    body: `Text of ${key} with <b> & “quotes”\nand a second line`,
    ...more,
  });

  it('records emails and notes on the timeline of a person, and returns the results in order', async () => {
    const id = await environment().add({
      emails: ['a@example.com'],
      fields: { [environment().traits.fields.last]: 'A' },
    });
    const recorded = await environment()
      .open()
      .record([
        activity(id, 'sent', { kind: 'email', direction: 'outgoing' }),
        activity(id, 'replied', { kind: 'email', direction: 'incoming' }),
        activity(id, 'stage'),
      ]);
    expect(recorded).toMatchObject([
      { key: 'sent', kind: 'recorded' },
      { key: 'replied', kind: 'recorded' },
      { key: 'stage', kind: 'recorded' },
    ]);
    const texts = environment().recorded(id);
    for (const key of ['sent', 'replied', 'stage']) {
      expect(texts.filter((text) => text.includes(`Title of ${key}`) && text.includes(`Text of ${key}`))).toHaveLength(
        1,
      );
    }
  });

  it('reports a deleted person, and records for the others', async () => {
    const { add, traits } = environment();
    const id = await add({ emails: ['a@example.com'], fields: { [traits.fields.last]: 'A' } });
    const recorded = await environment()
      .open()
      .record([activity(traits.strangers[0], 'gone'), activity(id, 'fine')]);
    expect(recorded).toMatchObject([
      { key: 'gone', kind: 'refused', reason: 'gone' },
      { key: 'fine', kind: 'recorded' },
    ]);
    expect(environment().recorded(id)).toHaveLength(1);
    expect(await environment().open().record([])).toEqual([]);
  });

  it('records as many activities per call as its limit states, with as few requests as the vendor allows', async () => {
    const id = await environment().add({
      emails: ['a@example.com'],
      fields: { [environment().traits.fields.last]: 'A' },
    });
    const session = environment().open();
    const count = session.limits.record;
    const recorded = await session.record(Array.from({ length: count }, (_, n) => activity(id, `n${n}`)));
    expect(recorded.every(({ kind }) => kind === 'recorded')).toBe(true);
    expect(environment().recorded(id)).toHaveLength(count);
    expect(session.requests).toBeLessThanOrEqual(Math.ceil(session.limits.requestsFor('record', count) * 1.1));
  });

  it('reports an unknown outcome for a recording without a response', async () => {
    const id = await environment().add({
      emails: ['a@example.com'],
      fields: { [environment().traits.fields.last]: 'A' },
    });
    const session = environment().open();
    await session.read([id], []);
    environment().cuts('after');
    expect(await session.record([activity(id, 'k')])).toMatchObject([{ key: 'k', kind: 'ambiguous' }]);
  });
}
