import { Global, Module } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { OAuthClient } from '@platform/oauth';
import { OutboundHttpClient } from '@platform/outbound';
import { ChatPort } from './port/chat.port';
import { SlackChatDriver } from './slack/slack-chat.driver';

const TIMEOUT_MS = 15_000;
const CHAT_HTTP = Symbol('chat http client');

/** Provides the chat. */
@Global()
@Module({
  providers: [
    {
      // All addresses belong to Slack or the operator (SLACK_API_URL, SLACK_WEBHOOK_ORIGIN); users cannot choose them.
      provide: CHAT_HTTP,
      useFactory: () => new OutboundHttpClient({ allowPrivate: true }),
    },
    {
      provide: ChatPort,
      useFactory: (http: OutboundHttpClient, config: Config, clock: ClockPort) =>
        new SlackChatDriver(
          http,
          {
            apiUrl: config.slackApiUrl,
            authUrl: config.slackAuthUrl,
            clientId: config.slackClientId,
            clientSecret: config.slackClientSecret,
            webhookOrigin: config.slackWebhookOrigin,
            timeoutMs: TIMEOUT_MS,
          },
          () => clock.now(),
          new OAuthClient(http, clock),
        ),
      inject: [CHAT_HTTP, Config, ClockPort],
    },
  ],
  exports: [ChatPort],
})
export class ChatModule {}
