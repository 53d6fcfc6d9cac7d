import { type EventCount } from '@domain/events';
import { LeadRecountRepository } from '@domain/leads';
import { SendReadRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { type Types } from 'mongoose';
import { type Recount } from './recounted-figures';

/** What is true of a campaign, read from what its figures count. */
@Injectable()
export class RecountSourcesService {
  constructor(
    private readonly leads: LeadRecountRepository,
    private readonly sends: SendReadRepository,
  ) {}

  /** @param events of the campaign, counted; joins a running transaction */
  async of(workspaceId: string, campaignId: Types.ObjectId, events: readonly EventCount[]): Promise<Recount> {
    return {
      events,
      leads: await this.leads.of(workspaceId, campaignId),
      machines: await this.sends.countMachineEngagement(workspaceId, campaignId),
      taken: await this.sends.countFirstByMailbox(workspaceId, campaignId),
    };
  }
}
