import { type DnsPort, type DnsOptions } from '@adapters/dns';
import { isFailure, noting, toDnsRecords, toUnansweredProblem, warning, type Problem } from '../check';
import { quoteRecord } from '../record-text';
import { isDmarcRecord, type DmarcRecord } from './dmarc-record';
import { type ReportUri } from './report-uri';
import { getOrganisationalDomain, walkTree } from './tree-walk';

/** Domain of a record with report addresses. */
export interface ReportOwner {
  readonly domain: string;
  /** null when DNS gave no answer. */
  readonly organisation: string | null;
}

/** Destinations outside the domain that are verified; each costs at most nine queries. */
const MAX_DESTINATIONS = 5;

/**
 * Checks whether reports arrive: addresses must be valid, and other organisations must agree (RFC 9990, section 4:
 * `<domain>._report._dmarc.<destination>`), or receivers ignore them.
 */
export async function reportProblems(
  dns: DnsPort,
  { rua, ruf }: Pick<DmarcRecord, 'rua' | 'ruf'>,
  owner: ReportOwner,
  options: DnsOptions,
): Promise<Problem[]> {
  const problems = [...checkUri('rua', rua), ...checkUri('ruf', ruf)];
  if (rua.length === 0) {
    const message =
      'Nobody gets the summaries of receivers about the mail of the domain. Add rua=mailto: with an address of yours.';
    problems.push(noting('no_reports', message));
  }
  const hosts = new Set(
    [...rua, ...ruf].map(({ host }) => host).filter((host) => host !== null && host !== owner.domain),
  );
  for (const host of [...hosts].slice(0, MAX_DESTINATIONS)) {
    if (host !== null) problems.push(...(await checkDestinations(dns, host, owner, options)));
  }
  return problems;
}

function checkUri(tag: 'rua' | 'ruf', uris: readonly ReportUri[]): Problem[] {
  const problems: Problem[] = [];
  const invalid = uris.find(({ kind }) => kind === 'invalid');
  if (invalid) {
    const message = `Receivers ignore ${quoteRecord(invalid.text)} in ${tag}: it is no valid address. Write mailto: before each address, and commas between them.`;
    problems.push(warning('report_uri_invalid', message));
  }
  const other = uris.find(({ kind }) => kind === 'other');
  if (other) {
    const message = `Most receivers ignore ${quoteRecord(other.text)} in ${tag}: they send reports by email only. Add a mailto: address.`;
    problems.push(noting('report_uri_unsupported', message));
  }
  if (uris.some(({ sized }) => sized)) {
    problems.push(
      noting('report_size_removed', `RFC 9989 removed the size at the end of an address in ${tag} (!10m). Remove it.`),
    );
  }
  return problems;
}

async function checkDestinations(
  dns: DnsPort,
  host: string,
  owner: ReportOwner,
  options: DnsOptions,
): Promise<Problem[]> {
  if (host === owner.organisation) return [];
  const name = `${owner.domain}._report._dmarc.${host}`;
  const consent = await dns.query(name, 'TXT', options);
  if (toDnsRecords(consent).some((text) => isDmarcRecord(text))) return [];
  const organisation = getOrganisationalDomain(await walkTree(dns, host, options));
  if (organisation !== null && organisation === owner.organisation) return [];
  if (isFailure(consent)) return [toUnansweredProblem(name, consent)];
  // It may be the same organisation, which needs no agreement.
  if (organisation === null || owner.organisation === null) return [];
  const message = `Receivers send no reports to ${host}: it has not agreed to take those of ${owner.domain}. It must publish the TXT record "v=DMARC1" at ${name}.`;
  return [warning('report_destination_unverified', message)];
}
