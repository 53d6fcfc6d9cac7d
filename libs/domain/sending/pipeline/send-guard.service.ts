import { ActiveCampaignsRepository } from '@domain/campaigns';
import { DueLeadRepository } from '@domain/leads';
import { MailboxRepository, type MailboxSendingState } from '@domain/mailboxes';
import { type SendRecord } from '@domain/sends';
import { SuppressionsService } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { type Types } from 'mongoose';
import { windowLimit } from '../decide/campaign-gate';
import { SendQuotaRepository } from '../quota/send-quota.repository';
import { type Claim } from './send-claim.service';
import { type SenderMailbox } from './mailbox-sender-cache';
import { WorkspaceBatcher, BATCH_WINDOW_MS } from './batching/workspace-batcher';

/**
 * The last look before the wire. Whatever forbids a send writes that first, then withholds what is claimed, then answers: so
 * either this look sees it, or the claim is gone when it is moved to the wire. Mailboxes that look at the same moment look
 * together; the look begins after all of them have asked.
 */
@Injectable()
export class SendGuardService {
  readonly #looks = new WorkspaceBatcher<SendRecord, boolean>(
    (workspaceId, sends) => this.#look(workspaceId, sends),
    BATCH_WINDOW_MS,
  );

  constructor(
    private readonly campaigns: ActiveCampaignsRepository,
    private readonly leads: DueLeadRepository,
    private readonly mailboxes: MailboxRepository,
    private readonly suppressions: SuppressionsService,
    private readonly quotas: SendQuotaRepository,
    private readonly clock: ClockPort,
  ) {}

  /** Whether nothing forbids the email of a claim, and its window has not closed since. */
  async allows(_mailbox: SenderMailbox, { send, campaign, lead }: Claim): Promise<boolean> {
    if (windowLimit(this.clock.now(), campaign.facts, lead.facts.timezone).length > 0) return false;
    return this.#looks.run(send.workspaceId, send);
  }

  async #look(workspaceId: Types.ObjectId, sends: readonly SendRecord[]): Promise<boolean[]> {
    const [campaigns, leads, mailboxes, suppressed] = await Promise.all([
      this.campaigns.findAll(workspaceId, each(sends, 'campaignId')),
      this.leads.readAll(workspaceId, each(sends, 'leadId')),
      this.mailboxes.standing(workspaceId, each(sends, 'mailboxId')),
      this.suppressions.matching(
        workspaceId.toHexString(),
        sends.map(({ email }) => email),
      ),
    ]);
    return sends.map((send) => {
      const { _id, campaignId, leadId, mailboxId, email } = send;
      const campaign = campaigns.get(campaignId.toHexString());
      const lead = leads.get(leadId.toHexString());
      const mailbox = mailboxes.get(mailboxId.toHexString());
      if (suppressed.has(email) || campaign?.status !== 'active') return false;
      if (!campaign.mailboxes.some((id) => id.equals(mailboxId))) return false;
      // Claimed before a daily limit was switched on.
      if (!this.quotas.hasPlaces(campaign, send)) return false;
      if (!mailbox || !maySend(mailbox, this.clock.now())) return false;
      return lead?.status === 'active' && lead.sendId?.equals(_id) === true;
    });
  }
}

/** A mailbox in trouble may send when it is time to try again: this email is the trial. */
export function maySend(
  { sendingEnabled, status, connection: { nextCheckAt } }: MailboxSendingState,
  now: Date,
): boolean {
  if (!sendingEnabled || status === 'paused') return false;
  return status === 'active' || (nextCheckAt !== null && nextCheckAt <= now);
}

/** Each id once. */
function each(sends: readonly SendRecord[], field: 'campaignId' | 'leadId' | 'mailboxId'): Types.ObjectId[] {
  return [...new Map(sends.map((send) => [send[field].toHexString(), send[field]])).values()];
}
