import { Injectable } from '@nestjs/common';
import { Batcher } from '@platform/concurrency';
import { type ErrorCode } from '@platform/errors';
import pLimit from 'p-limit';
import { type Subject } from '../lookups/listing-name';
import { ZoneSelfTestsService } from '../zones/zone-self-tests.service';
import { ZoneLookupsService } from '../zones/zone-lookups.service';
import { type ZoneCheck } from '../schemas/blacklist-finding.record';
import { type BlacklistTestRecord, type PlannedMailbox, type TestProblem } from '../schemas/blacklist-test.record';
import { ZoneCatalogue } from '../zones/zone-catalogue';
import { BLACKLIST_TEST_STUCK, BLACKLISTS_SILENT, MAILBOXES_DELETED } from './blacklist.errors';
import { TestRunZones } from './test-run-zones';
import { type NewFinding, TestFindingsRepository } from './test-findings.repository';
import { type MailboxOutcome, getOutcome } from './test-outcome';
import { BlacklistTestPlanService } from './blacklist-test-plan.service';
import { BlacklistTestRepository } from './blacklist-test.repository';

/** Subjects that are looked up at one time: so many at most are to be asked for again after a worker was killed. */
const SUBJECTS_AT_ONCE = 16;
/** Runs in a row that may end without a single subject done. */
const MAX_ATTEMPTS = 20;

/** How one run of a test goes about it. */
interface Examination {
  readonly test: BlacklistTestRecord;
  readonly zones: TestRunZones;
  readonly keep: (finding: NewFinding) => Promise<void>;
  /** @throws TestMoved when somebody else goes on with the test */
  readonly stillMine: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** Looks up what is to be looked up for a test, each subject in each zone once, and draws the conclusions. */
@Injectable()
export class TestExaminationsService {
  constructor(
    private readonly catalogue: ZoneCatalogue,
    private readonly plans: BlacklistTestPlanService,
    private readonly selfTests: ZoneSelfTestsService,
    private readonly lookups: ZoneLookupsService,
    private readonly findings: TestFindingsRepository,
    private readonly states: BlacklistTestRepository,
  ) {}

  /**
   * Brings a test to its end from where it stands.
   * @param stillMine throws TestMoved when somebody else has taken it over
   * @throws TestMoved, the signal's reason
   */
  async finish(test: BlacklistTestRecord, stillMine: () => Promise<void>, signal: AbortSignal): Promise<void> {
    if (test.attempts > MAX_ATTEMPTS) {
      const stuck = problem(BLACKLIST_TEST_STUCK, `The test did not get on in ${MAX_ATTEMPTS} attempts`);
      return this.states.fail(test, stuck, await this.#outcomes(test, test.plan ?? []));
    }
    const plan = test.plan ?? (await this.#plan(test, signal));
    if (plan.every(({ subjects }) => subjects.length === 0)) {
      return this.states.fail(test, problem(MAILBOXES_DELETED, 'All mailboxes of the test were deleted'), []);
    }
    await this.#examine(test, subjectsOf(plan), stillMine, signal);
    const outcomes = await this.#outcomes(test, plan);
    if (outcomes.every(({ verdict }) => verdict === 'unknown')) {
      const why = 'No blacklist said anything; is the DNS resolver up, and not a public one?';
      return this.states.fail(test, problem(BLACKLISTS_SILENT, why), outcomes);
    }
    await this.states.complete(test, outcomes);
  }

  async #outcomes(test: BlacklistTestRecord, plan: readonly PlannedMailbox[]): Promise<MailboxOutcome[]> {
    const found = await this.findings.findListings(test);
    return plan.map((mailbox) => getOutcome(mailbox, found));
  }

  async #plan(test: BlacklistTestRecord, signal: AbortSignal): Promise<PlannedMailbox[]> {
    const plan = await this.plans.createPlan(test, signal);
    const total = subjectsOf(plan).reduce((sum, { kind }) => sum + this.catalogue.of(kind).length, 0);
    await this.states.settle(test, plan, total);
    return plan;
  }

  async #examine(
    test: BlacklistTestRecord,
    subjects: readonly Subject[],
    stillMine: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const begun = await this.findings.listBegun(test);
    const left = subjects.filter(({ subject }) => !begun.get(subject)?.complete);
    if (left.length === 0) return;
    const kinds = new Set(left.map(({ kind }) => kind));
    const zones = this.catalogue.zones.filter(({ kind }) => kinds.has(kind));
    const selfTests = await this.selfTests.getSelfTests(zones, signal);
    // Everything that fails stops the others: what they have is kept, and nothing is asked in vain.
    const stop = new AbortController();
    const stopped = AbortSignal.any([signal, stop.signal]);
    const writer = new Batcher<NewFinding, void>(async (batch) => {
      await this.findings.saveFindings(test, batch);
      return [];
    }, SUBJECTS_AT_ONCE);
    const examination: Examination = {
      test,
      zones: new TestRunZones(selfTests, (zone, subject, until) => this.lookups.query(zone, subject, until)),
      keep: (finding) => writer.run(finding),
      stillMine,
      signal: stopped,
    };
    const limit = pLimit(SUBJECTS_AT_ONCE);
    const all = await Promise.allSettled(
      left.map((subject) =>
        limit(() => this.#subject(examination, subject, begun.get(subject.subject)?.checks ?? [])).catch(
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

  /** Asks the zones that were not asked yet, and keeps what they say, also when it has to stop. */
  async #subject(
    { zones, keep, stillMine, signal }: Examination,
    { subject, kind }: Subject,
    known: readonly ZoneCheck[],
  ): Promise<void> {
    signal.throwIfAborted();
    await stillMine();
    const checks = [...known];
    const asked = new Set(known.map(({ zone }) => zone));
    const wanted = this.catalogue.of(kind).filter(({ zone }) => !asked.has(zone));
    const all = await Promise.allSettled(
      wanted.map(async (zone) => {
        checks.push(await zones.check(zone, { subject, kind }, signal));
        await stillMine();
      }),
    );
    const complete = checks.length === asked.size + wanted.length;
    if (checks.length > known.length || complete) await keep({ subject, kind, checks, complete });
    const failed = all.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }
}

function problem({ code }: ErrorCode, message: string): TestProblem {
  return { code, message };
}

/** Each subject once, however many mailboxes share it. */
function subjectsOf(plan: readonly PlannedMailbox[]): Subject[] {
  const all = plan.flatMap(({ subjects }) => subjects);
  return [...new Map(all.map(({ subject, kind }) => [subject, { subject, kind }])).values()];
}
