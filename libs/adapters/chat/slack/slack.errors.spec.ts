import { toSlackRefusal, type SlackRefusal } from './slack.errors';

const NOW = new Date('2026-11-25T12:00:00.000Z');
const refusal = (given: Partial<SlackRefusal>) =>
  toSlackRefusal({ status: 200, retryAfter: undefined, vendorCode: '', posts: true, now: NOW, ...given });

it.each([
  // Web API: status 200 with an error code.
  [200, 'ratelimited', 'rate_limited', 'temporary'],
  [200, 'message_limit_exceeded', 'rate_limited', 'temporary'],
  [200, 'service_unavailable', 'unavailable', 'temporary'],
  [200, 'team_added_to_org', 'unavailable', 'temporary'],
  [200, 'invalid_auth', 'authorisation', 'needs-human'],
  [200, 'token_revoked', 'authorisation', 'needs-human'],
  [200, 'account_inactive', 'authorisation', 'needs-human'],
  [200, 'org_login_required', 'authorisation', 'needs-human'],
  [200, 'missing_scope', 'authorisation', 'needs-human'],
  [200, 'channel_not_found', 'channel', 'needs-human'],
  [200, 'is_archived', 'channel', 'needs-human'],
  [200, 'not_in_channel', 'channel', 'needs-human'],
  [200, 'restricted_action', 'channel', 'needs-human'],
  [200, 'msg_too_long', 'refused', 'permanent'],
  [200, 'no_text', 'refused', 'permanent'],
  [200, 'a_word_of_tomorrow', 'refused', 'permanent'],
  [200, 'fatal_error', 'unconfirmed', 'ambiguous'],
  [200, 'internal_error', 'unconfirmed', 'ambiguous'],
  // Webhooks: an error status with an error code.
  [400, 'invalid_payload', 'refused', 'permanent'],
  [403, 'invalid_token', 'authorisation', 'needs-human'],
  [403, 'action_prohibited', 'authorisation', 'needs-human'],
  [404, 'no_service', 'authorisation', 'needs-human'],
  [404, 'channel_not_found', 'channel', 'needs-human'],
  [410, 'channel_is_archived', 'channel', 'needs-human'],
  [410, 'another_word', 'authorisation', 'needs-human'],
  [500, 'rollup_error', 'unavailable', 'temporary'],
  [429, '', 'rate_limited', 'temporary'],
  // An unknown server.
  [503, '<html>', 'unavailable', 'temporary'],
  [500, '', 'unavailable', 'temporary'],
  [502, '', 'unconfirmed', 'ambiguous'],
  [504, '<html>', 'unconfirmed', 'ambiguous'],
  [403, '<html>blocked by the proxy</html>', 'unavailable', 'temporary'],
  [302, '', 'unavailable', 'temporary'],
  [200, 'not JSON at all', 'unavailable', 'temporary'],
])('%s %j means %s, which is %s', (status, word, reason, failure) => {
  expect(refusal({ status, vendorCode: word })).toMatchObject({ reason, failure });
});

it.each(['fatal_error', 'internal_error'])('%s has a known outcome when the call posts nothing', (word) => {
  expect(refusal({ vendorCode: word, posts: false })).toMatchObject({ reason: 'unavailable', failure: 'temporary' });
});

it('repeats only error codes of Slack', () => {
  expect(refusal({ vendorCode: 'is_archived' })).toMatchObject({
    vendorCode: 'is_archived',
    message: 'Slack answered is_archived',
  });
  expect(refusal({ status: 503, vendorCode: '<html>canary</html>' })).toMatchObject({
    vendorCode: 'http_503',
    message: 'Slack answered http_503',
  });
});

it.each([
  ['12', 12_000],
  ['Wed, 25 Nov 2026 12:01:00 GMT', 60_000],
  ['999999', 3_600_000],
  ['soon', null],
  [undefined, null],
])('reads Retry-After: %s', (retryAfter, retryAfterMs) => {
  expect(refusal({ status: 429, retryAfter })).toMatchObject({ retryAfterMs });
});
