import { CampaignWork } from '@domain/campaigns';
import { DueLeads } from '@domain/leads';
import { MailboxesAtWork } from '@domain/mailboxes';
import { Suppressions } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { type Claim } from './claim.service';
import { type TurnMailbox } from './engine.world';

/**
 * The last look before the wire. Whatever forbids a send writes that first, then withholds what is claimed, then answers: so
 * either this look sees it, or the claim is gone when it is moved to the wire.
 */
@Injectable()
export class WireGuard {
  constructor(
    private readonly campaigns: CampaignWork,
    private readonly leads: DueLeads,
    private readonly mailboxes: MailboxesAtWork,
    private readonly suppressions: Suppressions,
  ) {}

  async allows({ record }: TurnMailbox, { send }: Claim): Promise<boolean> {
    const { workspaceId, campaignId, leadId, email } = send;
    const [campaign, lead, mailbox, suppressed] = await Promise.all([
      this.campaigns.find(workspaceId, campaignId),
      this.leads.find(workspaceId, leadId),
      this.mailboxes.find(workspaceId, record._id),
      this.suppressions.isSuppressed(workspaceId.toHexString(), email),
    ]);
    if (suppressed || campaign?.status !== 'active') return false;
    if (!campaign.mailboxes.some((id) => id.equals(record._id))) return false;
    if (!mailbox?.sendingEnabled || mailbox.status !== 'active') return false;
    return lead?.status === 'active' && lead.sendId?.equals(send._id) === true;
  }
}
