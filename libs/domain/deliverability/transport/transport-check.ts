import { type DnsPort, type DnsOptions } from '@adapters/dns';
import { normalizeHostName } from '../host-name';
import { checkMtaSts, type MtaStsReport, type PolicyClient } from './mta-sts-check';
import { checkTlsRpt, type TlsRptReport } from './tls-rpt-check';

export interface TransportCheck {
  readonly mtaSts: MtaStsReport;
  readonly tlsRpt: TlsRptReport;
}

/**
 * Checks the domain's requests to senders: TLS with valid certificates (MTA-STS) and failure reports (TLS-RPT). Informative: they
 * do not affect the delivery of its own mail. Takes at most three queries and one HTTPS request.
 * @param domain in A-labels
 * @throws the signal's reason when it is aborted
 */
export async function checkTransport(
  dns: DnsPort,
  http: PolicyClient,
  domain: string,
  options: DnsOptions = {},
): Promise<TransportCheck> {
  const name = normalizeHostName(domain);
  const [mtaSts, tlsRpt] = await Promise.all([checkMtaSts(dns, http, name, options), checkTlsRpt(dns, name, options)]);
  return { mtaSts, tlsRpt };
}
