import { type SentLookup } from '@adapters/mail';
import { ActiveCampaignsRepository } from '@domain/campaigns';
import { DueLeadRepository } from '@domain/leads';
import { type MailboxRecord } from '@domain/mailboxes';
import { MailboxLeaseService, type SendRecord, SendRepository, type SendResolution } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { TransactionService } from '@platform/database';
import { SendClaimService } from '../pipeline/send-claim.service';
import { SentEmailService } from '../pipeline/sent-email.service';
import { threadAfter } from '../render/email-thread';

type Found = Extract<SentLookup, { state: 'sent' }>;

/**
 * Settles ambiguous sends: by proof, or after six hours without proof. Of two concurrent calls the second changes
 * nothing.
 */
@Injectable()
export class SendResolutionService {
  constructor(
    private readonly sends: SendRepository,
    private readonly claims: SendClaimService,
    private readonly emails: SentEmailService,
    private readonly leads: DueLeadRepository,
    private readonly campaigns: ActiveCampaignsRepository,
    private readonly leases: MailboxLeaseService,
    private readonly transactions: TransactionService,
  ) {}

  /** Settles a send that was found among the sent mail, or that an open, a reply or a bounce proves. */
  async sent(
    send: SendRecord,
    mailbox: MailboxRecord | null,
    found: Partial<Omit<Found, 'state'>> = {},
  ): Promise<boolean> {
    const at = send.handoverAt ?? send.claimedAt;
    const { providerMessageId = null, providerThreadId = null } = found;
    return this.#counted(send, mailbox, {
      state: 'sent',
      at,
      reason: 'The email was found in the sent mail',
      providerMessageId,
      providerThreadId,
    });
  }

  /** Six hours without proof: the send counts as sent. */
  async unconfirmed(send: SendRecord, mailbox: MailboxRecord | null): Promise<boolean> {
    const at = send.handoverAt ?? send.claimedAt;
    return this.#counted(send, mailbox, { state: 'sent_unconfirmed', at, reason: 'No proof was found in six hours' });
  }

  /** Proof that the email was not sent: the lead is due again for the same email with the same Message-ID. */
  async notSent(send: SendRecord, now: Date): Promise<void> {
    const { workspaceId, mailboxId } = send;
    await this.transactions.run(async () => {
      if (
        !(await this.sends.resolve(send, { state: 'retry', reason: 'The email was not sent: its draft still exists' }))
      )
        return;
      await this.claims.putBack(send, now);
    });
    await this.leases.scheduleNow(workspaceId.toHexString(), [mailboxId.toHexString()]);
  }

  async #counted(
    send: SendRecord,
    mailbox: MailboxRecord | null,
    resolution: Extract<SendResolution, { state: 'sent' | 'sent_unconfirmed' }>,
  ): Promise<boolean> {
    const { workspaceId, campaignId, leadId, subject, messageId } = send;
    const providerThreadId = resolution.state === 'sent' ? (resolution.providerThreadId ?? null) : null;
    return this.transactions.run(async () => {
      if (!(await this.sends.resolve(send, resolution))) return false;
      const campaign = await this.campaigns.find(workspaceId, campaignId);
      const lead = await this.leads.find(workspaceId, leadId);
      if (!campaign || !lead) return true; // Deleted in the meantime: the sequence does not continue.
      await this.emails.recordSent({
        send,
        mailbox,
        campaign,
        subject,
        at: resolution.at,
        thread: threadAfter(lead.thread, {
          subject,
          messageId,
          providerThreadId,
        }),
        unconfirmed: resolution.state === 'sent_unconfirmed',
      });
      return true;
    });
  }
}
