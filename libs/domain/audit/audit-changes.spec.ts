import { Types } from 'mongoose';
import { getChanges, redactChanges } from './audit-changes';

describe('changesOf', () => {
  const id = new Types.ObjectId();
  const before = { name: 'Acme', timezone: 'UTC', owner: id, limits: { leads: 1 }, at: new Date(0), note: null };

  it('names only the fields that differ, with both values', () => {
    expect(getChanges(before, { ...before, name: 'Apex' }, ['name', 'timezone'])).toEqual({
      name: { from: 'Acme', to: 'Apex' },
    });
  });

  it('is null when none of the named fields differs', () => {
    expect(getChanges(before, { ...before, name: 'Apex' }, ['timezone'])).toBeNull();
  });

  it('compares ids, dates and nested values by value, not by identity', () => {
    const same = { ...before, owner: new Types.ObjectId(id.toHexString()), limits: { leads: 1 }, at: new Date(0) };
    expect(getChanges(before, same, ['owner', 'limits', 'at'])).toBeNull();
  });

  it('formats ids and dates as the API does', () => {
    const other = new Types.ObjectId();
    expect(getChanges(before, { ...before, owner: other, at: new Date(1000) }, ['owner', 'at'])).toEqual({
      owner: { from: id.toHexString(), to: other.toHexString() },
      at: { from: '1970-01-01T00:00:00.000Z', to: '1970-01-01T00:00:01.000Z' },
    });
  });

  it('treats a missing field and null as equal', () => {
    expect(getChanges(before, { ...before, note: undefined }, ['note'])).toBeNull();
    expect(getChanges(before, { ...before, name: undefined }, ['name'])).toEqual({ name: { from: 'Acme', to: null } });
  });

  it('shows created values as changes from null, and deleted values as changes to null', () => {
    expect(getChanges(null, before, ['name'])).toEqual({ name: { from: null, to: 'Acme' } });
    expect(getChanges(before, null, ['name'])).toEqual({ name: { from: 'Acme', to: null } });
  });
});

describe('redactedChanges', () => {
  it('masks values that resemble a key or a password, at any depth', () => {
    const key = `sk_user_${'a1B2'.repeat(10)}`;
    const kept = redactChanges({
      note: { from: `use ${key} for it`, to: 'smtp://joe:hunter2@mail.example' },
      settings: { from: null, to: { password: 'hunter2', host: 'mail.example' } },
    });
    expect(JSON.stringify(kept)).not.toMatch(/hunter2|a1B2/);
    expect(kept['settings']).toEqual({ from: null, to: { password: '[redacted]', host: 'mail.example' } });
  });
});
