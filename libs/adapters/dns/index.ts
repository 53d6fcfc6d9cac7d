export { DnsModule } from './dns.module';
export {
  DnsPort,
  type DnsAnswer,
  type DnsFailure,
  type DnsNothing,
  type DnsOptions,
  type DnsRecords,
  type MxRecord,
  type RecordData,
  type RecordType,
  type SoaRecord,
} from './port/dns.port';
