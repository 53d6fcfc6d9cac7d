import { type CampaignRecord } from '@domain/campaigns';
import { Injectable } from '@nestjs/common';
import { parseId } from '@platform/database';
import { invalidField } from '@platform/errors';
import { type Types } from 'mongoose';
import { type LeadActionRequest } from './dto/lead-requests.dto';
import { LeadCampaignService } from './lead-campaign.service';
import { leadFilter } from './lead.filter';
import { LeadWalkRepository } from './lead-walk.repository';
import { LEAD_STATUSES, type LeadStatus } from './schemas/lead.record';

/** The leads that a bulk action is for. */
@Injectable()
export class LeadSelectionService {
  constructor(
    private readonly campaigns: LeadCampaignService,
    private readonly walk: LeadWalkRepository,
  ) {}

  /**
   * The ids in batches, each once. Those of an explicit selection may be of other campaigns, or of nothing.
   * @param from statuses in which the action makes a difference
   * @throws VALIDATION_ERROR unless either leadIds or selectAll says which leads
   */
  batches(
    campaign: CampaignRecord,
    request: LeadActionRequest,
    from: readonly LeadStatus[],
    size: number,
  ): AsyncIterable<Types.ObjectId[]> | Iterable<Types.ObjectId[]> {
    requireSelection(request);
    return request.selectAll === true
      ? this.#all(campaign, request, from, size)
      : inBatches(uniqueIds(request.leadIds ?? []), size);
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
    const sequence = filters.stepId === undefined ? null : await this.campaigns.sequence(campaign);
    const filter = {
      ...leadFilter(filters, sequence?.steps[0]?._id.toHexString() ?? null),
      workspaceId: campaign.workspaceId,
      campaignId: campaign._id,
      status: others.length === 0 ? only : { $in: statuses },
    };
    const excluded = new Set(uniqueIds(excludeIds).map((id) => id.toHexString()));
    for await (const batch of this.walk.batches(filter, size, ['_id'])) {
      const ids = batch.map(({ _id }) => _id).filter((id) => !excluded.has(id.toHexString()));
      if (ids.length > 0) yield ids;
    }
  }
}

/** Every status but this one. */
export function statusesBut(excluded: LeadStatus): LeadStatus[] {
  return LEAD_STATUSES.filter((status) => status !== excluded);
}

/** The contract: one of the two, and what narrows down all leads only where all are meant. */
function requireSelection({ leadIds = [], selectAll = false, filters, excludeIds }: LeadActionRequest): void {
  const one = 'Either leadIds or selectAll must be provided';
  if (leadIds.length === 0 && !selectAll) throw invalidField('leadIds', one);
  if (leadIds.length > 0 && selectAll) throw invalidField('leadIds', `${one}, not both`);
  if (selectAll) return;
  if (filters !== undefined) throw invalidField('filters', 'filters can be given with selectAll: true only');
  if (excludeIds !== undefined) throw invalidField('excludeIds', 'excludeIds can be given with selectAll: true only');
}

/** Well-formed ids, each once. */
function uniqueIds(texts: readonly string[]): Types.ObjectId[] {
  return [...new Set(texts.map((text) => text.toLowerCase()))].flatMap((text) => parseId(text) ?? []);
}

function* inBatches(ids: Types.ObjectId[], size: number): Generator<Types.ObjectId[]> {
  for (let start = 0; start < ids.length; start += size) yield ids.slice(start, start + size);
}
