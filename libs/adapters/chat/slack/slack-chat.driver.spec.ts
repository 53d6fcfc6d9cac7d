import { OAuthClient } from '@platform/oauth';
import { OutboundHttpClient } from '@platform/outbound';
import { FakeClock } from '@testing';
import { type ChatMessage } from '../port/chat-message';
import { type ScriptedSlack, SlackServer } from '../testing/slack-server';
import { SlackChatDriver } from './slack-chat.driver';

const MESSAGE: ChatMessage = { summary: 'Hello', parts: [{ kind: 'paragraph', runs: ['Hello'] }] };
const NOW = new Date('2026-11-25T12:00:00.000Z');

describe('Slack', () => {
  let server: SlackServer;
  let http: OutboundHttpClient;
  beforeEach(async () => {
    server = await SlackServer.start();
    http = new OutboundHttpClient({ allowPrivate: true });
  });
  afterEach(async () => {
    await http.onModuleDestroy();
    await server.close();
  });

  const chatOf = (timeoutMs = 5_000, more: { webhookOrigin?: string; clientId?: string } = {}) =>
    new SlackChatDriver(
      http,
      {
        apiUrl: server.env['SLACK_API_URL']!,
        authUrl: server.env['SLACK_AUTH_URL']!,
        clientId: server.env['SLACK_CLIENT_ID']!,
        clientSecret: server.env['SLACK_CLIENT_SECRET']!,
        webhookOrigin: server.url,
        timeoutMs,
        ...more,
      },
      () => NOW,
      new OAuthClient(http, new FakeClock()),
    );
  const failure = (call: Promise<unknown>) =>
    call.then(
      () => null,
      (error: unknown) => error,
    );
  const posting = (chat = chatOf(), token = server.token()) =>
    failure(chat.post({ kind: 'bot', token, channelId: 'C0SALES' }, MESSAGE));

  it.each([
    ['429 without Retry-After', { status: 429, word: 'ratelimited' }, 'rate_limited', null],
    ['429 with Retry-After', { status: 429, headers: { 'retry-after': '3' } }, 'rate_limited', 3_000],
    ['a page of a proxy', { status: 503, body: '<html>canary</html>' }, 'unavailable', null],
    ['200 with a page', { status: 200, body: '<html>canary</html>' }, 'unavailable', null],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' }, 'unavailable', null],
    ['200 without anything', { status: 200, body: '' }, 'unavailable', null],
    ['200 with a list', { status: 200, body: '[]' }, 'unavailable', null],
    ['504', { status: 504 }, 'unconfirmed', null],
    ['a cut connection', 'cut', 'unconfirmed', null],
  ] satisfies [string, ScriptedSlack, string, number | null][])(
    'classifies %s after one request',
    async (_name, scripted, reason, retryAfterMs) => {
      server.next(scripted);
      const error = await posting();
      expect(error).toMatchObject({ reason, retryAfterMs });
      expect(String(error)).not.toContain('canary');
      expect(server.calls).toEqual(['chat.postMessage']);
    },
  );

  it('times out with an unknown outcome', async () => {
    server.next('silence');
    expect(await posting(chatOf(100))).toMatchObject({ reason: 'unconfirmed', failure: 'ambiguous' });
  });

  it('reports that nothing was posted when the server is unreachable', async () => {
    const chat = chatOf();
    await server.close();
    const error = await posting(chat, 'xoxb-1');
    server = await SlackServer.start();
    expect(error).toMatchObject({ reason: 'unreachable', failure: 'temporary' });
  });

  it('stops reading an endless response', async () => {
    server.next({ status: 200, body: `{"ok":true,"junk":"${'x'.repeat(3 * 1024 * 1024)}"}` });
    expect(await failure(chatOf().channels(server.token(), null))).toMatchObject({ reason: 'unavailable' });
  });

  it('posts without previews, mentions and guessed links', async () => {
    const token = server.token();
    const send = jest.spyOn(http, 'request');
    await chatOf().post({ kind: 'bot', token, channelId: 'C0OPS' }, MESSAGE);
    const { headers = {}, body } = send.mock.calls[0]![0];
    expect(headers['Authorization']).toBe(`Bearer ${token}`);
    expect(Object.fromEntries(new URLSearchParams(String(body)))).toMatchObject({
      channel: 'C0OPS',
      unfurl_links: 'false',
      unfurl_media: 'false',
      link_names: 'false',
      parse: 'none',
    });
    expect(String(body)).not.toContain(token);
  });

  it.each([
    ['https://hooks.slack.com/services/T0/B0/x', true],
    ['https://hooks.slack-gov.com/services/T0/B0/x', true],
    ['http://hooks.slack.com/services/T0/B0/x', false],
    ['https://hooks.slack.com/', false],
    ['https://hooks.slack.com.evil.example/services/x', false],
    ['https://hooks.slack.com:8443/services/x', false],
    ['https://ada:secret@hooks.slack.com/services/x', false],
    ['http://127.0.0.1:1/services/x', false],
  ])('recognises %s as a webhook: %s', (url, isOne) => {
    expect(chatOf(100, { webhookOrigin: '' }).isWebhook(url)).toBe(isOne);
  });

  it('offers consent only when the operator has registered an app', () => {
    expect(chatOf().offersConsent).toBe(true);
    expect(chatOf(100, { clientId: '' }).offersConsent).toBe(false);
  });

  it('reports that a token expires', async () => {
    const redirectUri = 'https://outreach.example/back';
    const code = server.code({ redirectUri, scopes: ['chat:write'], rotates: true });
    expect(await chatOf().exchange({ code, redirectUri })).toMatchObject({ expires: true, scopes: ['chat:write'] });
  });

  it('refuses a code for another redirect URI', async () => {
    const code = server.code({ redirectUri: 'https://other.example/back', scopes: [] });
    expect(await failure(chatOf().exchange({ code, redirectUri: 'https://outreach.example/back' }))).toMatchObject({
      reason: 'authorisation',
      vendorCode: 'bad_redirect_uri',
    });
  });
});
