import { systemScope } from '@domain/access';
import { type CampaignRecord, CampaignStatusService } from '@domain/campaigns';
import { DueLeadRepository } from '@domain/leads';
import { Injectable } from '@nestjs/common';
import { AppError } from '@platform/errors';

/** A campaign is completed when nobody is left to write to. */
@Injectable()
export class CampaignCompletionService {
  constructor(
    private readonly leads: DueLeadRepository,
    private readonly transitions: CampaignStatusService,
  ) {}

  /**
   * Completes the campaign if no lead of it is active, or paused with a date to go on. Leads that were added after the
   * campaign was read keep it from being completed.
   */
  async check({
    _id,
    workspaceId,
    leadsRevision,
  }: Pick<CampaignRecord, '_id' | 'workspaceId' | 'leadsRevision'>): Promise<void> {
    if (await this.leads.anyLeft(workspaceId, _id)) return;
    try {
      await this.transitions.complete(systemScope(workspaceId.toHexString()), _id.toHexString(), leadsRevision);
    } catch (error) {
      // Deleted since it was read: the mailbox goes on with its other campaigns.
      if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error;
    }
  }
}
