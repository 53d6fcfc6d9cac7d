import { ActiveCampaignsRepository } from '@domain/campaigns';
import { DueLeadRepository } from '@domain/leads';
import { type SendRecord } from '@domain/sends';
import { SuppressionsService } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { type Types } from 'mongoose';
import { windowLimit } from '../decide/campaign-gate';
import { SendQuotaRepository } from '../quota/send-quota.repository';
import { BATCH_WINDOW_MS, WorkspaceBatcher } from './batching/workspace-batcher';
import { type Claim } from './send-claim.service';

/**
 * The last check before the handover. A change that forbids a send is stored first, then claims are withheld, then the
 * change is acknowledged. So either this check sees the change, or the claim is gone when it is marked. Checks of
 * several mailboxes are batched; a batch is read only after all of its callers have asked.
 */
@Injectable()
export class SendGuardService {
  readonly #checks = new WorkspaceBatcher<SendRecord, boolean>(
    (workspaceId, sends) => this.#check(workspaceId, sends),
    BATCH_WINDOW_MS,
  );

  constructor(
    private readonly campaigns: ActiveCampaignsRepository,
    private readonly leads: DueLeadRepository,
    private readonly suppressions: SuppressionsService,
    private readonly quotas: SendQuotaRepository,
    private readonly clock: ClockPort,
  ) {}

  /** Tells whether the claimed email may still be sent, within its sending window. */
  async allows({ send, campaign, lead }: Claim): Promise<boolean> {
    if (windowLimit(this.clock.now(), campaign.facts, lead.facts.timezone).length > 0) return false;
    return this.#checks.run(send.workspaceId, send);
  }

  async #check(workspaceId: Types.ObjectId, sends: readonly SendRecord[]): Promise<boolean[]> {
    const [campaigns, leads, suppressed] = await Promise.all([
      this.campaigns.findAll(workspaceId, listUniqueIds(sends, 'campaignId')),
      this.leads.readAll(workspaceId, listUniqueIds(sends, 'leadId')),
      this.suppressions.matching(
        workspaceId.toHexString(),
        sends.map(({ email }) => email),
      ),
    ]);
    return sends.map((send) => {
      const { _id, campaignId, leadId, mailboxId, email } = send;
      const campaign = campaigns.get(campaignId.toHexString());
      const lead = leads.get(leadId.toHexString());
      if (suppressed.has(email) || campaign?.status !== 'active') return false;
      if (!campaign.mailboxes.some((id) => id.equals(mailboxId))) return false;
      // The email was claimed before a daily limit was switched on.
      if (!this.quotas.hasPlaces(campaign, send)) return false;
      return lead?.status === 'active' && lead.sendId?.equals(_id) === true;
    });
  }
}

/** Returns each id once. */
function listUniqueIds(sends: readonly SendRecord[], field: 'campaignId' | 'leadId'): Types.ObjectId[] {
  return [...new Map(sends.map((send) => [send[field].toHexString(), send[field]])).values()];
}
