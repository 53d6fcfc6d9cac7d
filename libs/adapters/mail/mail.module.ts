import { Global, Module } from '@nestjs/common';
import { Config } from '@platform/config';
import { OutboundAddressService, OutboundModule } from '@platform/outbound';
import { LazyMailDriver } from './lazy-mail.driver';
import { MailSessionPool } from './mail-session-pool';
import { type MailDriver } from './port/driver';
import { SmtpRelayClient } from './relay/smtp-relay.client';
import { getEhloName } from './smtp/ehlo-name';

/** Provides the mailboxes of this process to the domains, over all supported protocols. */
@Global()
@Module({
  imports: [OutboundModule],
  providers: [
    {
      provide: MailSessionPool,
      useFactory: (config: Config, guard: OutboundAddressService) => new MailSessionPool(drivers(config, guard)),
      inject: [Config, OutboundAddressService],
    },
    { provide: SmtpRelayClient, useFactory: operatorRelay, inject: [Config] },
  ],
  exports: [MailSessionPool, SmtpRelayClient],
})
export class MailModule {}

function operatorRelay(config: Config): SmtpRelayClient {
  const { reportSmtpUrl, reportFrom, publicUrl, mailAllowPlaintext: allowPlaintext } = config;
  return new SmtpRelayClient({
    url: reportSmtpUrl,
    from: reportFrom,
    ehloName: getEhloName(publicUrl),
    allowPlaintext,
  });
}

/** `require` and not `import()`: the file names stay those of the source, in the build and under Jest. */
function drivers(config: Config, guard: OutboundAddressService): MailDriver[] {
  const { publicUrl, mailAllowPlaintext: allowPlaintext, gmailApiUrl, graphApiUrl } = config;
  return [
    new LazyMailDriver('smtp_imap', () => {
      const { SmtpImapDriver } =
        require('./smtp-imap/smtp-imap.driver') as typeof import('./smtp-imap/smtp-imap.driver');
      return new SmtpImapDriver({ guard, ehloName: getEhloName(publicUrl), allowPlaintext });
    }),
    new LazyMailDriver('gmail', () => {
      const { GmailDriver } = require('./gmail/gmail.driver') as typeof import('./gmail/gmail.driver');
      return new GmailDriver({ apiUrl: gmailApiUrl });
    }),
    new LazyMailDriver('graph', () => {
      const { GraphDriver } = require('./graph/graph.driver') as typeof import('./graph/graph.driver');
      return new GraphDriver({ apiUrl: graphApiUrl });
    }),
  ];
}
