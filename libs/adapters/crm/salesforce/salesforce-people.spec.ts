import { type CrmWrite } from '../port/crm-session';
import { getContactId, toSalesforcePerson, toSalesforceRecord, listSelectedFields, getTask } from './salesforce-people';

const RECORD = {
  attributes: { type: 'Contact', url: '/services/data/v62.0/sobjects/Contact/0035g00000AbCdEAAV' },
  Id: '0035g00000AbCdEAAV',
  Email: 'jane@acme.com',
  OwnerId: '0055g00000XyZabAAF',
  HasOptedOutOfEmail: false,
  CreatedDate: '2026-01-02T03:04:05.000+0000',
  SystemModstamp: '2026-11-22T05:00:00.000+0000',
};

describe('people of Salesforce', () => {
  it('selects each field once, and the standard fields', () => {
    expect(listSelectedFields(['FirstName', 'Email', 'FirstName'], true)).toEqual([
      'Id',
      'Email',
      'OwnerId',
      'CreatedDate',
      'SystemModstamp',
      'HasOptedOutOfEmail',
      'FirstName',
    ]);
    expect(listSelectedFields([], false)).not.toContain('HasOptedOutOfEmail');
  });

  it('reads a contact', () => {
    expect(toSalesforcePerson({ ...RECORD, FirstName: 'Jane' }, ['FirstName', 'Title'], true)).toEqual({
      externalId: '0035g00000AbCdEAAV',
      emails: ['jane@acme.com'],
      fields: { FirstName: 'Jane', Title: null },
      ownerId: '0055g00000XyZabAAF',
      isOptedOut: false,
      createdAt: new Date('2026-01-02T03:04:05Z'),
      updatedAt: new Date('2026-11-22T05:00:00Z'),
    });
  });

  it.each([
    ['a number', 'Score__c', 12.5, 12.5],
    ['a boolean', 'DoNotCall', true, true],
    ['a day', 'Birthdate', '1980-02-29', '1980-02-29'],
    ['an instant', 'LastActivity__c', '2026-11-22T05:00:00.000+0000', '2026-11-22T05:00:00.000Z'],
    ['several choices', 'Topics__c', 'a;b', 'a;b'],
    ['a composed field', 'MailingAddress', { city: 'Brno' }, null],
    ['nothing', 'Title', null, null],
  ])('reads %s', (_what, name, value, read) => {
    expect(toSalesforcePerson({ ...RECORD, [name]: value }, [name], true)?.fields).toEqual({ [name]: read });
  });

  it('reads the name of the account from its nested record', () => {
    const account = { Account: { attributes: { type: 'Account' }, Name: 'Acme' } };
    expect(toSalesforcePerson({ ...RECORD, ...account }, ['Account.Name'], true)?.fields).toEqual({
      'Account.Name': 'Acme',
    });
    expect(toSalesforcePerson({ ...RECORD, Account: null }, ['Account.Name'], true)?.fields).toEqual({
      'Account.Name': null,
    });
  });

  it.each([
    ['that is not visible to us', { HasOptedOutOfEmail: undefined }, false, null],
    ['that says yes', { HasOptedOutOfEmail: true }, true, true],
  ])('reads an opt-out %s', (_what, change, hasOptOut, isOptedOut) => {
    expect(toSalesforcePerson({ ...RECORD, ...change }, [], hasOptOut)?.isOptedOut).toBe(isOptedOut);
  });

  it('reads no person from a record without an id or time', () => {
    expect(toSalesforcePerson({ ...RECORD, Id: undefined }, [], true)).toBeNull();
    expect(toSalesforcePerson({ ...RECORD, SystemModstamp: 'soon' }, [], true)).toBeNull();
  });

  const write = (change: Partial<CrmWrite>): CrmWrite => ({
    key: 'k',
    externalId: null,
    email: 'jane.doe@acme.com',
    fields: {},
    ...change,
  });

  it.each<[string, Partial<CrmWrite>, object]>([
    ['without a last name', {}, { Email: 'jane.doe@acme.com', LastName: 'jane.doe' }],
    ['with an empty one', { fields: { LastName: ' ' } }, { Email: 'jane.doe@acme.com', LastName: 'jane.doe' }],
    ['with one', { fields: { LastName: 'Doe' } }, { Email: 'jane.doe@acme.com', LastName: 'Doe' }],
    [
      'with another address among the fields',
      { fields: { LastName: 'Doe', Email: 'x@y.z' } },
      { Email: 'jane.doe@acme.com', LastName: 'Doe' },
    ],
    [
      'with an owner',
      { fields: { LastName: 'Doe' }, ownerId: '005' },
      { Email: 'jane.doe@acme.com', LastName: 'Doe', OwnerId: '005' },
    ],
    [
      'of a long address',
      { email: `${'a'.repeat(90)}@acme.com` },
      { Email: `${'a'.repeat(90)}@acme.com`, LastName: 'a'.repeat(80) },
    ],
  ])('creates a contact %s', (_what, change, record) => {
    expect(toSalesforceRecord(write(change))).toEqual({ attributes: { type: 'Contact' }, ...record });
  });

  it.each<[string, Partial<CrmWrite>, object]>([
    ['only what is named', { fields: { Title: 'CEO' } }, { Title: 'CEO' }],
    ['an emptied field', { fields: { Title: null } }, { Title: null }],
    ['no emptied last name', { fields: { Title: 'CEO', LastName: null } }, { Title: 'CEO' }],
    ['several choices', { fields: { Topics__c: ['a', 'b'] } }, { Topics__c: 'a;b' }],
    [
      'nothing that would make it another record',
      { fields: { attributes: 'User', Id: '005', Title: 'CEO' } },
      { Title: 'CEO' },
    ],
  ])('changes a contact %s', (_what, change, record) => {
    const externalId = '0035g00000AbCdEAAV';
    expect(toSalesforceRecord(write({ ...change, externalId }))).toEqual({
      attributes: { type: 'Contact' },
      Id: externalId,
      ...record,
    });
  });

  it('records an email as a completed task of the type email, and truncates long text', () => {
    const activity = {
      key: 'k',
      externalId: '0035g00000AbCdEAAV',
      kind: 'email',
      direction: 'outgoing',
      at: new Date('2026-11-22T23:59:59Z'),
      title: 't'.repeat(300),
      body: 'b'.repeat(33_000),
    } as const;
    expect(getTask(activity)).toEqual({
      attributes: { type: 'Task' },
      WhoId: '0035g00000AbCdEAAV',
      Subject: 't'.repeat(255),
      Description: 'b'.repeat(32_000),
      Status: 'Completed',
      TaskSubtype: 'Email',
      ActivityDate: '2026-11-22',
    });
    expect(getTask({ ...activity, kind: 'note' })).toMatchObject({ TaskSubtype: 'Task' });
  });

  it.each([
    ['0035g00000AbCdE', '0035g00000AbCdEAAV'],
    ['0035g00000AbCdEAAV', '0035g00000AbCdEAAV'],
    ['003000000000000', '003000000000000AAA'],
    ['003xx000003DGb1', '003xx000003DGb1AAG'],
    ['003AAAAAAAAAAAA', '003AAAAAAAAAAAAY55'],
    ['0055g00000XyZab', null],
    ["003') OR (Id !='", null],
    ['00350', null],
    ['', null],
  ])('normalises the id %j to %j', (text, id) => {
    expect(getContactId(text)).toBe(id);
  });
});
