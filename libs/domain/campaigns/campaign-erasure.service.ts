import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Model } from 'mongoose';
import { CampaignMailboxesService } from './campaign-mailboxes.service';
import { CampaignHookRegistry } from './campaign-hook.registry';
import { CampaignSequenceRecord } from './schemas/campaign-sequence.record';
import { CampaignRecord } from './schemas/campaign.record';

/** How long erasure repeats after a deletion: longer than any worker that has read the campaign still writes. */
const REMEMBERED_MS = 3_600_000;

type Deleted = Pick<CampaignRecord, '_id' | 'workspaceId' | 'deletedAt' | 'startedAt'>;

/** Erases the data of deleted campaigns. */
@Injectable()
export class CampaignErasureService {
  constructor(
    @InjectModel(CampaignRecord.name) private readonly campaigns: Model<CampaignRecord>,
    @InjectModel(CampaignSequenceRecord.name) private readonly sequences: Model<CampaignSequenceRecord>,
    private readonly mailboxes: CampaignMailboxesService,
    private readonly hooks: CampaignHookRegistry,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Erases leads, versions and figures; the next run continues an interrupted one. An hour after the deletion it is done
   * for the last time, and a campaign that never started goes with it. Of another one the record stays, for its name.
   */
  async clear(signal: AbortSignal): Promise<void> {
    const forgottenBy = new Date(this.clock.now().getTime() - REMEMBERED_MS);
    const deleted = this.campaigns
      .find({ erasing: true, deletedAt: { $gt: new Date(0) } }, { workspaceId: 1, deletedAt: 1, startedAt: 1 })
      .setOptions({ allWorkspaces: 'the worker erases the deleted campaigns of all workspaces' })
      .sort({ deletedAt: 1 })
      .lean<Deleted[]>()
      .cursor();
    for await (const campaign of deleted as AsyncIterable<Deleted>) {
      signal.throwIfAborted();
      await this.#erase(campaign, signal);
      if (campaign.deletedAt && campaign.deletedAt <= forgottenBy) await this.#forget(campaign);
    }
  }

  async #erase({ _id, workspaceId }: Deleted, signal: AbortSignal): Promise<void> {
    const workspace = { workspaceId: workspaceId.toHexString() };
    await this.hooks.erase(workspace, _id.toHexString(), signal);
    await this.sequences.deleteMany({ workspaceId, campaignId: _id });
    await this.mailboxes.erase(workspace, _id);
  }

  async #forget({ _id, workspaceId, startedAt }: Deleted): Promise<void> {
    if (startedAt === null) await this.campaigns.deleteOne({ _id, workspaceId });
    else await this.campaigns.updateOne({ _id, workspaceId }, { $set: { erasing: false } }, { timestamps: false });
  }
}
