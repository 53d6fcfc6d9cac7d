import { type CrmField } from '../port/crm-person';
import { listAttributes, toAttioFields, hasOptions, splitFieldName } from './attio-fields';

const attribute = (type: string, more: object = {}) => ({
  api_slug: 'x',
  title: 'The X',
  type,
  is_writable: true,
  ...more,
});

describe('A field of Attio', () => {
  it.each<readonly [string, CrmField['type'], boolean]>([
    ['text', 'text', true],
    ['number', 'number', true],
    ['currency', 'number', true],
    ['checkbox', 'boolean', true],
    ['date', 'day', true],
    ['timestamp', 'instant', true],
    ['select', 'choice', true],
    ['status', 'choice', true],
    ['email-address', 'email', true],
    ['phone-number', 'phone', true],
    ['domain', 'url', true],
    ['record-reference', 'reference', false],
    ['interaction', 'other', false],
  ])('of the type %s is %s and can be written: %s', (given, type, isWritable) => {
    expect(toAttioFields(attribute(given), null)).toMatchObject([{ name: 'x', label: 'The X', type, isWritable }]);
  });

  it('with multiple choices keeps that type, with the allowed choices', () => {
    const [field] = toAttioFields(attribute('select', { is_multiselect: true, is_system_attribute: false }), ['Go']);
    expect(field).toEqual({
      name: 'x',
      label: 'The X',
      type: 'choices',
      isWritable: true,
      isCustom: true,
      options: ['Go'],
      maxLength: null,
    });
    expect([attribute('select'), attribute('status'), attribute('text')].map(hasOptions)).toEqual([true, true, false]);
  });

  it('with several parts becomes one field per part, and the full name is read-only', () => {
    const told = toAttioFields(attribute('personal-name', { api_slug: 'name' }), null);
    expect(told.map(({ name, isWritable }) => [name, isWritable])).toEqual([
      ['name.first_name', true],
      ['name.last_name', true],
      ['name.full_name', false],
    ]);
    expect(toAttioFields(attribute('location'), null).map(({ name }) => name)).toContain('x.locality');
  });

  it('is read-only when the attribute is read-only', () => {
    for (const type of ['text', 'personal-name']) {
      expect(toAttioFields(attribute(type, { is_writable: false }), null).some(({ isWritable }) => isWritable)).toBe(
        false,
      );
    }
  });

  it('is not created from an archived or invalid attribute', () => {
    const fine = attribute('text');
    expect(listAttributes([fine, { ...fine, is_archived: true }, { ...fine, type: 7 }, null, 'x'])).toEqual([fine]);
    expect(listAttributes(fine)).toEqual([]);
  });

  it.each([
    ['job_title', { slug: 'job_title', part: null }],
    ['name.first_name', { slug: 'name', part: 'first_name' }],
  ])('%s maps to %j', (name, place) => {
    expect(splitFieldName(name)).toEqual(place);
  });
});
