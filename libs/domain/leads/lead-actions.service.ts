import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { type CampaignRecord } from '@domain/campaigns';
import { Injectable } from '@nestjs/common';
import { TransactionService } from '@platform/database';
import { type Types } from 'mongoose';
import { type LeadActionResponse } from './dto/lead.dto';
import { type LeadAction, type LeadActionRequest } from './dto/lead-requests.dto';
import { LeadCampaignService } from './lead-campaign.service';
import { LeadPauseService } from './lead-pause.service';
import { LeadRemovalService } from './lead-removal.service';
import { LeadResumptionService } from './lead-resumption.service';
import { LeadSelectionService, statusesBut } from './lead-selection.service';
import { type LeadStatus } from './schemas/lead.record';

/** Leads that are changed in one transaction. */
const CHUNK = 2_000;

/** The statuses in which an action makes a difference. */
const FROM: Record<LeadAction, readonly LeadStatus[]> = {
  pause: ['active'],
  resume: ['paused'],
  remove: statusesBut('removed'),
};
const DONE = { pause: 'leads.paused', resume: 'leads.resumed', remove: 'leads.removed' } as const;

/** Actions on many leads of a campaign. */
@Injectable()
export class LeadActionsService {
  constructor(
    private readonly campaigns: LeadCampaignService,
    private readonly selection: LeadSelectionService,
    private readonly pausing: LeadPauseService,
    private readonly resumption: LeadResumptionService,
    private readonly removal: LeadRemovalService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Pauses, resumes or removes leads and answers when it is done: nothing more is then given to a server for those that were
   * paused or removed. Leads in another state, of another campaign or of none are left alone and not counted.
   * @throws NOT_FOUND, VALIDATION_ERROR unless either leadIds or selectAll says which leads
   */
  async run(workspace: WorkspaceScope, campaignId: string, request: LeadActionRequest): Promise<LeadActionResponse> {
    const campaign = await this.campaigns.find(workspace, campaignId);
    const { action } = request;
    let modifiedCount = 0;
    let toWake: CampaignRecord | null = null;
    for await (const ids of this.selection.batches(campaign, request, FROM[action], CHUNK)) {
      const { count, woken = null } = await this.#act(workspace, campaign, action, ids);
      modifiedCount += count;
      toWake = woken ?? toWake;
    }
    if (toWake) await this.campaigns.scheduleSending(workspace, toWake);
    if (modifiedCount > 0) await this.#audit(workspace, campaign, action, modifiedCount);
    return { action, modifiedCount };
  }

  async #act(
    workspace: WorkspaceScope,
    { _id: campaignId, workspaceId }: CampaignRecord,
    action: LeadAction,
    ids: readonly Types.ObjectId[],
  ): Promise<{ count: number; woken?: CampaignRecord | null }> {
    switch (action) {
      case 'pause':
        return { count: await this.pausing.pause({ workspaceId, campaignId }, ids) };
      case 'remove':
        return { count: await this.removal.remove({ workspaceId, campaignId }, ids) };
      case 'resume': {
        const { count, campaign } = await this.transactions.run(() =>
          // What an address is worth is not known yet: it goes on by itself.
          this.resumption.resume(workspace, campaignId, ids, { where: { stopReason: { $ne: 'verifying' } } }),
        );
        return { count, woken: campaign };
      }
    }
  }

  async #audit(workspace: WorkspaceScope, { _id }: CampaignRecord, action: LeadAction, count: number): Promise<void> {
    await this.audit.record(workspace, {
      action: DONE[action],
      target: { type: 'campaign', id: _id.toHexString() },
      changes: { leads: { from: null, to: count } },
    });
  }
}
