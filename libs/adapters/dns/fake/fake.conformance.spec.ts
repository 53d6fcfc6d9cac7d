import { describeDns } from '../conformance/dns-conformance';
import { SANDBOX_ZONE } from '../conformance/sandbox-zone';
import { ZoneDnsDriver } from './zone-dns.driver';

describeDns('The fake', () =>
  Promise.resolve({ dns: new ZoneDnsDriver(SANDBOX_ZONE), close: () => Promise.resolve() }),
);
