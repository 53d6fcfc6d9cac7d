import { type DnsPort } from '@adapters/dns';
import { OutboundAddressService, type AddressGuardOptions } from '@platform/outbound';
import { KeyRing, TokenSignerService } from '@platform/secrets';
import { ControlAddressGenerator } from '../smtp/control-address-generator';
import { createHostLookup } from '../smtp/host-lookup';
import { type Timer } from '@platform/concurrency';
import { SmtpProbeDriver, type SmtpProbeOptions } from '../smtp/smtp-probe.driver';

export interface ProbeOverrides extends Partial<SmtpProbeOptions> {
  readonly port: number;
  readonly timer: Timer;
  /** Resolves hosts. Default: by `dns`; without it every host is 127.0.0.1. */
  readonly lookup?: AddressGuardOptions['lookup'];
  readonly dns?: DnsPort;
  readonly allowPrivate?: boolean;
}

const KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

export const controls = new ControlAddressGenerator(new TokenSignerService(KeyRing.parse(KEYS)));

/** The production probe for servers on loopback. */
export function getProbe({ timer, lookup, dns, allowPrivate = true, ...options }: ProbeOverrides): SmtpProbeDriver {
  const settings = {
    isOn: true,
    helo: 'probe.sender.test',
    sender: '',
    stepTimeoutMs: 10_000,
    connections: 2,
    gapMs: 0,
  };
  const guard = new OutboundAddressService({
    allowPrivate,
    lookup: lookup ?? (dns ? createHostLookup(dns) : () => Promise.resolve(['127.0.0.1'])),
  });
  return new SmtpProbeDriver({ ...settings, ...options }, guard, controls, timer);
}
