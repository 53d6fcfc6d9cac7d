import { getPipedriveCallFault, PIPEDRIVE_DIALECT } from './pipedrive-dialect';
import { toPipedriveActivityRefusal, toPipedriveRefusal, getUnknownPipedriveField } from './pipedrive.errors';

const answer = (status: number, error: string | null = null, headers: Record<string, string> = {}) => ({
  status,
  headers,
  json: error === null ? undefined : { success: false, error },
});

describe('errors of Pipedrive', () => {
  it.each([
    [answer(429, 'request over limit'), 'rate_limited', 2_000],
    [answer(429, 'x', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1' }), 'rate_limited', 1_000],
    [answer(429, 'x', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1764000000' }), 'rate_limited', 2_000],
    [answer(429, 'x', { 'x-ratelimit-remaining': '5' }), 'quota', 3_600_000],
    [answer(429, 'Daily API token budget exceeded'), 'quota', 3_600_000],
    [answer(429, 'x', { 'retry-after': '9' }), 'rate_limited', null],
    [answer(403), 'rate_limited', 600_000],
    [answer(403, 'Scope and URL mismatch'), 'forbidden', null],
    [answer(402, 'Company is suspended'), 'forbidden', null],
    [answer(400, 'Validation failed: cursor: Invalid cursor'), 'cursor', null],
    [answer(400, "Validation failed: x: Parameter 'x' is not allowed for this request"), 'unknown_field', null],
    [answer(400, 'Bad request'), 'rejected', null],
    [answer(503, null), 'server', null],
    [answer(401, 'unauthorized access'), 'unauthorised', null],
  ])('classifies %j as %s', (given, reason, retryAfterMs) => {
    expect(getPipedriveCallFault(given)).toMatchObject({ reason, retryAfterMs });
  });

  it.each([
    [{}, null],
    [{ 'x-ratelimit-remaining': '10' }, null],
    [{ 'x-ratelimit-remaining': '9' }, 2_000],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1' }, 1_000],
    [{ 'x-daily-requests-left': '1', 'x-ratelimit-remaining': '50' }, null],
    [{ 'x-daily-requests-left': '0', 'x-ratelimit-remaining': '50' }, 3_600_000],
  ])('after %j, cools down for %j ms', (headers, ms) => {
    expect(PIPEDRIVE_DIALECT.getCooldownMs({ status: 200, headers: { ...headers }, json: {} })).toBe(ms);
  });

  it.each([
    ["Validation failed: custom_fields.abc: Parameter 'custom_fields.abc' is not allowed for this request", 'abc'],
    ["Validation failed: title: Parameter 'title' is not allowed for this request; x: y", 'title'],
    ['Validation failed: name: Expected a name', null],
  ])('names the unknown field of %j', (message, field) => {
    expect(getUnknownPipedriveField(message)).toBe(field);
  });

  it.each([
    [400, 'Validation failed: emails.0.value: Invalid email', { reason: 'invalid', field: 'emails' }],
    [400, 'Validation failed: custom_fields.abc: Expected a number', { reason: 'invalid', field: 'abc' }],
    [400, 'Bad request', { reason: 'invalid', field: null }],
    [404, 'Person not found', { reason: 'gone' }],
    [410, '', { reason: 'gone', message: 'Status 410' }],
    [403, 'No permission', { reason: 'forbidden' }],
    [409, 'Conflict', { reason: 'other' }],
    [403, 'Scope and URL mismatch', null],
    [403, '', null],
    [429, 'x', null],
  ])('classifies a refused person with %i %j as %j', (status, message, refused) => {
    const written = toPipedriveRefusal('k', { status, code: '', message });
    if (refused === null) expect(written).toBeNull();
    else expect(written).toMatchObject({ key: 'k', kind: 'refused', ...refused });
  });

  it.each([
    [400, 'Person with ID 7 not found or not accessible', 'gone'],
    [404, 'Not found', 'gone'],
    [400, 'content is required', 'invalid'],
    [403, 'No permission', 'forbidden'],
    [409, 'Conflict', 'other'],
  ])('classifies a refused activity with %i %j as %s', (status, message, reason) => {
    expect(toPipedriveActivityRefusal('k', { status, code: '', message })).toMatchObject({ kind: 'refused', reason });
  });
});
