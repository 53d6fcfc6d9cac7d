import { Global, Module } from '@nestjs/common';
import { Dns } from '@adapters/dns';
import { ehloName } from '@adapters/mail';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { OutboundAddressService } from '@platform/outbound';
import { TokenSignerService } from '@platform/secrets';
import { MailboxProbe } from './port/mailbox.probe';
import { ControlNames } from './smtp/control.names';
import { hostLookup } from './smtp/host.lookup';
import { systemTimer } from './smtp/probe.timer';
import { SmtpProbe } from './smtp/smtp.probe';

/** Offers the probe of mailboxes over SMTP, as the operator has set it. */
@Global()
@Module({
  providers: [
    {
      provide: MailboxProbe,
      useFactory: (config: Config, dns: Dns, clock: ClockPort, signer: TokenSignerService) =>
        new SmtpProbe(
          {
            isOn: config.verificationProbe === 'on',
            port: config.verificationProbePort,
            helo: config.verificationProbeHelo || ehloName(config.publicUrl),
            sender: config.verificationProbeFrom,
            stepTimeoutMs: config.verificationProbeTimeoutMs,
            connections: config.verificationProbeConnections,
            gapMs: config.verificationProbeGapMs,
          },
          // By DNS alone, through its cache, also where private networks are open: who is asked follows from records of strangers.
          new OutboundAddressService({ allowPrivate: config.outboundAllowPrivate, lookup: hostLookup(dns) }),
          new ControlNames(signer),
          systemTimer(clock),
        ),
      inject: [Config, Dns, ClockPort, TokenSignerService],
    },
  ],
  exports: [MailboxProbe],
})
export class ProbeModule {}
