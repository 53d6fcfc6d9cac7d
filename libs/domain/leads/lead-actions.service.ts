import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import {
  type CampaignRecord,
  CampaignRepository,
  SequenceVersionService,
  CampaignCountersService,
} from '@domain/campaigns';
import { SendRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { parseId, TransactionService } from '@platform/database';
import { invalidField } from '@platform/errors';
import { type Model, type Types } from 'mongoose';
import { type LeadAction, type LeadActionRequest } from './dto/lead-requests.dto';
import { type LeadActionResponse } from './dto/lead.dto';
import { LeadCampaignService } from './lead-campaign.service';
import { toLeadFilter } from './lead-filter';
import { LeadPauseService } from './lead-pause.service';
import { type LeadChanges } from './lead-tallies';
import { LeadRepository } from './lead.repository';
import { LEAD_STATUSES, LeadRecord, type LeadStatus } from './schemas/lead.record';

/** Maximum number of leads that one transaction changes. */
const CHUNK = 2_000;

/** The statuses that an action changes. */
const SOURCE_STATUSES: Record<LeadAction, readonly LeadStatus[]> = {
  pause: ['active'],
  resume: ['paused'],
  remove: listStatusesExcept('removed'),
};

const AUDIT_ACTIONS = { pause: 'leads.paused', resume: 'leads.resumed', remove: 'leads.removed' } as const;

type Campaign = { workspaceId: Types.ObjectId; campaignId: Types.ObjectId };

/** Actions on many leads of a campaign. */
@Injectable()
export class LeadActionsService {
  constructor(
    @InjectModel(LeadRecord.name) private readonly leads: Model<LeadRecord>,
    private readonly campaigns: CampaignRepository,
    private readonly sequences: SequenceVersionService,
    private readonly counters: CampaignCountersService,
    private readonly leadCampaigns: LeadCampaignService,
    private readonly pauses: LeadPauseService,
    private readonly audit: AuditService,
    private readonly repository: LeadRepository,
    private readonly withholding: SendRepository,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Pauses, resumes or removes leads. When it returns, no more email is submitted for those that were paused or removed.
   * Leads in another state, of another campaign or of none are neither changed nor counted.
   * @throws NOT_FOUND, VALIDATION_ERROR unless exactly one of leadIds and selectAll is set
   */
  async run(workspace: WorkspaceScope, campaignId: string, request: LeadActionRequest): Promise<LeadActionResponse> {
    const campaign = await this.campaigns.find(workspace, campaignId);
    const { action } = request;
    let modifiedCount = 0;
    let toSchedule: CampaignRecord | null = null;
    for await (const ids of this.select(campaign, request, SOURCE_STATUSES[action], CHUNK)) {
      const { count, resumed = null } = await this.#act(workspace, campaign, action, ids);
      modifiedCount += count;
      toSchedule = resumed ?? toSchedule;
    }
    if (toSchedule) await this.leadCampaigns.scheduleSending(workspace, toSchedule);
    if (modifiedCount > 0) await this.#audit(workspace, campaign, action, modifiedCount);
    return { action, modifiedCount };
  }

  /**
   * Lists the ids of the selected leads in batches, each id once. Ids of an explicit selection may belong to other campaigns,
   * or to no lead.
   * @param from the statuses that the action changes
   * @throws VALIDATION_ERROR unless exactly one of leadIds and selectAll is set
   */
  select(
    campaign: CampaignRecord,
    request: LeadActionRequest,
    from: readonly LeadStatus[],
    size: number,
  ): AsyncIterable<Types.ObjectId[]> | Iterable<Types.ObjectId[]> {
    requireSelection(request);
    return request.selectAll === true
      ? this.#all(campaign, request, from, size)
      : splitIntoBatches(parseUniqueIds(request.leadIds ?? []), size);
  }

  /**
   * Removes the given leads. When it returns, no more email is submitted for them. A lead without sent or claimed emails is
   * deleted; any other stays with the status `removed`.
   * @returns the number of removed leads
   */
  async remove(campaign: Campaign, leadIds: readonly Types.ObjectId[]): Promise<number> {
    let removed = 0;
    for (;;) {
      const count = await this.transactions.run(() => this.#removeOnce(campaign, leadIds));
      removed += count;
      // A lead whose status changed between the two queries needs another pass.
      const isIncomplete = count > 0 && count < leadIds.length && (await this.#hasRemovable(campaign, leadIds));
      if (!isIncomplete) break;
    }
    const scope = { campaignId: campaign.campaignId.toHexString(), leadIds: leadIds.map((id) => id.toHexString()) };
    const withheld = await this.withholding.withhold(campaign.workspaceId.toHexString(), scope, 'The lead was removed');
    await this.#deleteUnsent(
      campaign,
      withheld.map(({ leadId }) => leadId),
    );
    return removed;
  }

  async #act(
    workspace: WorkspaceScope,
    { _id: campaignId, workspaceId }: CampaignRecord,
    action: LeadAction,
    ids: readonly Types.ObjectId[],
  ): Promise<{ count: number; resumed?: CampaignRecord | null }> {
    switch (action) {
      case 'pause':
        return { count: await this.pauses.pause({ workspaceId, campaignId }, ids) };
      case 'remove':
        return { count: await this.remove({ workspaceId, campaignId }, ids) };
      case 'resume': {
        const { count, campaign } = await this.transactions.run(() =>
          // A lead whose address is being verified resumes automatically after the verification.
          this.pauses.resume(workspace, campaignId, ids, { where: { stopReason: { $ne: 'verifying' } } }),
        );
        return { count, resumed: campaign };
      }
    }
  }

  async #audit(workspace: WorkspaceScope, { _id }: CampaignRecord, action: LeadAction, count: number): Promise<void> {
    await this.audit.record(workspace, {
      action: AUDIT_ACTIONS[action],
      target: { type: 'campaign', id: _id.toHexString() },
      changes: { leads: { from: null, to: count } },
    });
  }

  async *#all(
    campaign: CampaignRecord,
    { filters = {}, excludeIds = [] }: LeadActionRequest,
    from: readonly LeadStatus[],
    size: number,
  ): AsyncGenerator<Types.ObjectId[]> {
    const statuses = filters.status === undefined ? from : from.filter((status) => status === filters.status);
    const [only, ...others] = statuses;
    if (only === undefined) return;
    const sequence = filters.stepId === undefined ? null : await this.sequences.findCurrent(campaign);
    const filter = {
      ...toLeadFilter(filters, sequence?.steps[0]?._id.toHexString() ?? null),
      workspaceId: campaign.workspaceId,
      campaignId: campaign._id,
      status: others.length === 0 ? only : { $in: statuses },
    };
    const excluded = new Set(parseUniqueIds(excludeIds).map((id) => id.toHexString()));
    for await (const batch of this.repository.walk(filter, size, ['_id'])) {
      const ids = batch.map(({ _id }) => _id).filter((id) => !excluded.has(id.toHexString()));
      if (ids.length > 0) yield ids;
    }
  }

  /** Deletes removed leads whose only email was withheld: nothing was sent to them. */
  async #deleteUnsent({ workspaceId, campaignId }: Campaign, leadIds: readonly Types.ObjectId[]): Promise<void> {
    if (leadIds.length === 0) return;
    await this.transactions.run(async () => {
      const unsent = { workspaceId, campaignId, _id: { $in: leadIds }, status: 'removed' as const, sentCount: 0 };
      const { deletedCount } = await this.leads.deleteMany(unsent);
      await this.#count({ workspaceId, campaignId }, { total: -deletedCount, removed: -deletedCount });
    });
  }

  /** Each write is guarded by the status that it subtracts, so that the counters stay correct under concurrent writes. */
  async #removeOnce({ workspaceId, campaignId }: Campaign, leadIds: readonly Types.ObjectId[]): Promise<number> {
    const changes: LeadChanges & { total: number; removed: number } = { total: 0, removed: 0 };
    let count = 0;
    for (const status of await this.#statuses({ workspaceId, campaignId }, leadIds)) {
      const these = { workspaceId, campaignId, _id: { $in: leadIds }, status };
      const { deletedCount } = await this.leads.deleteMany({ ...these, sentCount: 0, sendId: null });
      const reason = status === 'active' ? { stopReason: 'manual' as const } : {};
      const fields = { status: 'removed' as const, dueAt: null, resumeAt: null, ...reason };
      const { matchedCount } = await this.leads.updateMany(these, { $set: fields });
      changes[status] = -(deletedCount + matchedCount);
      changes.total -= deletedCount;
      changes.removed += matchedCount;
      count += deletedCount + matchedCount;
    }
    await this.#count({ workspaceId, campaignId }, changes);
    return count;
  }

  /** The statuses of the given leads. */
  async #statuses({ workspaceId, campaignId }: Campaign, leadIds: readonly Types.ObjectId[]): Promise<LeadStatus[]> {
    const found = await this.leads
      .find(
        { workspaceId, campaignId, _id: { $in: leadIds }, status: { $in: SOURCE_STATUSES.remove } },
        { _id: 0, status: 1 },
      )
      .lean<{ status: LeadStatus }[]>();
    return [...new Set(found.map(({ status }) => status))];
  }

  async #hasRemovable({ workspaceId, campaignId }: Campaign, leadIds: readonly Types.ObjectId[]): Promise<boolean> {
    return (
      (await this.leads.exists({
        workspaceId,
        campaignId,
        _id: { $in: leadIds },
        status: { $in: SOURCE_STATUSES.remove },
      })) !== null
    );
  }

  async #count({ workspaceId, campaignId }: Campaign, changes: LeadChanges): Promise<void> {
    await this.counters.count(workspaceId.toHexString(), campaignId, null, { leads: changes });
  }
}

/** All statuses except one. */
function listStatusesExcept(excluded: LeadStatus): LeadStatus[] {
  return LEAD_STATUSES.filter((status) => status !== excluded);
}

/** The contract: exactly one of leadIds and selectAll; filters and excludeIds only with selectAll. */
function requireSelection({ leadIds = [], selectAll = false, filters, excludeIds }: LeadActionRequest): void {
  const rule = 'Either leadIds or selectAll must be provided';
  if (leadIds.length === 0 && !selectAll) throw invalidField('leadIds', rule);
  if (leadIds.length > 0 && selectAll) throw invalidField('leadIds', `${rule}, not both`);
  if (selectAll) return;
  if (filters !== undefined) throw invalidField('filters', 'filters can be given with selectAll: true only');
  if (excludeIds !== undefined) throw invalidField('excludeIds', 'excludeIds can be given with selectAll: true only');
}

/** The well-formed ids, without repetitions. */
function parseUniqueIds(texts: readonly string[]): Types.ObjectId[] {
  return [...new Set(texts.map((text) => text.toLowerCase()))].flatMap((text) => parseId(text) ?? []);
}

function* splitIntoBatches(ids: Types.ObjectId[], size: number): Generator<Types.ObjectId[]> {
  for (let start = 0; start < ids.length; start += size) yield ids.slice(start, start + size);
}
