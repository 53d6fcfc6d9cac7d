import { type DnsAnswer, DnsPort } from '@adapters/dns';
import { type MailboxFacts, MailboxRepository } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { Batcher } from '@platform/concurrency';
import { type ErrorCode } from '@platform/errors';
import { getCompanyDomain } from '@platform/validation';
import { type RunWorkPartition } from '@platform/work-partitions';
import pLimit from 'p-limit';
import { type Subject } from '../lookups/listing-name';
import { type ZoneCheck } from '../schemas/blacklist-finding.record';
import {
  type BlacklistTestRecord,
  type NotChecked,
  type PlannedMailbox,
  type PlannedSubject,
  type TestProblem,
} from '../schemas/blacklist-test.record';
import { BlacklistZonesService } from '../zones/blacklist-zones.service';
import { ZoneCatalogue } from '../zones/zone-catalogue';
import { ZoneLookupsService } from '../zones/zone-lookups.service';
import { BlacklistTestJobRecordService, MAX_ATTEMPTS } from './blacklist-test-job-record.service';
import { BlacklistTestRepository, type NewFinding } from './blacklist-test.repository';
import { BLACKLISTS_SILENT, BLACKLIST_TEST_STUCK, MAILBOXES_DELETED } from './blacklist.errors';
import { addressSubject } from './public-address';
import { SendingAddressRepository } from './sending-address.repository';
import { type MailboxOutcome, getOutcome } from './test-outcome';
import { TestRunZones } from './test-run-zones';

/** Subjects that are queried at the same time: the most that a killed worker repeats. */
const SUBJECTS_AT_ONCE = 16;

/** Context of one run. */
interface Examination {
  readonly test: BlacklistTestRecord;
  readonly zones: TestRunZones;
  readonly save: (finding: NewFinding) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Addresses of a host that are queried per family: hosts with more share them widely. */
const MOST_OF_HOST = 4;

/** Hosts that are resolved at the same time. */
const HOSTS_AT_ONCE = 16;

/** Conclusive DNS answers. */
const ANSWERS: ReadonlySet<string> = new Set<DnsAnswer<string>['kind']>(['records', 'nxdomain', 'nodata']);

type HostAddresses = { readonly subjects: readonly Subject[]; readonly notChecked: NotChecked['reason'] | null };

/** Runs blacklist tests: plans them, queries each subject in each zone once, and evaluates the findings. */
@Injectable()
export class BlacklistTestJobService {
  constructor(
    private readonly tests: BlacklistTestRepository,
    private readonly jobs: BlacklistTestJobRecordService,
    private readonly catalogue: ZoneCatalogue,
    private readonly zones: BlacklistZonesService,
    private readonly lookups: ZoneLookupsService,
    private readonly mailboxes: MailboxRepository,
    private readonly addresses: SendingAddressRepository,
    private readonly dns: DnsPort,
  ) {}

  /**
   * Continues a test to its end. Does nothing for an ended test, or while another worker has the lease.
   * @param signal stops the run at once; findings so far are saved
   */
  async run({ partitionId }: RunWorkPartition, signal: AbortSignal): Promise<void> {
    await this.jobs.runJob(partitionId, signal, (test, stop) => this.#finish(test, stop));
  }

  /**
   * Completes a test from its saved findings.
   * @throws JobSupersededError, the signal's reason
   */
  async #finish(test: BlacklistTestRecord, signal: AbortSignal): Promise<void> {
    if (this.jobs.isStuck(test)) {
      const stuck = toProblem(BLACKLIST_TEST_STUCK, `The test made no progress in ${MAX_ATTEMPTS} attempts`);
      return this.tests.fail(test, stuck, await this.#listOutcomes(test, test.plan ?? []));
    }
    const plan = test.plan ?? (await this.#plan(test, signal));
    if (plan.every(({ subjects }) => subjects.length === 0)) {
      return this.tests.fail(test, toProblem(MAILBOXES_DELETED, 'All mailboxes of the test were deleted'), []);
    }
    await this.#examineSubjects(test, listSubjects(plan), signal);
    const outcomes = await this.#listOutcomes(test, plan);
    if (outcomes.every(({ verdict }) => verdict === 'unknown')) {
      const why = 'No blacklist gave an answer. Check that the DNS resolver works and is not a public one.';
      return this.tests.fail(test, toProblem(BLACKLISTS_SILENT, why), outcomes);
    }
    await this.tests.complete(test, outcomes);
  }

  async #listOutcomes(test: BlacklistTestRecord, plan: readonly PlannedMailbox[]): Promise<MailboxOutcome[]> {
    const found = await this.tests.findListings(test);
    return plan.map((mailbox) => getOutcome(mailbox, found));
  }

  async #plan(test: BlacklistTestRecord, signal: AbortSignal): Promise<PlannedMailbox[]> {
    const plan = await this.#createPlan(test, signal);
    const total = listSubjects(plan).reduce((sum, { kind }) => sum + this.catalogue.listByKind(kind).length, 0);
    await this.tests.settle(test, plan, total);
    return plan;
  }

  async #examineSubjects(test: BlacklistTestRecord, subjects: readonly Subject[], signal: AbortSignal): Promise<void> {
    const begun = await this.tests.listBegun(test);
    const left = subjects.filter(({ subject }) => !begun.get(subject)?.complete);
    if (left.length === 0) return;
    const kinds = new Set(left.map(({ kind }) => kind));
    const zones = this.catalogue.zones.filter(({ kind }) => kinds.has(kind));
    const selfTests = await this.zones.getSelfTests(zones, signal);
    // The first failure stops the others; their findings so far are saved.
    const stop = new AbortController();
    const stopped = AbortSignal.any([signal, stop.signal]);
    const writer = new Batcher<NewFinding, void>(async (batch) => {
      await this.tests.saveFindings(test, batch);
      return [];
    }, SUBJECTS_AT_ONCE);
    const examination: Examination = {
      test,
      zones: new TestRunZones(selfTests, (zone, subject, until) => this.lookups.query(zone, subject, until)),
      save: (finding) => writer.run(finding),
      signal: stopped,
    };
    const limit = pLimit(SUBJECTS_AT_ONCE);
    const all = await Promise.allSettled(
      left.map((subject) =>
        limit(() => this.#examineSubject(examination, subject, begun.get(subject.subject)?.checks ?? [])).catch(
          (error: unknown) => {
            stop.abort(error);
            throw error;
          },
        ),
      ),
    );
    const failed = all.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw stop.signal.reason ?? failed.reason;
  }

  /** Queries the remaining zones and saves their answers, also when the run stops. */
  async #examineSubject(
    { zones, save, signal }: Examination,
    { subject, kind }: Subject,
    known: readonly ZoneCheck[],
  ): Promise<void> {
    signal.throwIfAborted();
    const checks = [...known];
    const answered = new Set(known.map(({ zone }) => zone));
    const missing = this.catalogue.listByKind(kind).filter(({ zone }) => !answered.has(zone));
    const all = await Promise.allSettled(
      missing.map(async (zone) => {
        checks.push(await zones.check(zone, { subject, kind }, signal));
      }),
    );
    const complete = checks.length === answered.size + missing.length;
    if (checks.length > known.length || complete) await save({ subject, kind, checks, complete });
    const failed = all.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }

  /** @throws the signal's reason */
  async #createPlan({ workspaceId, mailboxes }: BlacklistTestRecord, signal: AbortSignal): Promise<PlannedMailbox[]> {
    const ids = mailboxes.map(({ mailboxId }) => mailboxId);
    const found = await this.mailboxes.listAll(workspaceId, ids);
    const known = new Map(found.map((mailbox) => [mailbox._id.toHexString(), mailbox]));
    const learned = await this.addresses.listByMailbox(workspaceId, ids);
    const hosts = await this.#resolveHosts(found, signal);
    return mailboxes.map(({ mailboxId, email }) => {
      const mailbox = known.get(mailboxId.toHexString());
      if (!mailbox)
        return { mailboxId, email, subjects: [], notChecked: [{ what: 'mailbox', reason: 'mailbox_deleted' }] };
      const addresses = learned.get(mailboxId.toHexString()) ?? [];
      return planMailbox(mailbox, addresses, mailbox.smtpHost === null ? undefined : hosts.get(mailbox.smtpHost));
    });
  }

  /** Resolves the SMTP hosts of custom mailboxes, each once. */
  async #resolveHosts(mailboxes: readonly MailboxFacts[], signal: AbortSignal): Promise<Map<string, HostAddresses>> {
    const names = mailboxes.flatMap(({ provider, smtpHost }) => (provider === 'custom' && smtpHost ? [smtpHost] : []));
    const limit = pLimit(HOSTS_AT_ONCE);
    const found = [...new Set(names)].map((host) =>
      limit(async (): Promise<[string, HostAddresses]> => [host, await this.#resolveHost(host, signal)]),
    );
    return new Map(await Promise.all(found));
  }

  async #resolveHost(host: string, signal: AbortSignal): Promise<HostAddresses> {
    const literal = addressSubject(host);
    if (literal !== null) return toHostAddresses([literal]);
    signal.throwIfAborted();
    const answers = await Promise.all([
      this.dns.query(host, 'A', { signal }),
      this.dns.query(host, 'AAAA', { signal }),
    ]);
    const records = answers.flatMap((answer) =>
      answer.kind === 'records' ? [...answer.records].toSorted().slice(0, MOST_OF_HOST) : [],
    );
    const found = toHostAddresses(records.map(addressSubject));
    if (answers.some(({ kind }) => !ANSWERS.has(kind))) return { ...found, notChecked: 'host_unanswered' };
    return records.length > 0 ? found : { ...found, notChecked: 'host_unknown' };
  }
}

function toProblem({ code }: ErrorCode, message: string): TestProblem {
  return { code, message };
}

/** Each subject once, even if several mailboxes share it. */
function listSubjects(plan: readonly PlannedMailbox[]): Subject[] {
  const all = plan.flatMap(({ subjects }) => subjects);
  return [...new Map(all.map(({ subject, kind }) => [subject, { subject, kind }])).values()];
}

function toHostAddresses(found: readonly ReturnType<typeof addressSubject>[]): HostAddresses {
  const subjects = found.filter((one) => one !== null && one !== 'private');
  return { subjects, notChecked: subjects.length === 0 ? 'private_address' : null };
}

/**
 * Learned addresses are added to those of the SMTP host, which may relay mail elsewhere. Google and Microsoft send from addresses
 * that all their customers share.
 */
function planMailbox(
  { _id: mailboxId, email }: Pick<MailboxFacts, '_id' | 'email'>,
  learned: readonly string[],
  host: HostAddresses | undefined,
): PlannedMailbox {
  const addresses: PlannedSubject[] = [
    ...learned
      .map(addressSubject)
      .flatMap((one) => (one === null || one === 'private' ? [] : [toPlannedSubject(one, 'learned')])),
    ...(host?.subjects ?? []).map((one) => toPlannedSubject(one, 'smtp_host')),
  ];
  const reason = host ? host.notChecked : 'shared_addresses';
  // Learned addresses replace unqueried ones, except after a DNS failure.
  const isReported = reason === 'host_unanswered' || addresses.length === 0;
  const notChecked: NotChecked[] = isReported && reason !== null ? [{ what: 'addresses', reason }] : [];
  return { mailboxId, email, subjects: deduplicate([...listDomains(email), ...addresses]), notChecked };
}

/** Domain lists contain registered domains, and some subdomains too. */
function listDomains(email: string): PlannedSubject[] {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  const registered = getCompanyDomain(domain);
  const own = toPlannedSubject({ subject: domain, kind: 'domain' }, 'domain');
  return registered === domain
    ? [own]
    : [own, toPlannedSubject({ subject: registered, kind: 'domain' }, 'registered_domain')];
}

function toPlannedSubject({ subject, kind }: Subject, source: PlannedSubject['source']): PlannedSubject {
  return { subject, kind, source };
}

function deduplicate(subjects: readonly PlannedSubject[]): PlannedSubject[] {
  const known = new Map<string, PlannedSubject>();
  for (const one of subjects) if (!known.has(one.subject)) known.set(one.subject, one);
  return [...known.values()];
}
