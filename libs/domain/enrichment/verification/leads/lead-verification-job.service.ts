import { systemScope, type WorkspaceScope } from '@domain/access';
import { CampaignRepository, getVerification } from '@domain/campaigns';
import { WorkspaceRepository } from '@domain/identity';
import {
  type LeadVerifier,
  LeadVerifierRegistry,
  UnverifiedLeadService,
  type VerificationCampaign,
} from '@domain/leads';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { type Lease, LeaseService, parseId } from '@platform/database';
import { type Sweep } from '@platform/queues';
import { type Types } from 'mongoose';
import { LeadVerificationQueue, type VerifyLeads } from './lead-verification.queue';
import { LeadVerificationService } from './lead-verification.service';

/**
 * Duration of the lease of a campaign in milliseconds; a chunk takes less. A second worker would verify the same leads.
 */
const LEASE_MS = 120_000;

/** Maximum number of concurrent campaigns of a workspace, so that other workspaces are not blocked. */
const MAX_RUNS_PER_WORKSPACE = 2;

/** Milliseconds after which other campaigns get the worker; the sweep continues this one. */
const RUN_MS = 60_000;

/**
 * Milliseconds before leads of an archived campaign or a deleted workspace are checked again: either may be restored.
 */
const RESTING_MS = 24 * 3_600_000;

/** Maximum number of campaigns per sweep; the next sweep continues after them. */
const MOST_CAMPAIGNS = 500;

/** Runs the verification of the leads of a campaign, and keeps a job for each campaign with unverified leads. */
@Injectable()
export class LeadVerificationJobService implements Sweep, LeadVerifier, OnModuleInit {
  readonly name = 'lead-verification';

  /** The last campaign of the previous sweep; null after the end of the list. */
  #after: VerificationCampaign | null = null;

  constructor(
    private readonly verification: LeadVerificationService,
    private readonly unverified: UnverifiedLeadService,
    private readonly campaigns: CampaignRepository,
    private readonly workspaces: WorkspaceRepository,
    private readonly leases: LeaseService,
    private readonly verifiers: LeadVerifierRegistry,
    private readonly queue: LeadVerificationQueue,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Without effect while another worker holds the campaign, or while the workspace runs its maximum: the sweep retries.
   * Interrupted leads are retried by other workers.
   */
  async run(named: VerifyLeads, signal: AbortSignal): Promise<void> {
    const place = await this.#acquireSlot(named);
    if (!place) return;
    try {
      const campaign = await this.leases.acquire(`lead-verification/${named.campaignId}`, LEASE_MS);
      if (!campaign) return;
      try {
        await this.#verifyInRun(named, [place, campaign], signal);
      } finally {
        await this.leases.release(campaign);
      }
    } finally {
      await this.leases.release(place);
    }
  }

  onModuleInit(): void {
    this.verifiers.register(this);
  }

  async onLeadsAdded({ workspaceId }: Pick<WorkspaceScope, 'workspaceId'>, campaignId: Types.ObjectId): Promise<void> {
    await this.queue.plan({ workspaceId, campaignId: campaignId.toHexString() });
  }

  async sweep(): Promise<number> {
    let created = 0;
    for (let looked = 0; looked < MOST_CAMPAIGNS; looked += 1) {
      const found = await this.unverified.campaignAfter(this.#after);
      this.#after = found;
      if (!found) break;
      if (!found.isDue) continue;
      const payload = { workspaceId: found.workspaceId.toHexString(), campaignId: found.campaignId.toHexString() };
      if (await this.queue.planIfMissing(payload)) created += 1;
    }
    return created;
  }

  /** Null when the workspace runs its maximum. */
  async #acquireSlot({ workspaceId }: VerifyLeads): Promise<Lease | null> {
    for (let number = 0; number < MAX_RUNS_PER_WORKSPACE; number += 1) {
      const place = await this.leases.acquire(`lead-verification/${workspaceId}/${number}`, LEASE_MS);
      if (place) return place;
    }
    return null;
  }

  async #verifyInRun(named: VerifyLeads, leases: readonly Lease[], signal: AbortSignal): Promise<void> {
    const until = performance.now() + RUN_MS;
    while (!signal.aborted && performance.now() < until) {
      if (!(await this.#runChunk(named, signal))) return;
      for (const lease of leases) if (!(await this.leases.renew(lease, LEASE_MS))) return;
    }
  }

  /** @returns whether more leads may be due */
  async #runChunk({ workspaceId, campaignId }: VerifyLeads, signal: AbortSignal): Promise<boolean> {
    const id = parseId(campaignId);
    const campaign = id && (await this.campaigns.peek(workspaceId, id));
    // The leads are being deleted with their campaign.
    if (!campaign) return false;
    const place = { workspaceId: campaign.workspaceId, campaignId: campaign._id };
    const isAlive = (await this.workspaces.filterAlive([workspaceId])).has(workspaceId);
    if (!isAlive || campaign.status === 'archived') {
      await this.unverified.postponeAll(place, this.clock.in(RESTING_MS), 'campaign_archived');
      return false;
    }
    return this.verification.verifyDue(systemScope(workspaceId), place, getVerification(campaign), signal);
  }
}
