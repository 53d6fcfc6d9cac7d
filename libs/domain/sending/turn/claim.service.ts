import { Injectable } from '@nestjs/common';
import { type CampaignRecord, CampaignWork } from '@domain/campaigns';
import { DueLeads, type LeadRecord } from '@domain/leads';
import { type SendRecord, Sends, Turns } from '@domain/sends';
import { Transactions } from '@platform/database';
import { Types } from 'mongoose';
import { type MailboxTokens } from '../decide/facts';
import { jittered, seeded } from '../decide/seed';
import { returnToken, takeToken } from '../decide/tokens';
import { messageIdOf } from '../render/message.id';
import { QuotaFull, Quotas } from '../quota/quotas.service';
import { type EngineCampaign, type EngineLead, type TurnMailbox } from './engine.world';

const MINUTE_MS = 60_000;

/** Something changed between the plan and the claim: nothing was written, and the turn looks again. */
class ClaimLost extends Error {}

/** An email that nobody else sends. */
export interface Claim {
  readonly send: SendRecord;
  readonly campaign: EngineCampaign;
  readonly lead: EngineLead;
  readonly email: NonNullable<EngineLead['email']>;
  readonly at: Date;
  readonly wasNew: boolean;
}

/** Takes an email out of everybody else's reach: the send, the lead, the mailbox's budget and the campaign's limits together. */
@Injectable()
export class Claims {
  constructor(
    private readonly sends: Sends,
    private readonly leads: DueLeads,
    private readonly turns: Turns,
    private readonly campaigns: CampaignWork,
    private readonly quotas: Quotas,
    private readonly transactions: Transactions,
  ) {}

  /** @returns null when the lead, the campaign's limits or the turn changed since the plan */
  async claim(
    { turn, record: mailbox, facts }: TurnMailbox,
    campaign: EngineCampaign,
    lead: EngineLead,
    at: Date,
  ): Promise<Claim | null> {
    const { email } = lead;
    if (!email) return null;
    const wasNew = lead.facts.isNew;
    const sendId = new Types.ObjectId();
    try {
      const send = await this.transactions.run(async () => {
        const claimed = await this.sends.claim({
          _id: sendId,
          workspaceId: mailbox.workspaceId,
          campaignId: campaign.record._id,
          leadId: lead.record._id,
          stepId: email.step._id,
          stepOrder: email.step.order,
          variantId: email.variant._id,
          sequenceVersion: campaign.record.sequenceVersion,
          mailboxId: mailbox._id,
          email: lead.record.email,
          fence: turn.fence,
          messageId: messageIdOf(sendId.toHexString(), mailbox.email),
          claimedAt: at,
        });
        if (!claimed) throw new ClaimLost();
        if (!(await this.leads.take(lead.record, { sendId: claimed._id, sender: mailbox._id }))) throw new ClaimLost();
        if (!(await this.turns.writeBudget(turn, takeToken(facts, at)))) throw new ClaimLost();
        await this.campaigns.served(mailbox.workspaceId, campaign.share, {
          at,
          nextAt: nextAtOf(campaign, lead, at),
          isNew: wasNew,
        });
        await this.quotas.take(campaign.record, { domain: lead.record.domain, isNew: wasNew, at });
        return claimed;
      });
      return { send, campaign, lead, email, at, wasNew };
    } catch (error) {
      if (error instanceof ClaimLost || error instanceof QuotaFull) return null;
      throw error;
    }
  }

  /**
   * It was not given to the server after all: everything is as before the claim. Joins the running transaction.
   * @param dueAt when the lead's turn comes again
   */
  async release({ turn, facts }: TurnMailbox, { send, campaign, lead, at, wasNew }: Claim, dueAt: Date): Promise<void> {
    await this.turns.writeBudget(turn, returnToken({ ...facts, ...takeToken(facts, at) }, at));
    await this.#undo(send, { lead: lead.record, campaign: campaign.record, wasNew, dueAt });
  }

  /**
   * Releases what an earlier turn of the mailbox had claimed when its worker died.
   * @returns what the mailbox has used without it; null when somebody else has released it
   */
  async releaseLeft({ turn, facts }: TurnMailbox, send: SendRecord): Promise<MailboxTokens | null> {
    const { workspaceId, campaignId, leadId, attempt, claimedAt } = send;
    const tokens = returnToken(facts, claimedAt);
    return this.transactions.run(async () => {
      if (!(await this.sends.release(send, 'The turn that had it ended early'))) return null;
      const lead = await this.leads.find(workspaceId, leadId);
      const campaign = await this.campaigns.find(workspaceId, campaignId);
      await this.turns.writeBudget(turn, tokens);
      const wasNew = lead?.sentCount === 0 && attempt === 1;
      if (lead && campaign) await this.#undo(send, { lead, campaign, wasNew, dueAt: claimedAt });
      return tokens;
    });
  }

  async #undo(
    { _id, workspaceId, mailboxId, campaignId, attempt, claimedAt }: SendRecord,
    { lead, campaign, wasNew, dueAt }: { lead: LeadRecord; campaign: CampaignRecord; wasNew: boolean; dueAt: Date },
  ): Promise<void> {
    await this.leads.giveBack(lead, _id, dueAt, { keepsSender: attempt > 1 });
    await this.campaigns.unserved({ workspaceId, mailboxId }, campaignId, { wasNew });
    await this.quotas.giveBack(campaign, { domain: lead.domain, isNew: wasNew, at: claimedAt });
  }
}

/** The campaign's own interval, longer by up to 20 % so that no mailbox writes like a clock. */
export function nextAtOf(
  { record, id }: Pick<EngineCampaign, 'id'> & { record: { emailIntervalMinutes: number } },
  lead: { readonly id: string; readonly email: { readonly step: { readonly _id: unknown } } | null },
  at: Date,
): Date | null {
  const interval = record.emailIntervalMinutes * MINUTE_MS;
  if (interval === 0) return null;
  return new Date(at.getTime() + jittered(interval, seeded(id, lead.id, String(lead.email?.step._id))));
}
