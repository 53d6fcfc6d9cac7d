import { isIP } from 'node:net';
import { Global, Module } from '@nestjs/common';
import { Config } from '@platform/config';
import { AddressGuard, OutboundModule } from '@platform/outbound';
import { GmailDriver } from './gmail/gmail.driver';
import { GraphDriver } from './graph/graph.driver';
import { MailSessions } from './mail.sessions';
import { SmtpImapDriver } from './smtp-imap/smtp-imap.driver';

/** Offers the mailboxes of this process to the domains, over every protocol that we speak. */
@Global()
@Module({
  imports: [OutboundModule],
  providers: [
    {
      provide: MailSessions,
      useFactory: (config: Config, guard: AddressGuard) =>
        new MailSessions([
          new SmtpImapDriver({
            guard,
            ehloName: ehloName(config.publicUrl),
            allowPlaintext: config.mailAllowPlaintext,
          }),
          new GmailDriver({ apiUrl: config.gmailApiUrl }),
          new GraphDriver({ apiUrl: config.graphApiUrl }),
        ]),
      inject: [Config, AddressGuard],
    },
  ],
  exports: [MailSessions],
})
export class MailModule {}

/** The installation's own name; an address goes into brackets (RFC 5321, 4.1.3). */
function ehloName(publicUrl: string): string {
  const host = new URL(publicUrl).hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  if (family === 0) return host;
  return family === 4 ? `[${host}]` : `[IPv6:${host}]`;
}
