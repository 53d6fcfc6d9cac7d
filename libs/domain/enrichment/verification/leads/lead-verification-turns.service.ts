import { systemScope } from '@domain/access';
import { CampaignRepository, getVerification } from '@domain/campaigns';
import { UnverifiedLeadService } from '@domain/leads';
import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { type Lease, LeaseService, parseId } from '@platform/database';
import { type VerifyLeads } from './lead-verification.queue';
import { LeadVerificationService } from './lead-verification.service';

/** One worker has a campaign for so long; a chunk takes less. A second one would look at the same leads, in vain. */
const LEASE_MS = 120_000;
/** Campaigns of one workspace that are looked at at once: one that has hundreds keeps no other workspace waiting for all of them. */
const PLACES = 2;
/** Then other campaigns have their turn, in case many wait. The sweep goes on with this one. */
const TURN_MS = 60_000;
/** How soon is looked again at leads of a campaign that is archived, or of a workspace that is deleted: either may come back. */
const RESTING_MS = 24 * 3_600_000;

/** Verifies the leads of a campaign that wait for it. */
@Injectable()
export class LeadVerificationTurnsService {
  constructor(
    private readonly chunks: LeadVerificationService,
    private readonly held: UnverifiedLeadService,
    private readonly campaigns: CampaignRepository,
    private readonly workspaces: WorkspaceRepository,
    private readonly leases: LeaseService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Without effect while another worker has the campaign, or the workspace has no place left: the sweep asks again. What the signal
   * interrupts is taken up again by others.
   */
  async run(named: VerifyLeads, signal: AbortSignal): Promise<void> {
    const place = await this.#place(named);
    if (!place) return;
    try {
      const campaign = await this.leases.acquire(`lead-verification/${named.campaignId}`, LEASE_MS);
      if (!campaign) return;
      try {
        await this.#turn(named, [place, campaign], signal);
      } finally {
        await this.leases.release(campaign);
      }
    } finally {
      await this.leases.release(place);
    }
  }

  /** Null when all are taken. */
  async #place({ workspaceId }: VerifyLeads): Promise<Lease | null> {
    for (let number = 0; number < PLACES; number += 1) {
      const place = await this.leases.acquire(`lead-verification/${workspaceId}/${number}`, LEASE_MS);
      if (place) return place;
    }
    return null;
  }

  async #turn(named: VerifyLeads, leases: readonly Lease[], signal: AbortSignal): Promise<void> {
    const until = performance.now() + TURN_MS;
    while (!signal.aborted && performance.now() < until) {
      if (!(await this.#chunk(named, signal))) return;
      for (const lease of leases) if (!(await this.leases.renew(lease, LEASE_MS))) return;
    }
  }

  /** @returns whether there may be more */
  async #chunk({ workspaceId, campaignId }: VerifyLeads, signal: AbortSignal): Promise<boolean> {
    const id = parseId(campaignId);
    const campaign = id && (await this.campaigns.peek(workspaceId, id));
    // Its leads are being erased with it.
    if (!campaign) return false;
    const place = { workspaceId: campaign.workspaceId, campaignId: campaign._id };
    const isAlive = (await this.workspaces.filterAlive([workspaceId])).has(workspaceId);
    if (!isAlive || campaign.status === 'archived') {
      await this.held.postponeAll(place, this.clock.in(RESTING_MS), 'campaign_archived');
      return false;
    }
    return this.chunks.run(systemScope(workspaceId), place, getVerification(campaign), signal);
  }
}
