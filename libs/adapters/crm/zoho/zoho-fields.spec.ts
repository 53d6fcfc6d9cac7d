import { type CrmField } from '../port/crm-person';
import { toZohoFields, listZohoFields } from './zoho-fields';

describe('A field of Zoho', () => {
  it.each<readonly [string, CrmField['type']]>([
    ['text', 'text'],
    ['textarea', 'text'],
    ['email', 'email'],
    ['phone', 'phone'],
    ['website', 'url'],
    ['picklist', 'choice'],
    ['multiselectpicklist', 'choices'],
    ['boolean', 'boolean'],
    ['currency', 'number'],
    ['date', 'day'],
    ['datetime', 'instant'],
    ['lookup', 'reference'],
    ['subform', 'other'],
  ])('of the type %s is %s', (data_type, type) => {
    expect(toZohoFields([{ api_name: 'X', data_type }])).toMatchObject([{ name: 'X', label: 'X', type }]);
  });

  it('has its label, choices and length, and is marked as custom when the account created it', () => {
    const pick_list_values = [{ actual_value: 'Web' }, {}, { actual_value: 'Fair' }];
    const fields = toZohoFields([
      { api_name: 'A', field_label: 'The A', data_type: 'text', length: 40, custom_field: true },
      { api_name: 'B', display_label: 'The B', field_label: 'x', data_type: 'picklist', length: 120, pick_list_values },
    ]);
    expect(fields).toEqual([
      { name: 'A', label: 'The A', type: 'text', isWritable: true, isCustom: true, options: null, maxLength: 40 },
      {
        name: 'B',
        label: 'The B',
        type: 'choice',
        isWritable: true,
        isCustom: false,
        options: ['Web', 'Fair'],
        maxLength: null,
      },
    ]);
  });

  it.each([
    [{ data_type: 'text' }, true],
    [{ data_type: 'text', read_only: true }, false],
    [{ data_type: 'text', operation_type: { api_update: false } }, false],
    [{ data_type: 'formula' }, false],
  ])('with %j is writable: %s', (more, isWritable) => {
    expect(toZohoFields([{ api_name: 'X', ...more }])).toMatchObject([{ isWritable }]);
  });

  it('for the account is accompanied by its read-only name', () => {
    expect(toZohoFields([{ api_name: 'Account_Name', data_type: 'lookup' }])).toMatchObject([
      { name: 'Account_Name', type: 'reference', isWritable: true },
      { name: 'Account_Name.Account_Name', type: 'text', isWritable: false },
    ]);
  });

  it('is not read from a response of another server', () => {
    expect(listZohoFields([{ api_name: 'X' }, 'x', null, { data_type: 'text' }])).toEqual([]);
    expect(listZohoFields({ api_name: 'X' })).toEqual([]);
  });
});
