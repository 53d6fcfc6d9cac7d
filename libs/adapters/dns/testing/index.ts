export { type FailureKind, type Zone, type ZoneRecords, type ZoneTable } from '../fake/zone';
export { type RecordedQuery, ZoneDnsDriver } from '../fake/zone-dns.driver';
export { type Fault } from './dns-faults';
export { DnsServer, type DnsServerOptions } from './dns-server';
export { type ReceivedQuery } from './received-query';
