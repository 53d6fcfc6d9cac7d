import { systemScope } from '@domain/access';
import { CampaignCountersService, CampaignRepository } from '@domain/campaigns';
import { EventsService } from '@domain/events';
import { WorkspaceRepository } from '@domain/identity';
import { LeadRepository } from '@domain/leads';
import { type SendRecord, SendReadRepository } from '@domain/sends';
import { SuppressionsService } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { aboutSend, sendData } from '../send-event';
import { NO_SEND, TrackingTokenService } from '../tracking-token.service';

/** The button of the page, the mail program's one click (RFC 8058), or the text of a reply. */
export type OptOutWay = 'page' | 'one_click' | 'reply';

/** The recipient who opts out, and the sender they opt out of. */
export interface OptOut {
  readonly email: string;
  /** The sending domain, in A-labels. */
  readonly sender: string;
}

/** Stored in the ledger and shown in the suppression list. */
const REASONS: Readonly<Record<OptOutWay, string>> = {
  page: 'Unsubscribed on the page that the email links to',
  one_click: 'Unsubscribed by the mail program, in one click',
  reply: 'Asked for it in a reply',
};

/** Opt-outs of recipients: by the link of an email, or by a reply. */
@Injectable()
export class UnsubscribeService {
  constructor(
    private readonly tokens: TrackingTokenService,
    private readonly sends: SendReadRepository,
    private readonly suppressions: SuppressionsService,
    private readonly leads: LeadRepository,
    private readonly campaigns: CampaignRepository,
    private readonly counters: CampaignCountersService,
    private readonly events: EventsService,
    private readonly workspaces: WorkspaceRepository,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** Returns the opt-out that the token stands for; null for an unknown token. Changes nothing: scanners follow links. */
  async peek(token: string): Promise<OptOut | null> {
    const send = await this.#findSend(token);
    return send && toOptOut(send);
  }

  /**
   * Unsubscribes the recipient of the email and returns once the workspace sends nothing more to the address. Repeatable:
   * a repetition completes an interrupted call. Returns null for an unknown token.
   */
  async unsubscribe(token: string, way: OptOutWay): Promise<OptOut | null> {
    const send = await this.#findSend(token);
    if (!send) return null;
    const workspace = systemScope(send.workspaceId.toHexString());
    const suppression = { addresses: [send.email], reason: REASONS[way] };
    const origin = { source: 'unsubscribe', sendId: send._id.toHexString() } as const;
    const at = this.clock.now();
    await this.transactions.run(async () => {
      await this.suppressions.record(workspace, suppression, origin);
      await this.record(send, way, at);
    });
    // Withholds sends in progress. It must follow the transaction: they have to see the suppression.
    await this.suppressions.add(workspace, suppression, origin);
    return toOptOut(send);
  }

  /**
   * Counts the opt-out and writes its event, once per email. Joins the running transaction, in which the address is
   * suppressed. A deleted campaign counts nothing.
   */
  async record(send: SendRecord, way: OptOutWay, at: Date): Promise<void> {
    if (!(await this.sends.mark(send, 'unsubscribedAt', at))) return;
    const { workspaceId, campaignId, leadId } = send;
    const firstOfLead = await this.leads.markFirst({ _id: leadId, workspaceId }, 'unsubscribedAt', at);
    await this.events.record(systemScope(workspaceId.toHexString()), {
      type: 'email.unsubscribed',
      dedupeKey: `email.unsubscribed:${send._id.toHexString()}`,
      about: aboutSend(send),
      data: { ...sendData(send), firstOfLead, how: way },
      at,
    });
    if (!firstOfLead || !(await this.campaigns.peek(workspaceId, campaignId))) return;
    await this.counters.count(workspaceId, campaignId, send.mailboxId, { stats: { unsubscribed: 1 } });
  }

  /** Finds the send also in a deleted workspace, which may be restored with its opt-outs, but not in one being purged. */
  async #findSend(token: string): Promise<SendRecord | null> {
    const send = await this.sends.findById(this.tokens.read('unsubscribe', token)?.sendId ?? NO_SEND);
    return send && ((await this.workspaces.isMember(send.workspaceId.toHexString())) ? send : null);
  }
}

function toOptOut({ email, messageId }: SendRecord): OptOut {
  return { email, sender: messageId.slice(messageId.lastIndexOf('@') + 1, -1) };
}
