import { systemScope } from '@domain/access';
import { CampaignCountersService, CampaignRepository } from '@domain/campaigns';
import { EventsService } from '@domain/events';
import { LeadRepository } from '@domain/leads';
import { type SendRecord, SendTrackingRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { aboutSend, sendData } from '../send-event';

/** By the button of the page, by a mail program (RFC 8058), or in the words of an answer. */
export type OptOutWay = 'page' | 'one_click' | 'reply';

/** Counts and tells that somebody unsubscribed, once for each email. */
@Injectable()
export class OptOutRecordsService {
  constructor(
    private readonly sends: SendTrackingRepository,
    private readonly leads: LeadRepository,
    private readonly campaigns: CampaignRepository,
    private readonly counters: CampaignCountersService,
    private readonly events: EventsService,
  ) {}

  /** Joins the running transaction, in which the address is suppressed. A campaign that is gone counts nothing more. */
  async write(send: SendRecord, how: OptOutWay, at: Date): Promise<void> {
    if (!(await this.sends.mark(send, 'unsubscribedAt', at))) return;
    const { workspaceId, campaignId, leadId } = send;
    const firstOfLead = await this.leads.markFirst({ _id: leadId, workspaceId }, 'unsubscribedAt', at);
    await this.events.record(systemScope(workspaceId.toHexString()), {
      type: 'email.unsubscribed',
      dedupeKey: `email.unsubscribed:${send._id.toHexString()}`,
      about: aboutSend(send),
      data: { ...sendData(send), firstOfLead, how },
      at,
    });
    if (!firstOfLead || !(await this.campaigns.peek(workspaceId, campaignId))) return;
    await this.counters.count(workspaceId, campaignId, send.mailboxId, { stats: { unsubscribed: 1 } });
  }
}
