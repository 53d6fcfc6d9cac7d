import { describeDns } from '../conformance/dns.conformance';
import { SANDBOX_ZONE } from '../conformance/sandbox.zone';
import { ZoneDns } from './zone.dns';

describeDns('The fake', () => Promise.resolve({ dns: new ZoneDns(SANDBOX_ZONE), close: () => Promise.resolve() }));
