import { type CrmAnswer } from '../http/crm-response';
import { getHubSpotFaults, HUBSPOT, toHubSpotRefusal } from './hubspot.errors';

const answer = (status: number, json: unknown, headers: Record<string, string> = {}): CrmAnswer => ({
  status,
  json,
  headers,
});
const told = (category: string, message: string) => ({ status: 'error', category, message });
const validation = (entries: readonly object[]) =>
  told('VALIDATION_ERROR', `Property values were not valid: ${JSON.stringify(entries)}`);
const MISSING = {
  isValid: false,
  message: 'Property "shoe" does not exist',
  error: 'PROPERTY_DOESNT_EXIST',
  name: 'shoe',
};

describe('errors of HubSpot', () => {
  it.each([
    ['the limit of a day', 429, { policyName: 'DAILY', message: 'x' }, { reason: 'quota' }],
    [
      'the rolling limit',
      429,
      { policyName: 'TEN_SECONDLY_ROLLING', message: 'x' },
      { reason: 'rate_limited', retryAfterMs: 10_000 },
    ],
    ['the limit of searches', 429, { policyName: 'SECONDLY' }, { reason: 'rate_limited', retryAfterMs: 1_000 }],
    ['an expired token', 401, told('EXPIRED_AUTHENTICATION', 'x'), { reason: 'unauthorised' }],
    ['a scope that is missing', 403, told('MISSING_SCOPES', 'x'), { reason: 'forbidden' }],
    ['a bad request', 400, told('VALIDATION_ERROR', 'x'), { reason: 'rejected', sentence: 'x' }],
    ['a missing property of a write', 400, validation([MISSING]), { reason: 'unknown_field', field: 'shoe' }],
    [
      'a missing property of a search',
      400,
      told('VALIDATION_ERROR', "Property 'shoe' does not exist"),
      { reason: 'unknown_field', field: 'shoe' },
    ],
  ])('classifies %s', (_name, status, json, fault) => {
    expect(HUBSPOT.getFault(answer(status, json))).toMatchObject(fault);
  });

  it('prefers the wait of a header to the documented one', () => {
    const limited = answer(429, { policyName: 'SECONDLY' }, { 'retry-after': '3' });
    expect(HUBSPOT.getFault(limited)).toMatchObject({ reason: 'rate_limited', retryAfterMs: null });
  });

  it.each([
    ['no page of an API', '<html>'],
    ['nothing', undefined],
    ['a list', [1]],
  ])('does not classify %s', (_name, json) => {
    expect(HUBSPOT.getFault(answer(502, json))).toBeNull();
    expect(getHubSpotFaults(json)).toMatchObject([{ code: '', message: '' }]);
  });

  it.each([
    [{ 'x-hubspot-ratelimit-remaining': '0', 'x-hubspot-ratelimit-interval-milliseconds': '10000' }, 10_000],
    [{ 'x-hubspot-ratelimit-remaining': '0' }, 10_000],
    [{ 'x-hubspot-ratelimit-remaining': '0', 'x-hubspot-ratelimit-interval-milliseconds': '99999999' }, 10_000],
    [{ 'x-hubspot-ratelimit-remaining': '1' }, null],
    [{}, null],
  ])('with %j, cools down for %j ms', (headers, rest) => {
    expect(HUBSPOT.getCooldownMs(answer(200, {}, headers as Record<string, string>))).toBe(rest);
  });

  it.each([
    ['unknown_field', [{ ...MISSING }], 'shoe'],
    ['invalid', [{ error: 'INVALID_EMAIL', message: 'Email address x is invalid', name: 'email' }], 'email'],
    ['invalid', [{ error: 'INVALID_OPTION', message: 'no option', name: 'stage' }], 'stage'],
    ['forbidden', [{ error: 'READ_ONLY_VALUE', message: 'read only', name: 'hs_score' }], 'hs_score'],
  ])('classifies a refused person as %s', (reason, entries, field) => {
    const refusal = toHubSpotRefusal('k', getHubSpotFaults(validation(entries)), (text) => text);
    expect(refusal).toMatchObject({ key: 'k', kind: 'refused', reason, field });
  });

  it('names the contact that already has the address', () => {
    const faults = getHubSpotFaults(told('CONFLICT', 'Contact already exists. Existing ID: 5501'));
    expect(toHubSpotRefusal('k', faults, (text) => text)).toMatchObject({ reason: 'duplicate', externalId: '5501' });
  });
});
