import { type CrmField, type CrmValue } from '../port/crm-person';
import { type CrmWrite } from '../port/crm-session';
import { hasSurname, toZohoNote, toZohoPerson, toZohoRecord, getSurname, fromZohoValue } from './zoho-people';

const ROW = {
  id: '4876876000001036109',
  Email: 'Ada@Example.com',
  Secondary_Email: null,
  Owner: { id: '4876876000000900134' },
  Email_Opt_Out: true,
  Created_Time: '2026-01-02T08:34:05+05:30',
  Modified_Time: '2026-02-02T03:04:05-08:00',
  First_Name: 'Ada',
};

const WRITE: CrmWrite = { key: 'k', externalId: null, email: 'ada@example.com', fields: {} };

describe('A person of Zoho', () => {
  it('is read from a row', () => {
    expect(toZohoPerson(ROW, ['First_Name', 'Title'])).toEqual({
      externalId: '4876876000001036109',
      emails: ['Ada@Example.com'],
      fields: { First_Name: 'Ada', Title: null },
      ownerId: '4876876000000900134',
      isOptedOut: true,
      createdAt: new Date('2026-01-02T03:04:05Z'),
      updatedAt: new Date('2026-02-02T11:04:05Z'),
    });
  });

  it('may have two addresses, or none', () => {
    expect(toZohoPerson({ ...ROW, Secondary_Email: 'b@example.com' }, [])?.emails).toEqual([
      'Ada@Example.com',
      'b@example.com',
    ]);
    expect(toZohoPerson({ ...ROW, Email: '', Secondary_Email: 7 }, [])?.emails).toEqual([]);
  });

  it('omits an opt-out and an owner that the input lacks', () => {
    expect(toZohoPerson({ id: '1' }, [])).toEqual({
      externalId: '1',
      emails: [],
      fields: {},
      ownerId: null,
      isOptedOut: null,
      createdAt: null,
      updatedAt: new Date(0),
    });
  });

  it.each([[{}], [{ id: 7 }], [{ id: '' }]])('is not read from %j', (row) => {
    expect(toZohoPerson(row, [])).toBeNull();
  });

  it.each<readonly [unknown, CrmValue]>([
    ['text', 'text'],
    [7.5, 7.5],
    [false, false],
    [null, null],
    [undefined, null],
    ['2026-01-02T08:34:05+05:30', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02', '2026-01-02'],
    ['since 2026-01-02T08:34:05+05:30', 'since 2026-01-02T08:34:05+05:30'],
    [{ id: '12', name: 'Zylker' }, '12'],
    [{ name: 'Zylker' }, null],
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    [
      [{ id: '1' }, 'b', 7],
      ['1', 'b'],
    ],
  ])('reads %j as the value %j', (given, wanted) => {
    expect(fromZohoValue(given)).toEqual(wanted);
  });
});

describe('A record for Zoho', () => {
  const field = (name: string, type: CrmField['type']): [string, CrmField] => [
    name,
    { name, label: name, type, isWritable: true, isCustom: false, options: null, maxLength: null },
  ];
  const fields = new Map([
    field('Title', 'text'),
    field('Born_At', 'instant'),
    field('Tags_List', 'choices'),
    field('Account_Name', 'reference'),
  ]);

  it('has the address only for a new person, as in the input', () => {
    expect(toZohoRecord({ ...WRITE, fields: { Email: 'other@example.com' } }, fields)).toEqual({
      Email: 'ada@example.com',
    });
    expect(toZohoRecord({ ...WRITE, externalId: '7' }, fields)).toEqual({ id: '7' });
  });

  it('has an owner only when one is given', () => {
    expect(toZohoRecord({ ...WRITE, externalId: '7', ownerId: '9' }, fields)).toEqual({ id: '7', Owner: { id: '9' } });
  });

  it.each<readonly [string, CrmValue, unknown]>([
    ['Title', null, null],
    ['Title', 'CEO', 'CEO'],
    ['Born_At', '2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05+00:00'],
    ['Born_At', 'yesterday', 'yesterday'],
    ['Tags_List', 'a', ['a']],
    ['Tags_List', ['a', 'b'], ['a', 'b']],
    ['Account_Name', '12', { id: '12' }],
    ['Unknown', 'x', 'x'],
  ])('writes %s %j as %j', (name, value, wanted) => {
    expect(toZohoRecord({ ...WRITE, externalId: '7', fields: { [name]: value } }, fields)).toEqual({
      id: '7',
      [name]: wanted,
    });
  });

  it.each<readonly [CrmWrite['fields'], string]>([
    [{ First_Name: 'Ada' }, 'Ada'],
    [{ First_Name: ' ' }, 'ada'],
    [{}, 'ada'],
  ])('for a person without a surname, with %j, has the surname %s', (known, surname) => {
    expect(getSurname({ ...WRITE, fields: known })).toBe(surname);
  });

  it.each<readonly [CrmWrite['fields'], boolean]>([
    [{ Last_Name: 'Lovelace' }, true],
    [{ Last_Name: ' ' }, false],
    [{ Last_Name: null }, false],
    [{}, false],
  ])('from %j has a surname: %s', (known, has) => {
    expect(hasSurname({ ...WRITE, fields: known })).toBe(has);
  });

  it('is a note that contains the time, within Zoho’s maximum length', () => {
    const note = toZohoNote({
      key: 'k',
      externalId: '7',
      kind: 'email',
      direction: 'outgoing',
      at: new Date('2026-01-02T03:04:05Z'),
      title: 't'.repeat(200),
      body: 'b'.repeat(40_000),
    });
    expect(note).toMatchObject({
      Parent_Id: { id: '7', module: { api_name: 'Contacts' } },
      Note_Title: 't'.repeat(120),
    });
    expect(note['Note_Content']).toMatch(/^2026-01-02T03:04:05.000Z\nb+$/);
    expect(String(note['Note_Content'])).toHaveLength(32_000);
  });
});
