import { type DnsPort, type DnsOptions } from '@adapters/dns';
import { OutboundError, type OutboundHttpClient, type OutboundResponse } from '@platform/outbound';
import { isFailure, noting, toDnsRecords, toUnansweredProblem, warning, type Problem } from '../check';
import { quoteRecord, recordText } from '../record-text';
import { matchesPolicy, readMtaStsPolicy, type MtaStsPolicy, type MtaStsReading } from './mta-sts-policy';
import {
  createAbsent,
  parseRecordTags,
  createSeveralRecords,
  getTransportStatus,
  type TransportReport,
} from './transport-report';

/** The part of the HTTP client that is needed for foreign addresses. */
export type PolicyClient = Pick<OutboundHttpClient, 'request'>;

export interface MtaStsReport extends TransportReport {
  /** null without a policy that senders can use. */
  readonly policy: MtaStsPolicy | null;
}

/** RFC 8461, section 3.1: the case-sensitive version, then a semicolon; other text is discarded. */
const VERSION = /^v=STSv1[ \t]{0,99};/;
const ID = /^[A-Za-z0-9]{1,32}$/;

/** Senders may wait a minute (section 3.3); a slower server counts as unavailable. */
const TIMEOUT_MS = 10_000;
/** Suggested by section 3.2. */
const MAX_POLICY_BYTES = 64 * 1024;
/** A shorter time helps attackers to suppress the policy; weeks are usual (section 10.2). */
const LEAST_MAX_AGE = 86_400;
const MAX_HOSTS = 50;

/**
 * Checks whether the domain asks senders for TLS with valid certificates (RFC 8461), and whether its mail servers match its
 * policy. Takes one query; with a record, also one HTTPS request and a second query.
 * @throws the signal's reason when it is aborted
 */
export async function checkMtaSts(
  dns: DnsPort,
  http: PolicyClient,
  domain: string,
  options: DnsOptions = {},
): Promise<MtaStsReport> {
  const name = `_mta-sts.${domain}`;
  const answer = await dns.query(name, 'TXT', options);
  if (isFailure(answer))
    return { status: 'unknown', record: null, policy: null, problems: [toUnansweredProblem(name, answer)] };
  const records = toDnsRecords(answer).filter((text) => VERSION.test(text));
  const [text] = records;
  if (text === undefined) {
    const message = `The domain asks no one for encrypted delivery (MTA-STS). Publish a policy and a TXT record at ${name} to do so.`;
    return { ...createAbsent('no_mta_sts', message), policy: null };
  }
  const record = recordText(text);
  const flaw = recordProblem(text, records.length, name);
  if (flaw !== null) return { status: 'warn', record, policy: null, problems: [flaw] };
  const fetched = await requestPolicy(http, domain, options);
  if (!fetched.ok) return { record, policy: null, ...fetched.report };
  const { policy } = fetched;
  const mailHosts = toDnsRecords(await dns.query(domain, 'MX', options)).map(({ exchange }) => exchange);
  return { record, policy, ...evaluatePolicy(policy, mailHosts) };
}

function recordProblem(text: string, count: number, name: string): Problem | null {
  if (count > 1) return createSeveralRecords(count, name);
  const id = parseRecordTags(text).get('id') ?? '';
  if (ID.test(id)) return null;
  const message = `Senders ignore the MTA-STS record: its id is ${quoteRecord(id)}. Write 1 to 32 letters and digits, others with each change of the policy.`;
  return warning('id_invalid', message);
}

type Judgement = Pick<MtaStsReport, 'status' | 'problems'>;

/** Returns the policy, or the reason why senders have none. */
type FetchedPolicy =
  | { readonly ok: true; readonly policy: MtaStsPolicy }
  | { readonly ok: false; readonly report: Judgement };

async function requestPolicy(http: PolicyClient, domain: string, { signal }: DnsOptions): Promise<FetchedPolicy> {
  const url = `https://mta-sts.${domain}/.well-known/mta-sts.txt`;
  try {
    const response = await http.request({
      url,
      method: 'GET',
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_POLICY_BYTES,
      signal,
    });
    const reading = readResponse(response);
    return reading.ok ? reading : toUnusable(reading.fault, url);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return describeNotFetched(error, url);
  }
}

/** A time-out or lost connection may be a local problem; a wrong answer is the server's. */
function describeNotFetched({ reason, retry, message }: OutboundError, url: string): FetchedPolicy {
  if (!retry || reason === 'tls' || reason === 'protocol') return toUnusable(`it cannot be read (${message})`, url);
  const problem = noting('policy_no_answer', `The MTA-STS policy at ${url} could not be read now: ${message}.`);
  return { ok: false, report: { status: 'unknown', problems: [problem] } };
}

function toUnusable(fault: string, url: string): FetchedPolicy {
  const message = `Senders ignore the MTA-STS policy at ${url}: ${fault}. Correct it, or remove the record.`;
  return { ok: false, report: { status: 'warn', problems: [warning('policy_unusable', message)] } };
}

/** A redirect is not a policy (RFC 8461, section 3.3), nor is an error page (text/html). */
function readResponse({ status, headers, body, truncated }: OutboundResponse): MtaStsReading {
  if (status !== 200) return { ok: false, fault: `the server answers ${status}` };
  if (truncated) return { ok: false, fault: `it is longer than ${MAX_POLICY_BYTES / 1024} kB` };
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  if (type.trim().toLowerCase() === 'text/plain') return readMtaStsPolicy(body.toString('latin1'));
  return { ok: false, fault: `its type is ${quoteRecord(type)} instead of text/plain` };
}

function evaluatePolicy(policy: MtaStsPolicy, mailHosts: readonly string[]): Judgement {
  if (policy.mode === 'none') {
    const message = 'The MTA-STS policy does not request encrypted delivery (mode: none).';
    return { status: 'absent', problems: [noting('mode_none', message)] };
  }
  const problems = checkPolicy(policy, mailHosts);
  return { status: getTransportStatus(problems), problems };
}

function checkPolicy(policy: MtaStsPolicy, mailHosts: readonly string[]): Problem[] {
  const problems: Problem[] = [];
  const strange = mailHosts.slice(0, MAX_HOSTS).find((host) => host !== '' && !matchesPolicy(policy, host));
  if (strange !== undefined) {
    const cost = policy.mode === 'enforce' ? 'so senders do not deliver there' : 'so senders would not deliver there';
    const message = `The mail server ${recordText(strange)} is not in the MTA-STS policy, ${cost}. Add "mx: ${recordText(strange)}" to the policy, then change the id of the record.`;
    problems.push(warning('mx_not_in_policy', message));
  }
  if (policy.maxAge < LEAST_MAX_AGE) {
    const message = `Senders forget the MTA-STS policy after ${policy.maxAge} seconds (max_age). Weeks are usual: write 604800 or more.`;
    problems.push(warning('max_age_short', message));
  }
  if (policy.mode === 'testing') {
    const message =
      'The MTA-STS policy is in testing: senders only report what fails. Change to mode: enforce when nothing does.';
    problems.push(noting('mode_testing', message));
  }
  return problems;
}
