import { PersonSchema } from './person-schema';
import { getStored, fromPipedriveValue } from './pipedrive-values';
import { UnfitValueError } from './pipedrive.errors';

const custom = (kind: string) => {
  const code = 'a'.repeat(40);
  const options = [
    { id: 31, label: 'New' },
    { id: 32, label: 'Replied' },
    { id: 33, label: '31' },
  ];
  const listed = { field_code: code, field_name: 'F', field_type: kind, is_custom_field: true, options };
  const field = new PersonSchema([listed]).get(code);
  if (!field) throw new Error(`no field of ${kind}`);
  return field;
};

describe('values of Pipedrive', () => {
  it.each([
    ['varchar', 'x', 'x'],
    ['varchar', null, null],
    ['varchar', undefined, null],
    ['double', 7.5, 7.5],
    ['enum', 32, 'Replied'],
    ['enum', 99, '99'],
    ['set', [31, 32], ['New', 'Replied']],
    ['set', [], []],
    ['user', 71, '71'],
    ['monetary', { value: 5, currency: 'EUR' }, 5],
    ['daterange', { value: '2026-01-01', until: '2026-02-01' }, '2026-01-01/2026-02-01'],
    ['time', { value: '09:00:00', timezone_id: 1 }, '09:00:00'],
    ['address', { value: 'Brno', country: 'CZ' }, 'Brno'],
    ['address', { country: 'CZ' }, null],
  ])('reads %s %j as %j', (kind, raw, value) => {
    expect(fromPipedriveValue(custom(kind), raw)).toEqual(value);
  });

  it.each([
    ['varchar', 'x', 'x'],
    ['varchar', 5, '5'],
    ['varchar', ['a', 'b'], 'a, b'],
    ['text', '', null],
    ['double', '7.5', 7.5],
    ['double', 0, 0],
    ['double', null, null],
    ['enum', 'Replied', 32],
    // A label takes precedence over an id with the same text.
    ['enum', '31', 33],
    ['enum', '32', 32],
    ['set', ['New', 'Replied'], [31, 32]],
    ['set', 'New', [31]],
    ['set', [], null],
    ['date', '2026-11-22', '2026-11-22'],
    ['date', '2026-11-22T05:00:00.000Z', '2026-11-22'],
    ['user', '71', 71],
    ['address', 'Brno', { value: 'Brno' }],
  ])('writes for %s the value %j as %j', (kind, value, stored) => {
    expect(getStored(custom(kind), value)).toEqual(stored);
  });

  it.each([
    ['double', 'many'],
    ['double', ' '],
    ['double', ['1', '2']],
    ['enum', 'Lost'],
    ['set', ['New', 'Lost']],
    ['date', '22/11/2026'],
    ['user', 'me'],
    ['user', '1.5'],
  ])('cannot write for %s the value %j', (kind, value) => {
    expect(() => getStored(custom(kind), value)).toThrow(UnfitValueError);
  });

  it.each([
    [true, 'unsubscribed'],
    ['true', 'unsubscribed'],
    ['subscribed', 'subscribed'],
    [false, undefined],
    ['false', undefined],
    [null, undefined],
    ['', undefined],
  ])('reads the marketing status %j as %j', (value, stored) => {
    const listed = { field_code: 'marketing_status', field_name: 'M', field_type: 'status', is_custom_field: false };
    const field = new PersonSchema([listed]).get('marketing_status');
    expect(field && getStored(field, value)).toBe(stored);
  });
});

describe('fields of Pipedrive', () => {
  const listed = (code: string, isCustom: boolean, type = 'varchar') => ({
    field_code: code,
    field_name: `The ${code}`,
    field_type: type,
    is_custom_field: isCustom,
  });

  it('are the standard, custom and configured fields of the account', () => {
    const names = new PersonSchema([]).all.map(({ name }) => name);
    expect(names).toEqual(['name', 'first_name', 'last_name', 'phones', 'org_id', 'org_name']);
    const schema = new PersonSchema([
      listed('name', false),
      listed('open_deals_count', false, 'int'),
      listed('job_title', false),
      listed('marketing_status', false),
      listed('b'.repeat(40), true, 'a type of tomorrow'),
    ]);
    expect(schema.all.map(({ name }) => name).slice(6)).toEqual(['job_title', 'marketing_status', 'b'.repeat(40)]);
    expect(schema.get('b'.repeat(40))).toMatchObject({ type: 'other', isWritable: false, isCustom: true });
    expect(schema.hasMarketing).toBe(true);
    expect(schema.get('open_deals_count')).toBeNull();
  });
});
