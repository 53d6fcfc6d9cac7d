import { CampaignRepository } from '@domain/campaigns';
import { type EventRecord } from '@domain/events';
import { MailboxRepository } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { type Types } from 'mongoose';
import { webhookBody } from '../message/webhook-message';

/** Bodies of messages, with the names of the mailbox and the campaign that they are about. */
@Injectable()
export class WebhookMessagesService {
  constructor(
    private readonly campaigns: CampaignRepository,
    private readonly mailboxes: MailboxRepository,
  ) {}

  /**
   * Writes a body to each, of many events, which may be of several workspaces: two queries at most, and the same body for all
   * that are told of the same event. Joins a running transaction.
   */
  async written<T extends { readonly event: EventRecord }>(tellings: readonly T[]): Promise<(T & { body: string })[]> {
    const events = [...new Set(tellings.map(({ event }) => event))];
    const names = await this.campaigns.names(distinct(events.map(({ campaignId }) => campaignId)));
    const addresses = await this.mailboxes.addresses(distinct(events.map(({ mailboxId }) => mailboxId)));
    const bodies = new Map<EventRecord, string>();
    return tellings.map((telling) => {
      const { event } = telling;
      const campaignName = (event.campaignId && names.get(event.campaignId.toHexString())) ?? null;
      const mailboxEmail = (event.mailboxId && addresses.get(event.mailboxId.toHexString())) ?? null;
      const body = bodies.get(event) ?? webhookBody(event, { campaignName, mailboxEmail });
      bodies.set(event, body);
      return { ...telling, body };
    });
  }
}

/** Events that were recorded without one have none at all. */
function distinct(ids: readonly (Types.ObjectId | null | undefined)[]): Types.ObjectId[] {
  return [...new Map(ids.flatMap((id) => (id ? [[id.toHexString(), id] as const] : []))).values()];
}
