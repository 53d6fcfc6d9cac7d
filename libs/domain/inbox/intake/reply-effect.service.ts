import { LeadRepository } from '@domain/leads';
import { ReturnedSendsRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { getCompanyDomain, isFreeMail } from '@platform/validation';
import { type Answer } from './incoming';
import { type Types } from 'mongoose';
import { type KnownMatch } from '../match/match';
import { type IntakeTask } from './intake-tasks';
import { type Labelled } from '../label/label-by-rules';
import { emailData } from '../effects/lead-event-data';
import { InboxGatheringService } from '../effects/inbox-gathering.service';
import { isOptOut } from '../effects/label-effect.service';

/** What a person's answer means for its lead. Joins the running transaction. */
@Injectable()
export class ReplyEffectService {
  constructor(
    private readonly leads: LeadRepository,
    private readonly sends: ReturnedSendsRepository,
    private readonly gathering: InboxGatheringService,
  ) {}

  /**
   * @param labelled what its words say, and the conversation that it is in; null where a copy of it is in one already
   * @returns what has to follow outside of the transaction
   */
  async apply(
    { message, mail }: Answer,
    match: KnownMatch,
    { labelled, conversationId }: { labelled: Labelled; conversationId: Types.ObjectId | null },
  ): Promise<IntakeTask[]> {
    const { lead, campaign, send, by } = match;
    const at = message.receivedAt;
    const firstOfLead = await this.leads.markFirst(lead, 'repliedAt', at);
    await this.leads.clearSoftBounces(lead);
    if (send) await this.sends.proven(send);
    await this.gathering.queueEvent(match, {
      type: 'email.replied',
      // A copy in another mailbox has the same fingerprint.
      dedupeKey: `email.replied:${lead._id.toHexString()}:${message.fingerprint}`,
      at,
      data: {
        ...emailData(match),
        from: mail.from?.address ?? null,
        subject: mail.subject,
        text: mail.text,
        matchedBy: by,
        label: labelled.label,
        conversationId: conversationId?.toHexString() ?? null,
        firstOfLead,
      },
      ...(firstOfLead && { figure: 'replied', ofMailbox: 'replied' }),
    });
    const asksToStop = isOptOut(labelled);
    return campaign.stopOnReply || asksToStop ? this.#stop(match, asksToStop ? 'unsubscribed' : 'replied') : [];
  }

  async #stop({ lead, campaign }: KnownMatch, reason: 'replied' | 'unsubscribed'): Promise<IntakeTask[]> {
    const leadId = lead._id.toHexString();
    const campaignId = campaign._id.toHexString();
    await this.gathering.stop(lead, { reason });
    const withhold: IntakeTask = { do: 'withhold', leadId, reason };
    if (!campaign.stopCompanyOnReply || isFreeMail(lead.domain)) return [withhold];
    return [withhold, { do: 'stop_company', campaignId, domain: getCompanyDomain(lead.domain) }];
  }
}
