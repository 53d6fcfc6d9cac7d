import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Page, PageService, parseId, searchFilter } from '@platform/database';
import { type Model } from 'mongoose';
import { CampaignCountersService, noSums } from './campaign-counters.service';
import { findCampaign } from './campaign-lookup';
import { type CampaignListItem, type CampaignResponse, toCampaign, toCampaignListItem } from './dto/campaign.dto';
import { type CampaignQuery } from './dto/campaign-requests.dto';
import { type CampaignSettingsResponse, toCampaignSettings } from './dto/campaign-settings.dto';
import { CampaignSequenceRecord, type SequenceStep } from './schemas/campaign-sequence.record';
import { CampaignRecord } from './schemas/campaign.record';

/** Campaigns as their users see them. */
@Injectable()
export class CampaignsService {
  constructor(
    @InjectModel(CampaignRecord.name) private readonly campaigns: Model<CampaignRecord>,
    @InjectModel(CampaignSequenceRecord.name) private readonly sequences: Model<CampaignSequenceRecord>,
    private readonly counters: CampaignCountersService,
    private readonly pages: PageService,
  ) {}

  /** Newest first. `search` looks in the name. */
  async list(workspace: WorkspaceScope, query: CampaignQuery): Promise<Page<CampaignListItem>> {
    const { workspaceId } = workspace;
    const { status, mailboxId, search, limit, cursor } = query;
    const filter = {
      workspaceId,
      deletedAt: null,
      ...(status === undefined ? {} : { status }),
      // Nothing sends from a mailbox whose id is none.
      ...(mailboxId === undefined ? {} : { mailboxes: parseId(mailboxId) ?? { $in: [] } }),
      ...searchFilter(search, ['name']),
    };
    const page = await this.pages.read(
      this.campaigns,
      { scope: workspaceId, filter, page: { limit, cursor } },
      (record) => record,
    );
    const ids = page.items.map(({ _id }) => _id);
    const sums = await this.counters.of(workspaceId, ids);
    const steps = await this.#steps(workspace, page.items);
    const items = page.items.map((record) => {
      const id = record._id.toHexString();
      return toCampaignListItem(record, steps.get(id) ?? [], sums.get(id) ?? noSums());
    });
    return { items, pagination: page.pagination };
  }

  /** @throws NOT_FOUND */
  async get(workspace: WorkspaceScope, campaignId: string): Promise<CampaignResponse> {
    return this.shown(workspace, await findCampaign(this.campaigns, workspace, campaignId));
  }

  /** @throws NOT_FOUND */
  async settings(workspace: WorkspaceScope, campaignId: string): Promise<CampaignSettingsResponse> {
    return toCampaignSettings(await findCampaign(this.campaigns, workspace, campaignId));
  }

  /** A stored campaign as the API shows it. */
  async shown(workspace: WorkspaceScope, record: CampaignRecord): Promise<CampaignResponse> {
    const id = record._id.toHexString();
    const sums = await this.counters.of(workspace.workspaceId, [id]);
    const steps = await this.#steps(workspace, [record]);
    return toCampaign(record, steps.get(id) ?? [], sums.get(id) ?? noSums());
  }

  /** The published steps of these campaigns. */
  async #steps(
    { workspaceId }: WorkspaceScope,
    records: readonly CampaignRecord[],
  ): Promise<Map<string, SequenceStep[]>> {
    const published = records
      .filter(({ sequenceVersion }) => sequenceVersion > 0)
      .map(({ _id, sequenceVersion }) => ({ campaignId: _id, version: sequenceVersion }));
    if (published.length === 0) return new Map();
    const found = await this.sequences.find({ workspaceId, $or: published }).lean<CampaignSequenceRecord[]>();
    return new Map(found.map(({ campaignId, steps }) => [campaignId.toHexString(), steps]));
  }
}
