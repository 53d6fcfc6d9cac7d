import { isDeepStrictEqual } from 'node:util';
import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Page, PageService, TransactionService } from '@platform/database';
import { notFound } from '@platform/errors';
import { HookRegistry } from '@platform/hooks';
import { type Model } from 'mongoose';
import { requireMove } from './campaign-status';
import { CAMPAIGN_HOOKS } from './campaign-hooks';
import { CampaignRepository } from './campaign.repository';
import {
  type SequenceImpactResponse,
  type SequenceQuery,
  type SequenceResponse,
  type SequenceVersionResponse,
  type SequenceVersionsQuery,
  toSequence,
  toSequenceImpact,
  toSequenceVersion,
} from './dto/sequence.dto';
import { type PublishSequenceRequest } from './dto/sequence-requests.dto';
import { CampaignSequenceRecord } from './schemas/campaign-sequence.record';
import { getImpact } from './sequence-impact';
import { SequenceVersionService } from './sequence-version.service';

/** Reads, previews and publishes the sequence of a campaign for the API. */
@Injectable()
export class CampaignSequenceService {
  constructor(
    @InjectModel(CampaignSequenceRecord.name) private readonly sequences: Model<CampaignSequenceRecord>,
    private readonly campaigns: CampaignRepository,
    private readonly sequenceVersions: SequenceVersionService,
    private readonly hooks: HookRegistry,
    private readonly transactions: TransactionService,
    private readonly pages: PageService,
  ) {}

  /** The published version, or an earlier one; version 0 with no steps before the first. @throws NOT_FOUND */
  async get(workspace: WorkspaceScope, campaignId: string, { version }: SequenceQuery): Promise<SequenceResponse> {
    const campaign = await this.campaigns.find(workspace, campaignId);
    const { _id, workspaceId, sequenceVersion } = campaign;
    const requested = version ?? sequenceVersion;
    const record =
      requested === 0
        ? null
        : await this.sequences
            .findOne({ workspaceId, campaignId: _id, version: requested })
            .lean<CampaignSequenceRecord>();
    if (requested !== 0 && !record) throw notFound('Sequence version');
    return toSequence(_id.toHexString(), record);
  }

  /** All versions, newest first. @throws NOT_FOUND */
  async versions(
    workspace: WorkspaceScope,
    campaignId: string,
    { limit, cursor }: SequenceVersionsQuery,
  ): Promise<Page<SequenceVersionResponse>> {
    const { _id } = await this.campaigns.find(workspace, campaignId);
    const { workspaceId } = workspace;
    const filter = { workspaceId, campaignId: _id };
    return this.pages.read(
      this.sequences,
      { scope: workspaceId, filter, without: ['steps', 'removed'], page: { limit, cursor } },
      toSequenceVersion,
    );
  }

  /**
   * Publishes a sequence: an active campaign continues with it at once, each lead at its current step. The sequence
   * that is published already makes no new version.
   * @throws NOT_FOUND, CONFLICT for an archived campaign, and when another version was published since `basedOn`,
   *   VALIDATION_ERROR naming every field that is wrong
   */
  async publish(
    workspace: WorkspaceScope,
    campaignId: string,
    { sequence, basedOn }: PublishSequenceRequest,
  ): Promise<SequenceResponse> {
    const { before, after } = await this.transactions.run(async () => {
      const before = await this.campaigns.find(workspace, campaignId);
      requireMove('change', before.status);
      this.sequenceVersions.requireBase(before, basedOn);
      const steps = await this.sequenceVersions.check(before, sequence);
      const published = await this.sequenceVersions.findPublished(before);
      if (isDeepStrictEqual(toPlain(published?.steps ?? []), toPlain(steps))) return { before, after: before };
      const sequenceVersion = await this.sequenceVersions.publish(workspace, before, steps);
      const after = await this.campaigns.write(workspace, before, { sequenceVersion }, 'campaign.sequence_published');
      return { before, after };
    });
    await this.campaigns.notify(workspace, before, after);
    return toSequence(after._id.toHexString(), await this.sequenceVersions.findPublished(after));
  }

  /** The changes that publishing this would cause, with the number of affected leads; nothing is stored. @throws as `publish` */
  async preview(
    workspace: WorkspaceScope,
    campaignId: string,
    { sequence, basedOn }: PublishSequenceRequest,
  ): Promise<SequenceImpactResponse> {
    const campaign = await this.campaigns.find(workspace, campaignId);
    requireMove('change', campaign.status);
    this.sequenceVersions.requireBase(campaign, basedOn);
    const steps = await this.sequenceVersions.check(campaign, sequence);
    const { steps: published, removed } = (await this.sequenceVersions.findPublished(campaign)) ?? {
      steps: [],
      removed: [],
    };
    const [leads = new Map<string, number>()] = await this.hooks.call(
      CAMPAIGN_HOOKS,
      'leadsByStep',
      workspace,
      campaign._id.toHexString(),
    );
    return toSequenceImpact(campaign.sequenceVersion, getImpact({ steps: published, removed }, steps, leads));
  }
}

/** Ids as text, because equal ids are different objects. */
function toPlain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}
