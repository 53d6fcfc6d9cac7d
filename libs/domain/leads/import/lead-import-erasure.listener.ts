import { type WorkspaceScope } from '@domain/access';
import { CAMPAIGN_HOOKS, type CampaignHooks } from '@domain/campaigns';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Listens } from '@platform/hooks';
import { type Model, Types } from 'mongoose';
import { LeadImportRepository } from './lead-import.repository';
import { LeadImportRefusalRecord } from './schemas/lead-import-refusal.record';
import { LeadImportRecord } from './schemas/lead-import.record';

const BATCH = 100;

/** Deletes the imports of deleted campaigns, with their files and refused rows. */
@Injectable()
@Listens(CAMPAIGN_HOOKS)
export class LeadImportErasureListener implements CampaignHooks {
  constructor(
    @InjectModel(LeadImportRecord.name) private readonly imports: Model<LeadImportRecord>,
    @InjectModel(LeadImportRefusalRecord.name) private readonly refusals: Model<LeadImportRefusalRecord>,
    private readonly repository: LeadImportRepository,
  ) {}

  async eraseCampaign(
    { workspaceId }: Pick<WorkspaceScope, 'workspaceId'>,
    campaignId: string,
    signal: AbortSignal,
  ): Promise<void> {
    const where = { workspaceId, campaignId: new Types.ObjectId(campaignId) };
    for (;;) {
      signal.throwIfAborted();
      const found = await this.imports.find(where, { workspaceId: 1 }).limit(BATCH).lean();
      if (found.length === 0) return;
      for (const { _id: importId, workspaceId: owner } of found) {
        await this.repository.removeFile({ workspaceId: owner, importId });
        await this.refusals.deleteMany({ workspaceId, importId });
        await this.imports.deleteOne({ _id: importId, workspaceId });
      }
    }
  }
}
