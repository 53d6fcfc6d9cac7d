import { type EventCount } from '@domain/events';
import { LeadRepository } from '@domain/leads';
import { MachineSightsRepository, SendReadRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { type Types } from 'mongoose';
import { type Recount } from './recounted-figures';

/** What is true of a campaign, read from what its figures count. */
@Injectable()
export class RecountSourcesService {
  constructor(
    private readonly leads: LeadRepository,
    private readonly machines: MachineSightsRepository,
    private readonly sends: SendReadRepository,
  ) {}

  /** @param events of the campaign, counted; joins a running transaction */
  async of(workspaceId: string, campaignId: Types.ObjectId, events: readonly EventCount[]): Promise<Recount> {
    return {
      events,
      leads: await this.leads.countByStatus(workspaceId, campaignId),
      machines: await this.machines.ofCampaign(workspaceId, campaignId),
      taken: await this.sends.firstsOf(workspaceId, campaignId),
    };
  }
}
