import { type WorkspaceScope } from '@domain/access';
import { type CampaignRecord, getVerification, PERSON_FIELDS, CampaignCountersService } from '@domain/campaigns';
import { WorkspaceLimitsService } from '@domain/identity';
import { SuppressionsService } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { rerunOnWriteConflict, TransactionService } from '@platform/database';
import { HookRegistry } from '@platform/hooks';
import { type Model, Types } from 'mongoose';
import { LeadCampaignService } from './lead-campaign.service';
import { getDomains } from './lead-domains';
import { type Candidate, getCandidates, type NewLead, type SkippedLead, type SkipReason } from './lead-rows';
import { LeadRecord, type LeadStatus } from './schemas/lead.record';
import { LEAD_VERIFIER } from './verification/lead-verifier';
import { createWaitingState } from './verification/unverified-lead';

/** Maximum number of rows per call. */
const MAX_ROWS = 1_000;

export interface LeadOrigin {
  /** The import that creates the leads. */
  importId?: Types.ObjectId;
  /** Whether the addresses are verified before the first email. Default: the setting of the campaign. */
  verify?: boolean;
}

export interface InsertedLeads {
  created: number;
  /** The created leads, in the order of the rows. */
  leads: { index: number; _id: Types.ObjectId; email: string }[];
  /** Rows whose address is in the campaign, was removed from it after an email, or occurs in an earlier row. */
  duplicates: SkippedLead[];
  suppressed: SkippedLead[];
  /** Rows without a valid address. */
  invalid: SkippedLead[];
}

/** Inserts leads for the API, imports and integrations. */
@Injectable()
export class LeadInsertionService {
  constructor(
    @InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>,
    private readonly counters: CampaignCountersService,
    private readonly leadCampaigns: LeadCampaignService,
    private readonly suppressions: SuppressionsService,
    private readonly limits: WorkspaceLimitsService,
    private readonly hooks: HookRegistry,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Inserts leads in one transaction, with the same number of queries for one row and for 1000. Refused rows do not
   * affect the others. A completed campaign becomes active again. A caller with its own transaction calls
   * `scheduleSending` after it.
   * @param rows at most 1000
   * @throws NOT_FOUND, CONFLICT for an archived campaign, LIMIT_EXCEEDED (`maxLeads`; nothing is inserted then)
   */
  async insert(
    workspace: WorkspaceScope,
    campaignId: string,
    rows: readonly NewLead[],
    origin: LeadOrigin = {},
  ): Promise<InsertedLeads> {
    if (rows.length > MAX_ROWS) throw new Error(`At most ${MAX_ROWS} rows at once, not ${rows.length}`);
    const { candidates, skipped } = getCandidates(rows);
    const { campaign, sorted } = await this.transactions.run(async () => {
      const campaign = await this.leadCampaigns.open(workspace, campaignId);
      const sorted = await this.#sorted(workspace, campaign, candidates);
      if (sorted.fresh.length === 0) return { campaign: null, sorted };
      return { campaign: await this.#insert(workspace, campaign, sorted.fresh, origin), sorted };
    });
    if (campaign && !this.transactions.running) await this.scheduleSending(workspace, campaign);
    return {
      created: sorted.fresh.length,
      leads: sorted.fresh.map(({ index, _id, email }) => ({ index, _id, email })),
      duplicates: sortByIndex([...skipped.filter(({ reason }) => reason === 'repeated'), ...sorted.known]),
      suppressed: sorted.suppressed,
      invalid: skipped.filter(({ reason }) => reason === 'invalid_address'),
    };
  }

  /** Schedules sending and verification of new leads; call it after the transaction that inserted them. */
  async scheduleSending(workspace: WorkspaceScope, campaign: CampaignRecord): Promise<void> {
    await this.leadCampaigns.scheduleSending(workspace, campaign);
    await this.hooks.call(LEAD_VERIFIER, 'onLeadsAdded', workspace, campaign._id);
  }

  async #sorted(
    { workspaceId }: WorkspaceScope,
    { _id: campaignId }: CampaignRecord,
    candidates: readonly Candidate[],
  ) {
    const emails = candidates.map(({ email }) => email);
    const found =
      emails.length === 0
        ? []
        : await this.leads
            .find({ workspaceId, campaignId, email: { $in: emails } }, { _id: 0, email: 1, status: 1 })
            .lean<Pick<LeadRecord, 'email' | 'status'>[]>();
    const here = new Map(found.map(({ email, status }) => [email, getSkipReason(status)]));
    const refused = emails.length === 0 ? new Set() : await this.suppressions.matching(workspaceId, emails);
    const known: SkippedLead[] = [];
    const suppressed: SkippedLead[] = [];
    const fresh: (Candidate & { _id: Types.ObjectId })[] = [];
    for (const candidate of candidates) {
      const { index, email } = candidate;
      const there = here.get(email);
      if (there) known.push({ index, email, reason: there });
      else if (refused.has(email)) suppressed.push({ index, email, reason: 'suppressed' });
      else fresh.push({ ...candidate, _id: new Types.ObjectId() });
    }
    return { fresh, known, suppressed };
  }

  async #insert(
    workspace: WorkspaceScope,
    campaign: CampaignRecord,
    fresh: readonly (Candidate & { _id: Types.ObjectId })[],
    { importId, verify = getVerification(campaign).mode === 'on' }: LeadOrigin,
  ): Promise<CampaignRecord> {
    const count = fresh.length;
    await this.limits.ensureRoom(
      workspace,
      'maxLeads',
      await this.counters.countLeadsOfWorkspace(workspace.workspaceId),
      count,
    );
    const now = this.clock.now();
    const place = { workspaceId: campaign.workspaceId, campaignId: campaign._id, ...(importId && { importId }) };
    const state = verify ? createWaitingState(now) : ACTIVE;
    const records = fresh.map((candidate) => ({ ...toRecord(candidate, now), ...state, ...place }));
    // Plain objects: creating a Mongoose document for each takes thirty times as long.
    await rerunOnWriteConflict(() => this.leads.insertMany(records, { lean: true, ordered: false }));
    await this.counters.count(workspace.workspaceId, campaign._id, null, {
      leads: { total: count, [state.status]: count },
    });
    return this.leadCampaigns.onLeadsAdded(workspace, campaign._id);
  }
}

/** A removed lead that was contacted is kept, so that the person does not get the first email again. */
function getSkipReason(status: LeadStatus): SkipReason {
  return status === 'removed' ? 'removed_from_campaign' : 'already_in_campaign';
}

const ACTIVE = { status: 'active', stopReason: null } as const;

/**
 * Sets every field, because the schema defaults do not apply here. Leads of one call are due at the same time, in the
 * order of their ids.
 */
function toRecord({ _id, email, domain, row }: Candidate & { _id: Types.ObjectId }, now: Date) {
  const person = Object.fromEntries(PERSON_FIELDS.map((field) => [field, row[field] ?? '']));
  return {
    _id,
    email,
    domain,
    domains: getDomains(domain),
    ...(person as Pick<LeadRecord, (typeof PERSON_FIELDS)[number]>),
    variables: row.variables ?? {},
    timezone: row.timezone ?? null,
    resumeAt: null,
    stepId: null,
    dueAt: now,
    mailboxId: null,
    sendId: null,
    sentCount: 0,
    lastSentAt: null,
    thread: null,
    createdAt: now,
    updatedAt: now,
  };
}

function sortByIndex(skipped: SkippedLead[]): SkippedLead[] {
  return skipped.sort((one, other) => one.index - other.index);
}
