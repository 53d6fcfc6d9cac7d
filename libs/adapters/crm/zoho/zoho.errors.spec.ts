import { type CrmReason } from '../port/crm.errors';
import { type CrmWrite } from '../port/crm-session';
import { ZOHO } from './zoho-dialect';
import { parseZohoAnswer, getCredits, toZohoRecorded, toZohoWritten, type ZohoAnswer } from './zoho.errors';

const QUARTER_HOUR_MS = 900_000;

const answer = (code: string, details: ZohoAnswer['details'] = {}, action: string | null = null): ZohoAnswer => ({
  code,
  message: 'said',
  details,
  action,
});
const MADE: CrmWrite = { key: 'k', externalId: null, email: 'a@example.com', fields: {} };
const CHANGED: CrmWrite = { ...MADE, externalId: '7' };

describe('Refused requests of Zoho', () => {
  it.each<readonly [number, string, object, CrmReason]>([
    [401, 'INVALID_TOKEN', {}, 'unauthorised'],
    [401, 'AUTHENTICATION_FAILURE', {}, 'unauthorised'],
    [401, 'OAUTH_SCOPE_MISMATCH', {}, 'forbidden'],
    [403, 'NO_PERMISSION', { permissions: ['Crm_Implied_View_Contacts'] }, 'forbidden'],
    [400, 'INVALID_MODULE', {}, 'forbidden'],
    [400, 'INVALID_QUERY', { column_name: 'Gone', reason: 'column given seems to be invalid' }, 'unknown_field'],
    [400, 'INVALID_QUERY', { column_name: 'Born', operator: '>', reason: 'invalid operator found' }, 'rejected'],
    [400, 'INVALID_QUERY', { column_name: 'Born', operator: '=', value: 'x' }, 'rejected'],
    [400, 'INVALID_QUERY', { cvid: '12' }, 'rejected'],
    [400, 'SYNTAX_ERROR', { near: 'x' }, 'rejected'],
    [429, 'TOO_MANY_REQUESTS', {}, 'rate_limited'],
    [500, 'INTERNAL_ERROR', {}, 'server'],
    [400, 'INTERNAL_ERROR', {}, 'server'],
    [503, 'UNHEARD_OF', {}, 'server'],
    [404, 'INVALID_URL_PATTERN', {}, 'rejected'],
  ])('%i %s %j is %s', (status, code, details, reason) => {
    const fault = ZOHO.getFault({ status, headers: {}, json: { code, details, message: 'said', status: 'error' } });
    expect(fault).toMatchObject({ reason, sentence: 'said' });
    expect(fault?.field).toBe(reason === 'unknown_field' ? 'Gone' : null);
  });

  it('are classified by status when the body is not Zoho’s', () => {
    expect(ZOHO.getFault({ status: 502, headers: {}, json: undefined })).toMatchObject({
      reason: 'server',
      sentence: '',
    });
    for (const json of [null, 'x', [], {}, { code: 7 }, { code: 'lower case' }])
      expect(parseZohoAnswer(json)).toBeNull();
  });

  it('are a quota without credits, with a cooldown of a quarter of an hour', () => {
    const headers = { 'x-api-credits-remaining': '0' };
    const json = { code: 'TOO_MANY_REQUESTS', message: 'said' };
    expect(ZOHO.getFault({ status: 429, headers, json })).toMatchObject({
      reason: 'quota',
      retryAfterMs: QUARTER_HOUR_MS,
    });
    expect(ZOHO.getCooldownMs({ status: 200, headers, json: {} })).toBe(QUARTER_HOUR_MS);
    expect(ZOHO.getCooldownMs({ status: 200, headers: { 'x-api-credits-remaining': '12' }, json: {} })).toBeNull();
    expect(ZOHO.getCooldownMs({ status: 200, headers: {}, json: {} })).toBeNull();
  });

  it.each<readonly [string | undefined, number | null]>([
    ['0', 0],
    [' 4711 ', 4_711],
    [undefined, null],
    ['', null],
    ['-1', null],
    ['many', null],
  ])('reads %j as %j credits', (header, credits) => {
    expect(getCredits(header)).toBe(credits);
  });
});

describe('The outcome of a person', () => {
  it.each([
    [MADE, answer('SUCCESS', { id: '9' }, 'insert'), 'created'],
    [MADE, answer('SUCCESS', { id: '9' }, 'update'), 'merged'],
    [MADE, answer('SUCCESS', { id: '9' }), 'merged'],
    [CHANGED, answer('SUCCESS', { id: '9' }), 'updated'],
  ] as const)('%j with %j is %s', (write, said, kind) => {
    expect(toZohoWritten(write, said)).toEqual({ key: 'k', kind, externalId: '9', updatedAt: null });
  });

  it('has the time of the change', () => {
    const details = { id: '9', Modified_Time: '2026-01-02T08:34:05+05:30' };
    expect(toZohoWritten(CHANGED, answer('SUCCESS', details))).toMatchObject({
      updatedAt: new Date('2026-01-02T03:04:05Z'),
    });
  });

  it.each([[null], [answer('SUCCESS')], [answer('INTERNAL_ERROR')]])('is not read from %j', (said) => {
    expect(toZohoWritten(MADE, said)).toMatchObject({ key: 'k', kind: 'ambiguous' });
  });

  it.each([
    [MADE, answer('INVALID_DATA', { api_name: 'Phone', maximum_length: 50 }), 'invalid', 'Phone', null],
    [MADE, answer('MANDATORY_NOT_FOUND', { api_name: 'Region' }), 'invalid', 'Region', null],
    [MADE, answer('DUPLICATE_DATA', { api_name: 'Passport', id: '8' }), 'duplicate', 'Passport', '8'],
    [MADE, answer('DUPLICATE_DATA', { api_name: 'Email', duplicate_record: { id: '8' } }), 'duplicate', 'Email', '8'],
    [MADE, answer('DUPLICATE_DATA', { api_name: 'Email' }), 'duplicate', 'Email', null],
    [MADE, answer('NOT_ALLOWED'), 'forbidden', null, null],
    [MADE, answer('RECORD_LOCKED'), 'forbidden', null, null],
    [MADE, answer('SOMETHING_NEW'), 'other', null, null],
    [MADE, answer('INVALID_DATA'), 'invalid', null, null],
    [CHANGED, answer('INVALID_DATA'), 'gone', null, null],
    [CHANGED, answer('INVALID_DATA', { api_name: 'id' }), 'gone', null, null],
    [CHANGED, answer('INVALID_DATA', { api_name: 'Phone' }), 'invalid', 'Phone', null],
  ] as const)('%j with %j is refused as %s', (write, said, reason, field, externalId) => {
    expect(toZohoWritten(write, said)).toEqual({
      key: 'k',
      kind: 'refused',
      reason,
      message: 'said',
      field,
      externalId,
    });
  });
});

describe('The outcome of a note', () => {
  it.each([
    [answer('SUCCESS', { id: '9' }), { kind: 'recorded', activityId: '9' }],
    [answer('SUCCESS'), { kind: 'ambiguous' }],
    [null, { kind: 'ambiguous' }],
    [answer('INTERNAL_ERROR'), { kind: 'ambiguous' }],
    [answer('INVALID_DATA', { api_name: 'Parent_Id' }), { kind: 'refused', reason: 'gone' }],
    [answer('INVALID_DATA', { api_name: 'Note_Content' }), { kind: 'refused', reason: 'invalid' }],
    [answer('NO_PERMISSION'), { kind: 'refused', reason: 'forbidden' }],
    [answer('DUPLICATE_DATA'), { kind: 'refused', reason: 'other' }],
    [answer('SOMETHING_NEW'), { kind: 'refused', reason: 'other' }],
  ])('%j: %j', (said, wanted) => {
    expect(toZohoRecorded('k', said)).toMatchObject({ key: 'k', ...wanted });
  });
});
