import { type DnsPort, type DnsOptions } from '@adapters/dns';
import { isFailure, toDnsRecords, toUnansweredProblem, warning, type Problem } from '../check';
import { isHostName } from '../host-name';
import { quoteRecord, recordText } from '../record-text';
import { trimBlanks } from '../tag-list';
import {
  createAbsent,
  parseRecordTags,
  createSeveralRecords,
  getTransportStatus,
  type TransportReport,
} from './transport-report';

export interface TlsRptReport extends TransportReport {
  /** Report addresses. */
  readonly rua: readonly string[];
}

/** RFC 8460, section 3: the case-sensitive version, then a semicolon; other text is discarded. */
const VERSION = /^v=TLSRPTv1[ \t]{0,99};/;
const MAX_URIS = 20;
const MAX_URI = 1_000;

/** Checks whether senders may report TLS failures to the domain (RFC 8460). Takes one query. */
export async function checkTlsRpt(dns: DnsPort, domain: string, options: DnsOptions = {}): Promise<TlsRptReport> {
  const name = `_smtp._tls.${domain}`;
  const answer = await dns.query(name, 'TXT', options);
  if (isFailure(answer))
    return { status: 'unknown', record: null, rua: [], problems: [toUnansweredProblem(name, answer)] };
  const records = toDnsRecords(answer).filter((record) => VERSION.test(record));
  const [record] = records;
  if (record === undefined) {
    const message = `The domain requests no reports of TLS failures (TLS-RPT). Publish a TXT record at ${name} to receive them.`;
    return { ...createAbsent('no_tls_rpt', message), rua: [] };
  }
  const text = recordText(record);
  if (records.length > 1) {
    return { status: 'warn', record: text, rua: [], problems: [createSeveralRecords(records.length, name)] };
  }
  const uris = (parseRecordTags(record).get('rua') ?? '').split(',', MAX_URIS).map((uri) => trimBlanks(uri));
  const rua = uris.filter((uri) => isReportUri(uri));
  const problems = checkUris(uris, rua);
  return { status: getTransportStatus(problems), record: text, rua: rua.map((uri) => recordText(uri)), problems };
}

function checkUris(uris: readonly string[], valid: readonly string[]): Problem[] {
  const invalid = uris.find((uri) => !valid.includes(uri));
  if (invalid === undefined) return [];
  const what =
    invalid === ''
      ? 'The TLS-RPT record has no report address.'
      : `Senders ignore ${quoteRecord(invalid)} in the TLS-RPT record.`;
  return [warning('report_uri_invalid', `${what} Write rua=mailto: or rua=https: and an address.`)];
}

function isReportUri(uri: string): boolean {
  if (uri.length > MAX_URI || /[^\x21-\x7e]/.test(uri)) return false;
  const mail = /^mailto:[^@?]+@([^@?]+)(?:\?.*)?$/i.exec(uri);
  if (mail) return isHostName(mail[1] ?? '');
  return /^https:\/\/[^/]/i.test(uri) && URL.canParse(uri);
}
