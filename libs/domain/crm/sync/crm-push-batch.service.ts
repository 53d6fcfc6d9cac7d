import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { type CrmSyncJobRecord } from '../jobs/schemas/crm-sync-job.record';
import { type CrmWorkContext } from '../work-partitions/crm-work-handler.registry';
import { CrmLinkRepository } from '../links/crm-link.repository';
import { CrmPeopleService } from '../people/crm-people.service';
import { getKey } from './account-key';
import { type PushRules, type PushSubject, getQuestion } from './push-plan';
import { getOutcome, type SyncOutcome } from './sync-outcome';
import { SyncWalkService, type WalkedLead } from './sync-walk.service';
import { type SyncPlace } from './sync-writes.repository';

/** Leads that are read at once. */
const PAGE = 200;
/** After so many of whom nothing is to be asked, it is written how far the job is. */
const MOST_PASSED = 1_000;

/** The next people of a push: so many of whom the CRM is to be asked that its requests are full. */
export interface PushBatch {
  /** Of whom nothing is to be asked. */
  readonly told: readonly SyncOutcome[];
  readonly asked: readonly PushSubject[];
  /** Of whom it is not known what another job did to them: this one comes back to them. */
  readonly later: readonly PushSubject[];
  /** Addresses to which it came back in vain: nobody has them any more. */
  readonly gone: readonly string[];
  /** Behind them. */
  readonly place: SyncPlace;
}

/** Says who is next in a push. */
@Injectable()
export class CrmPushBatchService {
  constructor(
    private readonly walk: SyncWalkService,
    private readonly links: CrmLinkRepository,
    private readonly people: CrmPeopleService,
    private readonly clock: ClockPort,
  ) {}

  /** @throws NOT_FOUND when the campaign is gone */
  async next(lane: CrmWorkContext, job: CrmSyncJobRecord, rules: PushRules): Promise<PushBatch> {
    const most = peopleAtOnce(lane);
    const done = new Set(job.batchDone);
    const batch = { told: [] as SyncOutcome[], asked: [] as PushSubject[], later: [] as PushSubject[] };
    let cursor = job.cursor;
    let passed = 0;
    let isEnd = false;
    while (!isEnd && batch.asked.length < most && passed < MOST_PASSED) {
      const page = await this.walk.next(job, cursor, PAGE);
      isEnd = page.length < PAGE;
      const subjects = await this.#subjects(lane, onceEach(page, done));
      for (const lead of page) {
        if (batch.asked.length >= most) {
          isEnd = false;
          break;
        }
        passed += 1;
        cursor = lead.place;
        const subject = subjects.get(lead.email);
        if (!subject || done.has(lead.email)) continue;
        done.add(lead.email);
        this.#sort(job, subject, rules, batch);
      }
    }
    const total = job.cursor === null ? { totalRecords: await this.walk.count(job) } : {};
    return { ...batch, gone: [], place: { cursor, batchDone: [], walked: isEnd, ...total } };
  }

  /** Those to whom the job had to come back, and may by now. */
  async waiting(lane: CrmWorkContext, job: CrmSyncJobRecord): Promise<PushBatch> {
    const links = await this.links.waiting(getKey(lane), job._id, peopleAtOnce(lane));
    const people = await this.people.of(
      lane.workspaceId,
      links.map(({ email }) => email),
    );
    const told: SyncOutcome[] = [];
    const asked: PushSubject[] = [];
    const gone: string[] = [];
    for (const link of links) {
      const { email } = link;
      const person = people.get(email);
      const leadId = person?.leads[0]?._id ?? null;
      if (person && leadId) asked.push({ email, leadId, person, link });
      else {
        // It is no lead any more, or was erased: it is not kept by its address.
        gone.push(email);
        told.push(getOutcome('skipped', { externalId: link.externalId, reason: 'gone' }));
      }
    }
    return { told, asked, later: [], gone, place: {} };
  }

  async #subjects(lane: CrmWorkContext, leads: readonly WalkedLead[]): Promise<Map<string, PushSubject>> {
    const emails = leads.map(({ email }) => email);
    const links = await this.links.ofEmails(getKey(lane), emails);
    const people = await this.people.of(lane.workspaceId, emails);
    return new Map(
      leads.flatMap(({ email, leadId }) => {
        const person = people.get(email);
        if (!person || person.leads.length === 0) return [];
        return [[email, { email, leadId, person, link: links.get(email) }] as const];
      }),
    );
  }

  #sort(
    job: CrmSyncJobRecord,
    subject: PushSubject,
    rules: PushRules,
    { told, asked, later }: { told: SyncOutcome[]; asked: PushSubject[]; later: PushSubject[] },
  ): void {
    const { email, leadId, link } = subject;
    // A dry run waits for nobody: it makes nobody.
    const now = job.dryRun ? new Date(8.64e15) : this.clock.now();
    const question = getQuestion(subject, rules, now);
    if (question === 'later') {
      // Its own are waited for already: it was interrupted over them.
      if (!link?.waitingFor?.equals(job._id)) later.push(subject);
    } else if (question === 'nothing') {
      told.push(getOutcome('unchanged', { email, leadId, externalId: link?.externalId ?? '' }));
    } else asked.push(subject);
  }
}

/** As many as the largest request carries. */
function peopleAtOnce({ crm }: CrmWorkContext): number {
  const { find, read, write } = crm.session.limits;
  return Math.min(PAGE, Math.max(find, read, write));
}

function onceEach(page: readonly WalkedLead[], done: ReadonlySet<string>): WalkedLead[] {
  const there = page.filter(({ isThere, email }) => isThere && !done.has(email));
  return [...new Map(there.map((lead) => [lead.email, lead])).values()];
}
