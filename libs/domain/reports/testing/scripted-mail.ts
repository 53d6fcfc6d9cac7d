import { MailSessionPool, SmtpRelayClient } from '@adapters/mail';
import { Module } from '@nestjs/common';

/** A global module with scripted mail servers. */
export function mailModule(sessions: MailSessionPool, relay: SmtpRelayClient) {
  @Module({})
  class MailForTests {}
  return {
    module: MailForTests,
    global: true,
    providers: [
      { provide: MailSessionPool, useValue: sessions },
      { provide: SmtpRelayClient, useValue: relay },
    ],
    exports: [MailSessionPool, SmtpRelayClient],
  };
}
