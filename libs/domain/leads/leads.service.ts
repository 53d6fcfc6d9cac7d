import { Readable } from 'node:stream';
import { type WorkspaceScope } from '@domain/access';
import { AuditService, getChanges } from '@domain/audit';
import {
  type CampaignRecord,
  PERSON_FIELDS,
  type PublishedSequence,
  CampaignRepository,
  SequenceVersionService,
} from '@domain/campaigns';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Page, PageService, TransactionService } from '@platform/database';
import { invalidField, validationFailed } from '@platform/errors';
import { stringify } from 'csv-stringify';
import { type Model } from 'mongoose';
import {
  type AddLeadsRequest,
  type LeadExportQuery,
  type LeadQuery,
  type NewLeadRequest,
  type UpdateLeadRequest,
} from './dto/lead-requests.dto';
import { type LeadResponse, type LeadsAddedResponse, toLead } from './dto/lead.dto';
import { LeadCampaignService } from './lead-campaign.service';
import { isCounted, toLeadFilter } from './lead-filter';
import { LeadInsertionService } from './lead-insertion.service';
import { requireLead } from './lead-lookup';
import { LeadPauseService } from './lead-pause.service';
import { MAX_VARIABLES, createTooManyVariablesMessage, listVariableFaults } from './lead-values';
import { canBeFilledIn, getStep } from './lead-variables';
import { LeadRepository } from './lead.repository';
import { LeadRecord } from './schemas/lead.record';

/** Fields that no list returns. */
const UNLISTED = ['workspaceId', 'thread', 'domain', 'domains', 'sendId'];

const AUDITED = [...PERSON_FIELDS, 'variables', 'timezone', 'status'] as const;

/** Number of leads that the export reads at once. */
const BATCH = 500;

/** Columns of the export. Variables are one column with JSON, because their names are unlimited. */
const COLUMNS: Record<string, (lead: LeadRecord) => string | number | null> = {
  _id: ({ _id }) => _id.toHexString(),
  email: ({ email }) => email,
  ...Object.fromEntries(PERSON_FIELDS.map((field) => [field, (lead: LeadRecord) => lead[field]])),
  timezone: ({ timezone }) => timezone,
  status: ({ status }) => status,
  stopReason: ({ stopReason }) => stopReason,
  resumeAt: ({ resumeAt }) => toIsoTime(resumeAt),
  mailboxId: ({ mailboxId }) => mailboxId?.toHexString() ?? null,
  dueAt: ({ dueAt }) => toIsoTime(dueAt),
  sentCount: ({ sentCount }) => sentCount,
  lastSentAt: ({ lastSentAt }) => toIsoTime(lastSentAt),
  createdAt: ({ createdAt }) => toIsoTime(createdAt),
  variables: ({ variables }) => JSON.stringify(variables),
};

/** Leads as the users of the API see and change them. */
@Injectable()
export class LeadsService {
  constructor(
    @InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>,
    private readonly campaigns: CampaignRepository,
    private readonly sequences: SequenceVersionService,
    private readonly leadCampaigns: LeadCampaignService,
    private readonly pages: PageService,
    private readonly insertion: LeadInsertionService,
    private readonly audit: AuditService,
    private readonly pauses: LeadPauseService,
    private readonly repository: LeadRepository,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Lists leads, newest first. `search` covers address, names and company. Totals by status come from the counters, so
   * that a page costs the same whatever the number of leads.
   * @throws NOT_FOUND for the campaign
   */
  async list(workspace: WorkspaceScope, campaignId: string, query: LeadQuery): Promise<Page<LeadResponse>> {
    const { workspaceId } = workspace;
    const campaign = await this.campaigns.find(workspace, campaignId);
    const sequence = await this.sequences.findCurrent(campaign);
    const { limit, cursor, ...conditions } = query;
    const filter = {
      workspaceId,
      campaignId: campaign._id,
      ...toLeadFilter(conditions, sequence?.steps[0]?._id.toHexString() ?? null),
    };
    const count = async () =>
      (await this.leadCampaigns.countByStatus(workspace, campaign._id))?.[conditions.status ?? 'total'];
    return this.pages.read(
      this.leads,
      {
        scope: workspaceId,
        filter,
        without: UNLISTED,
        page: { limit, cursor },
        ...(isCounted(conditions) && { total: async () => (await count()) ?? 0 }),
      },
      (record) => toLead(record, getStep(sequence, record)),
    );
  }

  /** @throws NOT_FOUND */
  async get(workspace: WorkspaceScope, campaignId: string, leadId: string): Promise<LeadResponse> {
    const campaign = await this.campaigns.find(workspace, campaignId);
    const record = await requireLead(this.leads, workspace, campaign._id, leadId);
    return toLead(record, getStep(await this.sequences.findCurrent(campaign), record));
  }

  /**
   * Adds up to 1000 leads, and returns the refused rows with their reasons.
   * @throws NOT_FOUND, CONFLICT for an archived campaign, LIMIT_EXCEEDED, VALIDATION_ERROR naming each invalid field
   *   (`leads.3.email`), with nothing added
   */
  async add(workspace: WorkspaceScope, campaignId: string, request: AddLeadsRequest): Promise<LeadsAddedResponse> {
    const rows = toRows(request);
    const faults = rows.flatMap(({ variables = {} }, index) => {
      return listVariableFaults(variables, request.leads ? `leads.${index}.variables` : 'variables');
    });
    if (faults.length > 0) throw validationFailed(faults);
    const { created, leads, duplicates, suppressed } = await this.insertion.insert(workspace, campaignId, rows, {
      verify: request.verify,
    });
    if (created > 0) {
      await this.audit.record(workspace, {
        action: 'leads.added',
        target: { type: 'campaign', id: campaignId.toLowerCase() },
        changes: { leads: { from: null, to: created } },
      });
    }
    const shown = leads.map(({ index, _id, email }) => ({ index, _id: _id.toHexString(), email }));
    return { created, leads: shown, duplicates, suppressed };
  }

  /**
   * Changes the given fields. Resumes a lead that was paused for a missing value as soon as it has one.
   * @throws NOT_FOUND, VALIDATION_ERROR naming each invalid field
   */
  async update(
    workspace: WorkspaceScope,
    campaignId: string,
    leadId: string,
    request: UpdateLeadRequest,
  ): Promise<LeadResponse> {
    const { variables = {} } = request;
    const faults = listVariableFaults(variables, 'variables', { removable: true });
    if (faults.length > 0) throw validationFailed(faults);
    const campaign = await this.campaigns.find(workspace, campaignId);
    const sequence = await this.sequences.findCurrent(campaign);
    const { record, toSchedule } = await this.transactions.run(() =>
      this.apply(workspace, campaign, sequence, leadId, request),
    );
    if (toSchedule) await this.leadCampaigns.scheduleSending(workspace, toSchedule);
    return toLead(record, getStep(sequence, record));
  }

  /**
   * `update` within the running transaction, for validated values. After the transaction, call
   * `LeadCampaignService.scheduleSending` with `toSchedule`, unless it is null.
   * @throws NOT_FOUND, VALIDATION_ERROR when the lead would have too many variables
   */
  async apply(
    workspace: WorkspaceScope,
    { _id: campaignId }: CampaignRecord,
    sequence: PublishedSequence | null,
    leadId: string,
    request: UpdateLeadRequest,
  ): Promise<{ record: LeadRecord; toSchedule: CampaignRecord | null }> {
    const before = await requireLead(this.leads, workspace, campaignId, leadId);
    const changes = getUpdate(before, request);
    const { workspaceId, _id } = before;
    await this.leads.updateOne({ workspaceId, _id }, { $set: changes });
    const goesOn = hasMissingVariables(before, changes, sequence);
    const { campaign } = goesOn ? await this.pauses.resume(workspace, campaignId, [_id]) : { campaign: null };
    const record = await requireLead(this.leads, workspace, campaignId, leadId);
    const audited = getChanges(before, record, AUDITED);
    if (audited) {
      const target = { type: 'lead', id: _id.toHexString() } as const;
      await this.audit.record(workspace, { action: 'lead.updated', target, changes: audited });
    }
    return { record, toSchedule: campaign };
  }

  /**
   * Streams all matching leads as CSV (RFC 4180, UTF-8, header first), newest first, at the speed of the reader. Cells
   * that a spreadsheet would read as a formula get an apostrophe.
   * @throws NOT_FOUND for the campaign, before anything is written
   */
  async exportCsv(workspace: WorkspaceScope, campaignId: string, query: LeadExportQuery): Promise<Readable> {
    const campaign = await this.campaigns.find(workspace, campaignId);
    const sequence = await this.sequences.findCurrent(campaign);
    const filter = {
      workspaceId: campaign.workspaceId,
      campaignId: campaign._id,
      ...toLeadFilter(query, sequence?.steps[0]?._id.toHexString() ?? null),
    };
    const csv = stringify({
      header: true,
      columns: Object.keys(COLUMNS),
      escape_formulas: true,
      record_delimiter: 'windows',
    });
    return Readable.from(this.#rows(filter)).compose(csv) as Readable;
  }

  async *#rows(filter: Record<string, unknown>): AsyncGenerator<(string | number | null)[]> {
    for await (const batch of this.repository.walk(filter, BATCH)) {
      for (const lead of batch) yield Object.values(COLUMNS).map((read) => read(lead as LeadRecord));
    }
  }
}

/** Requires exactly one of the two forms. */
function toRows({ leads, verify: _verify, ...single }: AddLeadsRequest): NewLeadRequest[] {
  const hasSingle = Object.values(single).some((value) => value !== undefined);
  if (leads !== undefined) {
    if (hasSingle) throw invalidField('leads', 'leads cannot be combined with the fields of a single lead');
    return leads;
  }
  const { email } = single;
  if (email === undefined)
    throw invalidField('email', 'email is missing: set it for a single lead, or leads for several');
  return [{ ...single, email }];
}

/** @throws VALIDATION_ERROR when the lead would have too many variables */
function getUpdate(before: LeadRecord, { variables, timezone, ...person }: UpdateLeadRequest): Partial<LeadRecord> {
  const fields = PERSON_FIELDS.filter((field) => person[field] !== undefined);
  const merged = { ...before.variables, ...variables };
  const entries = Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== null);
  if (entries.length > MAX_VARIABLES) throw invalidField('variables', createTooManyVariablesMessage('variables'));
  return {
    ...Object.fromEntries(fields.map((field) => [field, person[field]])),
    ...(variables && { variables: Object.fromEntries(entries) }),
    ...(timezone === undefined ? {} : { timezone }),
  };
}

/** Whether the lead was paused for a missing value that it has now. */
function hasMissingVariables(
  before: LeadRecord,
  changes: Partial<LeadRecord>,
  sequence: PublishedSequence | null,
): boolean {
  if (before.status !== 'paused' || before.stopReason !== 'missing_variable' || !sequence) return false;
  const step = getStep(sequence, before);
  return step === undefined || canBeFilledIn(sequence, step, Object.assign({}, before, changes));
}

function toIsoTime(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}
