import { OAuthClient } from '@platform/oauth';
import { OutboundHttpClient } from '@platform/outbound';
import { FakeClock } from '@testing';
import { describeChat } from '../conformance/chat-conformance';
import { SlackServer } from '../testing/slack-server';
import { SlackChatDriver } from './slack-chat.driver';

const WORDS = {
  rate_limited: { status: 429, word: 'ratelimited' },
  unavailable: { status: 503, word: 'service_unavailable' },
  authorisation: { status: 200, hookStatus: 403, word: 'invalid_token' },
  channel: { status: 200, hookStatus: 404, word: 'channel_not_found' },
  refused: { status: 200, hookStatus: 400, word: 'invalid_blocks' },
} as const;

describeChat('Slack', async () => {
  const server = await SlackServer.start();
  const http = new OutboundHttpClient({ allowPrivate: true });
  const { env } = server;
  const options = {
    apiUrl: env['SLACK_API_URL']!,
    authUrl: env['SLACK_AUTH_URL']!,
    clientId: env['SLACK_CLIENT_ID']!,
    clientSecret: env['SLACK_CLIENT_SECRET']!,
    webhookOrigin: env['SLACK_WEBHOOK_ORIGIN']!,
    timeoutMs: 5_000,
  };
  const chat = new SlackChatDriver(http, options, () => new Date(), new OAuthClient(http, new FakeClock()));
  const redirectUri = 'https://outreach.example/oauth/chat/slack/callback';
  return {
    chat,
    token: server.token(),
    channelId: 'C0SALES',
    webhookUrl: server.webhook(),
    channelNames: ['sales', 'ops', 'board'],
    consent: () => server.code({ redirectUri, scopes: chat.scopes }),
    fails: (reason, retryAfterMs) => {
      const headers: Record<string, string> =
        retryAfterMs === undefined ? {} : { 'retry-after': String(retryAfterMs / 1_000) };
      server.next({ ...WORDS[reason], headers });
    },
    loses: () => server.next('kept but cut'),
    staysSilent: () => server.next('silence'),
    archive: (id) => {
      server.channels.find((one) => one.id === id)!.is_archived = true;
    },
    said: () =>
      server.posts.map(({ blocks }) =>
        blocks.map((block) => (block.type === 'section' ? block.text.text : '')).join('\n'),
      ),
    close: async () => {
      await http.onModuleDestroy();
      await server.close();
    },
  };
});
