import { type CrmWrite } from '../port/crm-session';
import {
  getSalesforceFaults,
  toSalesforceReason,
  toSalesforceActivityRefusal,
  toSalesforceRefusal,
  type SalesforceFault,
  getSentence,
  getUnknownSalesforceField,
} from './salesforce.errors';

const fault = (code: string, message = '', fields: string[] = []): SalesforceFault => ({
  code,
  message,
  fields,
  matches: [],
});

const UNKNOWN =
  "\nSELECT Id,Gone__c FROM Contact WHERE Email IN ('jane@acme.com')\n          ^\nERROR at Row:1:Column:11\nNo such column 'Gone__c' on entity 'Contact'. If you are attempting to use a custom field, be sure to append the '__c'.";

describe('errors of Salesforce', () => {
  it.each([
    ['INVALID_SESSION_ID', 'Session expired or invalid', 'unauthorised'],
    ['REQUEST_LIMIT_EXCEEDED', 'TotalRequests Limit exceeded.', 'quota'],
    ['REQUEST_LIMIT_EXCEEDED', 'ConcurrentRequests (Concurrent API Requests) Limit exceeded.', 'rate_limited'],
    ['API_DISABLED_FOR_ORG', 'API is not enabled for this Organization or Partner', 'forbidden'],
    ['INVALID_TYPE', "sObject type 'Contact' is not supported.", 'forbidden'],
    ['INVALID_FIELD', UNKNOWN, 'unknown_field'],
    ['INVALID_QUERY_LOCATOR', 'invalid query locator', 'cursor'],
    ['QUERY_TIMEOUT', 'Your query request was running for too long.', 'server'],
    ['MALFORMED_QUERY', 'unexpected token', null],
  ])('classifies %s (%s) as %s', (code, message, reason) => {
    expect(toSalesforceReason(fault(code, message))).toBe(reason);
  });

  it.each([
    [fault('INVALID_FIELD', UNKNOWN), 'Gone__c'],
    [fault('INVALID_FIELD', "No such column 'Gone__c' on sobject of type Contact"), 'Gone__c'],
    [
      fault('INVALID_FIELD_FOR_INSERT_UPDATE', 'Unable to create/update fields: Locked__c. Please check the security'),
      'Locked__c',
    ],
    [fault('INVALID_FIELD', 'something else', ['Other__c']), 'Other__c'],
    [fault('STRING_TOO_LONG', "No such column 'Gone__c'"), null],
  ])('names the field of %j', (given, field) => {
    expect(getUnknownSalesforceField(given)).toBe(field);
  });

  it('keeps one sentence without the query', () => {
    expect(getSentence(fault('INVALID_FIELD', UNKNOWN))).toBe("No such column 'Gone__c' on entity 'Contact'.");
    expect(getSentence(fault('UNKNOWN_EXCEPTION'))).toBe('UNKNOWN_EXCEPTION');
  });

  const write: CrmWrite = { key: 'k', externalId: null, email: 'jane@acme.com', fields: {} };
  const change: CrmWrite = { ...write, externalId: '0035g00000AbCdEAAV' };

  it.each<[string, CrmWrite, SalesforceFault, object]>([
    [
      'a field that is not there',
      write,
      fault('INVALID_FIELD', "No such column 'Gone__c' on sobject of type Contact"),
      { reason: 'unknown_field', field: 'Gone__c' },
    ],
    ['a text that is too long', write, fault('STRING_TOO_LONG', 'x', ['Title']), { reason: 'invalid', field: 'Title' }],
    ['a rule of the organisation', write, fault('FIELD_CUSTOM_VALIDATION_EXCEPTION', 'No.', []), { reason: 'invalid' }],
    ['a contact that was deleted', change, fault('ENTITY_IS_DELETED'), { reason: 'gone' }],
    [
      'a contact that never was',
      change,
      fault('INVALID_CROSS_REFERENCE_KEY', 'invalid cross reference id'),
      { reason: 'gone' },
    ],
    [
      'a wrong owner',
      change,
      fault('INVALID_CROSS_REFERENCE_KEY', 'x', ['OwnerId']),
      { reason: 'invalid', field: 'OwnerId' },
    ],
    ['a wrong owner of a new one', write, fault('INVALID_CROSS_REFERENCE_KEY', 'x', []), { reason: 'invalid' }],
    ['a contact of others', change, fault('INSUFFICIENT_ACCESS_OR_READONLY'), { reason: 'forbidden' }],
    [
      'code of the organisation',
      change,
      fault('CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY', 'Trigger failed'),
      { reason: 'other' },
    ],
  ])('classifies a refused record: %s', (_what, given, of, refused) => {
    expect(toSalesforceRefusal(given, of)).toMatchObject({ key: 'k', kind: 'refused', ...refused });
  });

  it.each(['UNABLE_TO_LOCK_ROW', 'REQUEST_LIMIT_EXCEEDED'])(
    'reports a record as ambiguous that was kept from being written by %s',
    (code) => {
      expect(toSalesforceRefusal(change, fault(code, 'try later'))).toMatchObject({
        kind: 'ambiguous',
        message: 'try later',
      });
      expect(toSalesforceActivityRefusal('k', fault(code, 'try later'))).toMatchObject({ kind: 'ambiguous' });
    },
  );

  const matches = (...records: object[]) =>
    getSalesforceFaults([
      {
        statusCode: 'DUPLICATES_DETECTED',
        message: 'Use one of these records?',
        fields: [],
        duplicateResult: {
          matchResults: [{ entityType: 'Contact', matchRecords: records.map((record) => ({ record })) }],
        },
      },
    ]);

  it.each([
    ['the same address', [{ Id: '0035g00000AbCdEAAV', Email: 'JANE@acme.com' }], '0035g00000AbCdEAAV'],
    ['a like name only', [{ Id: '0035g00000AbCdEAAV', Email: 'other@acme.com' }], null],
    ['a lead, which is no contact', [{ Id: '00Q5g00000AbCdEAAV', Email: 'jane@acme.com' }], null],
    [
      'two of the same address',
      [
        { Id: '0035g00000AbCdEAAV', Email: 'jane@acme.com' },
        { Id: '0035g00000AbCdFAAV', Email: 'jane@acme.com' },
      ],
      null,
    ],
    ['details that are kept back', [{ Id: '0035g00000AbCdEAAV' }], null],
  ])('names the duplicate with %s', (_what, records, externalId) => {
    const [found] = matches(...records);
    expect(found && toSalesforceRefusal(write, found)).toMatchObject({
      kind: 'refused',
      reason: 'duplicate',
      externalId,
    });
  });

  it.each([
    [fault('INVALID_CROSS_REFERENCE_KEY', 'x', ['WhoId']), 'gone'],
    [fault('ENTITY_IS_DELETED'), 'gone'],
    [fault('INSUFFICIENT_ACCESS_ON_CROSS_REFERENCE_ENTITY'), 'forbidden'],
    [fault('STRING_TOO_LONG'), 'invalid'],
    [fault('INVALID_FIELD'), 'other'],
  ])('classifies a refused activity: %j', (of, reason) => {
    expect(toSalesforceActivityRefusal('k', of)).toMatchObject({ kind: 'refused', reason });
  });

  it.each([
    [[{ errorCode: 'INVALID_FIELD', message: 'x' }], ['INVALID_FIELD']],
    [[{ statusCode: 'STRING_TOO_LONG', message: 'x', fields: ['Title', 1] }], ['STRING_TOO_LONG']],
    [{ error: 'invalid_grant' }, []],
    [[null, 'x', { errorCode: 'not a code' }], []],
    [undefined, []],
  ])('reads the errors of %j', (body, codes) => {
    expect(getSalesforceFaults(body).map(({ code }) => code)).toEqual(codes);
  });

  it('reads the result of a duplicate rule under the name that Salesforce misspells', () => {
    const [found] = getSalesforceFaults([
      {
        errorCode: 'DUPLICATES_DETECTED',
        message: 'x',
        duplicateResut: { matchResults: [{ matchRecords: [{ record: { Id: '003' } }] }] },
      },
    ]);
    expect(found?.matches).toEqual([{ Id: '003' }]);
  });
});
