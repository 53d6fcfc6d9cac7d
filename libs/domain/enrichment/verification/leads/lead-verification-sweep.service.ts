import { type WorkspaceScope } from '@domain/access';
import {
  type VerificationCampaign,
  UnverifiedLeadService,
  type LeadVerifier,
  LeadVerifierRegistry,
} from '@domain/leads';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Sweep } from '@platform/queues';
import { type Types } from 'mongoose';
import { LeadVerificationQueue } from './lead-verification.queue';

/** Campaigns that one sweep looks at; the next one goes on behind them, so that many of one workspace keep nobody waiting. */
const MOST_CAMPAIGNS = 500;

/** Sees to it that campaigns with leads to verify have their job. */
@Injectable()
export class LeadVerificationSweepService implements Sweep, LeadVerifier, OnModuleInit {
  readonly name = 'lead-verification';
  /** The campaign that the last sweep ended with; null when it came to the end. */
  #after: VerificationCampaign | null = null;

  constructor(
    private readonly verifiers: LeadVerifierRegistry,
    private readonly held: UnverifiedLeadService,
    private readonly queue: LeadVerificationQueue,
  ) {}

  onModuleInit(): void {
    this.verifiers.register(this);
  }

  async onLeadsAdded({ workspaceId }: Pick<WorkspaceScope, 'workspaceId'>, campaignId: Types.ObjectId): Promise<void> {
    await this.queue.plan({ workspaceId, campaignId: campaignId.toHexString() });
  }

  async sweep(): Promise<number> {
    let created = 0;
    for (let looked = 0; looked < MOST_CAMPAIGNS; looked += 1) {
      const found = await this.held.campaignAfter(this.#after);
      this.#after = found;
      if (!found) break;
      if (!found.isDue) continue;
      const payload = { workspaceId: found.workspaceId.toHexString(), campaignId: found.campaignId.toHexString() };
      if (await this.queue.planIfMissing(payload)) created += 1;
    }
    return created;
  }
}
