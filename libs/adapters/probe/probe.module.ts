import { Global, Module } from '@nestjs/common';
import { DnsPort } from '@adapters/dns';
import { getEhloName } from '@adapters/mail';
import { ClockPort } from '@platform/clock';
import { createSystemTimer } from '@platform/concurrency';
import { Config } from '@platform/config';
import { OutboundAddressService } from '@platform/outbound';
import { TokenSignerService } from '@platform/secrets';
import { MailboxProbePort } from './port/mailbox-probe.port';
import { ControlAddressGenerator } from './smtp/control-address-generator';
import { createHostLookup } from './smtp/host-lookup';
import { SmtpProbeDriver } from './smtp/smtp-probe.driver';

/** Provides the SMTP probe of mailboxes with the operator's settings. */
@Global()
@Module({
  providers: [
    {
      provide: MailboxProbePort,
      useFactory: (config: Config, dns: DnsPort, clock: ClockPort, signer: TokenSignerService) =>
        new SmtpProbeDriver(
          {
            isOn: config.verificationProbe === 'on',
            port: config.verificationProbePort,
            helo: config.verificationProbeHelo || getEhloName(config.publicUrl),
            sender: config.verificationProbeFrom,
            stepTimeoutMs: config.verificationProbeTimeoutMs,
            connections: config.verificationProbeConnections,
            gapMs: config.verificationProbeGapMs,
          },
          // Resolves by DNS only, with its cache, even where private networks are allowed: untrusted records choose the hosts.
          new OutboundAddressService({ allowPrivate: config.outboundAllowPrivate, lookup: createHostLookup(dns) }),
          new ControlAddressGenerator(signer),
          createSystemTimer(() => clock.now().getTime()),
        ),
      inject: [Config, DnsPort, ClockPort, TokenSignerService],
    },
  ],
  exports: [MailboxProbePort],
})
export class ProbeModule {}
