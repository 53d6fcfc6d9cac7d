import { type DnsPort, type DnsOptions, type MxRecord } from '@adapters/dns';
import {
  failing,
  isFailure,
  noting,
  toDnsRecords,
  getCheckStatus,
  toUnansweredProblem,
  warning,
  type Check,
  type Problem,
} from '../check';
import { normalizeHostName } from '../host-name';
import { recordText } from '../record-text';
import { resolveAddresses, examineTarget, type MailHost } from './mail-host';

export interface MxCheck extends Check {
  /** The most preferred first; at most 50. */
  readonly records: readonly MxRecord[];
}

/** Hosts that are resolved; each costs three queries. */
const MAX_HOSTS = 10;
const MAX_RECORDS = 50;

/**
 * Checks whether the domain receives mail, so that replies and bounces arrive (RFC 5321, section 5; RFC 7505). Takes at most 31
 * queries.
 * @throws the signal's reason when it is aborted
 */
export async function checkMx(dns: DnsPort, domain: string, options: DnsOptions = {}): Promise<MxCheck> {
  const name = normalizeHostName(domain);
  const answer = await dns.query(name, 'MX', options);
  if (isFailure(answer)) return { status: 'unknown', records: [], problems: [toUnansweredProblem(name, answer)] };
  if (answer.kind === 'nxdomain') {
    return failed(
      'domain_not_found',
      `The domain ${name} does not exist in DNS. Check how it is spelt, and whether it was renewed.`,
    );
  }
  if (answer.kind === 'nodata') return checkImplicitMx(dns, name, options);
  const records = toDnsRecords(answer)
    .toSorted((one, other) => one.priority - other.priority)
    .slice(0, MAX_RECORDS);
  const hosts = [...new Set(records.map(({ exchange }) => exchange))].filter((exchange) => exchange !== '');
  if (hosts.length === 0) {
    const message = `${name} says that it takes no mail (null MX), so replies and bounces are lost, and many receivers refuse its mail. Publish the MX records of your provider.`;
    return { ...failed('null_mx', message), records: records.map(describeRecord) };
  }
  const examined = await Promise.all(hosts.slice(0, MAX_HOSTS).map((host) => examineTarget(dns, host, options)));
  const nullBeside = hosts.length < new Set(records.map(({ exchange }) => exchange)).size;
  const problems = [...checkHosts(examined), ...(nullBeside ? [checkNullMx(name)] : []), ...tooMany(hosts)];
  return { status: getHostsStatus(examined, problems), records: records.map(describeRecord), problems };
}

function describeRecord({ exchange, priority }: MxRecord): MxRecord {
  return { exchange: recordText(exchange), priority };
}

function failed(code: string, message: string): MxCheck {
  return { status: 'fail', records: [], problems: [failing(code, message)] };
}

/** Without MX records the domain itself receives its mail, if it has an address (RFC 5321, section 5.1). */
async function checkImplicitMx(dns: DnsPort, name: string, options: DnsOptions): Promise<MxCheck> {
  const { addresses, failure } = await resolveAddresses(dns, name, options);
  if (addresses.length > 0) {
    const message = `${name} has no MX record: mail goes to the address of its website or whatever is there. Publish the MX records of your provider.`;
    const problems = [warning('implicit_mx', message)];
    return { status: 'warn', records: [], problems };
  }
  if (failure) return { status: 'unknown', records: [], problems: [toUnansweredProblem(name, failure)] };
  const message = `${name} cannot get mail: it has neither an MX record nor an address, so replies and bounces are lost. Publish the MX records of your provider.`;
  return failed('no_mx', message);
}

/** Mistakes of one host are a failure only if no other host receives the mail. */
function checkHosts(hosts: readonly MailHost[]): Problem[] {
  const reachable = hosts.some(({ usable }) => usable === 'yes');
  const open = hosts.some(({ usable }) => usable === 'unknown');
  const grave = reachable || open ? warning : failing;
  const problems = hosts.flatMap((host) => checkHost(host, grave));
  if (reachable && hosts.every(({ usable, mayHaveIPv4 }) => usable !== 'yes' || !mayHaveIPv4)) {
    const message =
      'The mail servers of the domain have IPv6 addresses only, so servers without IPv6 cannot deliver replies. Add IPv4 addresses (A records).';
    problems.push(warning('ipv6_only', message));
  }
  return problems;
}

function checkHost(host: MailHost, grave: typeof warning): Problem[] {
  const { problem, failure, privateAddress } = host;
  const name = recordText(host.name);
  const alias = host.alias === null ? null : recordText(host.alias);
  const problems: Problem[] = [];
  if (problem === 'address') {
    problems.push(
      grave(
        'mx_is_address',
        `The MX record ${name} is an address, and must be the name of a host. Publish a name for it.`,
      ),
    );
  }
  if (problem === 'unresolved') {
    problems.push(
      grave('mx_unresolved', `The mail server ${name} of the MX records has no address. Correct or remove the record.`),
    );
  }
  if (failure) problems.push(toUnansweredProblem(name, failure));
  if (alias !== null) {
    const message = `The mail server ${name} is an alias (CNAME) of ${alias}, which an MX record must not lead to (RFC 5321, section 5.1). Write ${alias} instead.`;
    problems.push(warning('mx_is_alias', message));
  }
  if (privateAddress !== null) {
    const message = `The mail server ${name} has the address ${privateAddress}, which cannot be reached from the internet. Publish its public address.`;
    problems.push(warning('mx_not_public', message));
  }
  return problems;
}

function checkNullMx(name: string): Problem {
  const message = `${name} has a null MX beside other MX records, which RFC 7505 forbids: some senders give up. Remove it.`;
  return warning('null_mx_beside', message);
}

function tooMany(hosts: readonly string[]): Problem[] {
  if (hosts.length <= MAX_HOSTS) return [];
  return [
    noting('many_mx', `The domain has ${hosts.length} mail servers, of which the ${MAX_HOSTS} preferred were checked.`),
  ];
}

/** Unknown while no host certainly receives mail and one may. */
function getHostsStatus(hosts: readonly MailHost[], problems: readonly Problem[]): Check['status'] {
  const open = hosts.every(({ usable }) => usable !== 'yes') && hosts.some(({ usable }) => usable === 'unknown');
  return open ? 'unknown' : getCheckStatus(problems);
}
