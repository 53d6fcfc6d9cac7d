import { LeadMail, LeadStops } from '@domain/leads';
import { ReturnedSends } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { companyDomainOf, isFreeMail } from '@platform/validation';
import { type Answer, type KnownMatch } from '../intake/incoming';
import { type IntakeTask } from '../intake/intake.tasks';
import { InboxTally } from './inbox.tally.service';

/** What a person's answer means for its lead. Joins the running transaction. */
@Injectable()
export class ReplyEffect {
  constructor(
    private readonly leads: LeadMail,
    private readonly stops: LeadStops,
    private readonly sends: ReturnedSends,
    private readonly tally: InboxTally,
  ) {}

  /**
   * @param isOptOut it asks not to be written to any more
   * @returns what has to follow outside of the transaction
   */
  async apply({ message, mail }: Answer, match: KnownMatch, isOptOut: boolean): Promise<IntakeTask[]> {
    const { lead, campaign, send, by } = match;
    const at = message.receivedAt;
    const firstOfLead = await this.leads.first(lead, 'repliedAt', at);
    await this.leads.tookMail(lead);
    if (send) await this.sends.proven(send);
    await this.tally.tell(match, {
      type: 'email.replied',
      // A copy in another mailbox has the same fingerprint.
      dedupeKey: `email.replied:${lead._id.toHexString()}:${message.fingerprint}`,
      at,
      data: { from: mail.from?.address ?? null, subject: mail.subject, text: mail.text, matchedBy: by, firstOfLead },
      ...(firstOfLead && { figure: 'replied', ofMailbox: 'replied' }),
    });
    return campaign.stopOnReply || isOptOut ? this.#stop(match, isOptOut ? 'unsubscribed' : 'replied') : [];
  }

  async #stop({ lead, campaign }: KnownMatch, reason: 'replied' | 'unsubscribed'): Promise<IntakeTask[]> {
    const leadId = lead._id.toHexString();
    const campaignId = campaign._id.toHexString();
    await this.stops.write(lead.workspaceId.toHexString(), { leadIds: [leadId] }, { reason });
    const withhold: IntakeTask = { do: 'withhold', leadId, reason };
    if (!campaign.stopCompanyOnReply || isFreeMail(lead.domain)) return [withhold];
    return [withhold, { do: 'stop_company', campaignId, domain: companyDomainOf(lead.domain) }];
  }
}
