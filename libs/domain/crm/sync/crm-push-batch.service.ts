import { LeadRepository, LeadRecord } from '@domain/leads';
import { ERASED_DOMAIN } from '@platform/personal-data';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { notFound } from '@platform/errors';
import { type Model, Types } from 'mongoose';
import { type CrmSyncJobRecord } from '../jobs/schemas/crm-sync-job.record';
import { type CrmWorkContext } from '../work-partitions/crm-work-handler';
import { CrmLinkRepository } from '../links/crm-link.repository';
import { CrmPeopleService } from '../people/crm-people.service';
import { parsePushFilter } from '../jobs/sync-filters';
import { getAccountKey } from './account-key';
import { type PushRules, type PushSubject, decideLookup } from './push-plan';
import { createOutcome, type SyncOutcome } from './sync-outcome';
import { type SyncPlace } from './crm-sync-job.repository';

/** Leads per page. */
const PAGE = 200;

/** Progress is written after this many leads without a request. */
const MAX_SKIPPED = 1_000;

/** The next people of a push, enough to fill the requests to the CRM. */
export interface PushBatch {
  /** Outcomes that need no request. */
  readonly settled: readonly SyncOutcome[];
  readonly requested: readonly PushSubject[];
  /** People with a pending write of another job: this job returns to them. */
  readonly later: readonly PushSubject[];
  /** Marked addresses that have no lead any more. */
  readonly deletedEmails: readonly string[];
  /** The position after them. */
  readonly place: SyncPlace;
}

/** A lead in the order of a push. */
export interface WalkedLead {
  readonly email: string;
  readonly leadId: Types.ObjectId;
  /** Whether it still exists; removed ones are skipped. */
  readonly isThere: boolean;
  /** The position after it. */
  readonly place: string;
}

const EXISTING = { status: { $ne: 'removed' }, domain: { $ne: ERASED_DOMAIN } } as const;

/** Batches of a push: leads in a stable order from any position, with constant memory. */
@Injectable()
export class CrmPushBatchService {
  constructor(
    private readonly links: CrmLinkRepository,
    private readonly people: CrmPeopleService,
    private readonly clock: ClockPort,
    @InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>,
    private readonly addresses: LeadRepository,
  ) {}

  /** @throws NOT_FOUND for a deleted campaign */
  async next(context: CrmWorkContext, job: CrmSyncJobRecord, rules: PushRules): Promise<PushBatch> {
    const most = getBatchSize(context);
    const done = new Set(job.batchDone);
    const batch = { settled: [] as SyncOutcome[], requested: [] as PushSubject[], later: [] as PushSubject[] };
    let cursor = job.cursor;
    let passed = 0;
    let isEnd = false;
    while (!isEnd && batch.requested.length < most && passed < MAX_SKIPPED) {
      const page = await this.nextLeads(job, cursor, PAGE);
      isEnd = page.length < PAGE;
      const subjects = await this.#readSubjects(context, uniqueLeads(page, done));
      for (const lead of page) {
        if (batch.requested.length >= most) {
          isEnd = false;
          break;
        }
        passed += 1;
        cursor = lead.place;
        const subject = subjects.get(lead.email);
        if (!subject || done.has(lead.email)) continue;
        done.add(lead.email);
        this.#classify(job, subject, rules, batch);
      }
    }
    const total = job.cursor === null ? { totalRecords: await this.countLeads(job) } : {};
    return { ...batch, deletedEmails: [], place: { cursor, batchDone: [], walked: isEnd, ...total } };
  }

  /** The due marked people of the job. */
  async waiting(context: CrmWorkContext, job: CrmSyncJobRecord): Promise<PushBatch> {
    const links = await this.links.listWaiting(getAccountKey(context), job._id, getBatchSize(context));
    const people = await this.people.findByEmails(
      context.workspaceId,
      links.map(({ email }) => email),
    );
    const settled: SyncOutcome[] = [];
    const requested: PushSubject[] = [];
    const deletedEmails: string[] = [];
    for (const link of links) {
      const { email } = link;
      const person = people.get(email);
      const leadId = person?.leads[0]?._id ?? null;
      if (person && leadId) requested.push({ email, leadId, person, link });
      else {
        // The lead was removed or erased: its address is not stored.
        deletedEmails.push(email);
        settled.push(createOutcome('skipped', { externalId: link.externalId, reason: 'gone' }));
      }
    }
    return { settled, requested, later: [], deletedEmails, place: {} };
  }

  /** The next leads; fewer than `most` at the end. @throws NOT_FOUND for a deleted campaign */
  async nextLeads(job: CrmSyncJobRecord, place: string | null, most: number): Promise<WalkedLead[]> {
    if (job.leadIds) return this.#readNamedLeads(job, job.leadIds, place, most);
    return job.campaignId
      ? this.#readCampaignLeads(job, job.campaignId, place, most)
      : this.#readAllLeads(job, place, most);
  }

  /** The approximate number: a person may be a lead of several campaigns. */
  async countLeads({ workspaceId, campaignId, leadIds }: CrmSyncJobRecord): Promise<number> {
    if (leadIds) return leadIds.length;
    return this.leads.countDocuments({ workspaceId, ...(campaignId && { campaignId }), ...EXISTING });
  }

  async #readSubjects(context: CrmWorkContext, leads: readonly WalkedLead[]): Promise<Map<string, PushSubject>> {
    const emails = leads.map(({ email }) => email);
    const links = await this.links.findByEmails(getAccountKey(context), emails);
    const people = await this.people.findByEmails(context.workspaceId, emails);
    return new Map(
      leads.flatMap(({ email, leadId }) => {
        const person = people.get(email);
        if (!person || person.leads.length === 0) return [];
        return [[email, { email, leadId, person, link: links.get(email) }] as const];
      }),
    );
  }

  #classify(
    job: CrmSyncJobRecord,
    subject: PushSubject,
    rules: PushRules,
    { settled, requested, later }: { settled: SyncOutcome[]; requested: PushSubject[]; later: PushSubject[] },
  ): void {
    const { email, leadId, link } = subject;
    // A dry run writes nothing and waits for nothing.
    const now = job.dryRun ? new Date(8.64e15) : this.clock.now();
    const question = decideLookup(subject, rules, now);
    if (question === 'later') {
      // Its own marks are known already, from an interruption.
      if (!link?.waitingFor?.equals(job._id)) later.push(subject);
    } else if (question === 'nothing') {
      settled.push(createOutcome('unchanged', { email, leadId, externalId: link?.externalId ?? '' }));
    } else requested.push(subject);
  }

  /** In the order of addresses: one person after the other. */
  async #readAllLeads({ workspaceId }: CrmSyncJobRecord, place: string | null, most: number): Promise<WalkedLead[]> {
    const found = await this.leads
      .find({ workspaceId, ...(place !== null && { email: { $gt: place } }) }, { email: 1, status: 1, domain: 1 })
      .sort({ email: 1, campaignId: 1 })
      .limit(most)
      .lean<Pick<LeadRecord, '_id' | 'email' | 'status' | 'domain'>[]>();
    return found.map(({ _id, email, status, domain }) => {
      const isThere = status !== 'removed' && domain !== ERASED_DOMAIN;
      return { email, leadId: _id, isThere, place: email };
    });
  }

  async #readCampaignLeads(
    { workspaceId, filter }: CrmSyncJobRecord,
    campaignId: Types.ObjectId,
    place: string | null,
    most: number,
  ): Promise<WalkedLead[]> {
    const after = place === null ? null : parsePlace(place);
    const scope = { workspaceId: workspaceId.toHexString() };
    const found = await this.addresses.nextAddresses(scope, campaignId, parsePushFilter(filter), { after, most });
    if (!found) throw notFound('Campaign');
    return found.map(({ _id, email, isThere, createdAt }) => {
      return { email, leadId: _id, isThere, place: `${createdAt.getTime()} ${_id.toHexString()}` };
    });
  }

  /** Removed leads count too, so that a position is an index. */
  async #readNamedLeads(
    { workspaceId }: CrmSyncJobRecord,
    leadIds: readonly Types.ObjectId[],
    place: string | null,
    most: number,
  ): Promise<WalkedLead[]> {
    const start = Number(place ?? '0');
    const ids = leadIds.slice(start, start + most);
    const found = await this.leads
      .find({ workspaceId, _id: { $in: ids }, ...EXISTING }, { email: 1 })
      .lean<Pick<LeadRecord, '_id' | 'email'>[]>();
    const emails = new Map(found.map(({ _id, email }) => [_id.toHexString(), email]));
    return ids.map((leadId, at) => {
      const email = emails.get(leadId.toHexString());
      return { email: email ?? '', leadId, isThere: email !== undefined, place: String(start + at + 1) };
    });
  }
}

/** The size of the largest request. */
function getBatchSize({ crm }: CrmWorkContext): number {
  const { find, read, write } = crm.session.limits;
  return Math.min(PAGE, Math.max(find, read, write));
}

function uniqueLeads(page: readonly WalkedLead[], done: ReadonlySet<string>): WalkedLead[] {
  const there = page.filter(({ isThere, email }) => isThere && !done.has(email));
  return [...new Map(there.map((lead) => [lead.email, lead])).values()];
}

function parsePlace(text: string): { createdAt: Date; _id: Types.ObjectId } {
  const [at = '', id = ''] = text.split(' ');
  return { createdAt: new Date(Number(at)), _id: new Types.ObjectId(id) };
}
