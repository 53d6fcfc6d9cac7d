export { type FailureKind, type Zone, type ZoneRecords, type ZoneTable } from '../fake/zone';
export { type AskedQuestion, ZoneDns } from '../fake/zone.dns';
export { type Fault } from './dns.faults';
export { DnsServer, type DnsServerOptions } from './dns.server';
export { type ReceivedQuery } from './received.query';
