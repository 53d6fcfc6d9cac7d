import { systemScope } from '@domain/access';
import { type CampaignCount, CampaignCountersService, SequenceVersionService } from '@domain/campaigns';
import { EventsService, type NewEvent } from '@domain/events';
import { DueLeadRepository, type EndedLead, type LeadProgress } from '@domain/leads';
import { MailboxFiguresService } from '@domain/mailboxes';
import { type LastReply, type SendRecord } from '@domain/sends';
import { sendData } from '@domain/tracking';
import { Injectable } from '@nestjs/common';
import { SendBatchService, type SentWrites } from './batching/send-batch.service';
import {
  completed,
  getSendEventSubject,
  getCount,
  getEvents,
  getLeadProgress,
  type SentEmail,
} from './sent-email-changes';

/** A permanent refusal by a server. */
interface Refusal {
  /** The address does not exist. */
  readonly isBounce: boolean;
  readonly reason: string;
  /** The rendered subject. */
  readonly subject: string;
  /** The server's reply; null for an email that failed without one. */
  readonly lastReply: Pick<LastReply, 'code' | 'enhancedCode'> | null;
  readonly ended: EndedLead;
  readonly at: Date;
}

/** Writes the consequences of a sent or refused email: lead, figures and events. Joins the transaction. */
@Injectable()
export class SentEmailService {
  constructor(
    private readonly leads: DueLeadRepository,
    private readonly sequences: SequenceVersionService,
    private readonly counters: CampaignCountersService,
    private readonly figures: MailboxFiguresService,
    private readonly events: EventsService,
    private readonly batches: SendBatchService,
  ) {}

  /**
   * Writes an accepted email together with those of other mailboxes. Outside of transactions.
   * @returns false if the outcome must be written alone: `counted`
   */
  async writeTogether(
    sent: SentEmail & { readonly mailbox: NonNullable<SentEmail['mailbox']> },
    outcome: SentWrites['outcome'],
  ): Promise<boolean> {
    const { send, mailbox } = sent;
    return this.batches.settle({
      send,
      outcome,
      mailbox,
      progress: await this.#progress(sent),
      count: (advanced) => getCount(sent, advanced),
      events: (advanced) => getEvents(sent, advanced),
    });
  }

  /** Advances the lead to its next step, or completes it. */
  async recordSent(sent: SentEmail): Promise<void> {
    const { send, mailbox, at } = sent;
    const workspace = toScope(send);
    const lead = { _id: send.leadId, workspaceId: send.workspaceId };
    const advanced = await this.leads.advance(lead, send._id, await this.#progress(sent));
    await this.counters.count(send.workspaceId, send.campaignId, send.mailboxId, getCount(sent, advanced));
    if (mailbox) await this.figures.countIfExists(toScope(send), String(send.mailboxId), { sent: 1 }, at);
    for (const event of getEvents(sent, advanced)) await this.events.record(workspace, event);
  }

  /** Records a permanent refusal. */
  async recordRefused(send: SendRecord, { isBounce, reason, subject, lastReply, ended, at }: Refusal): Promise<void> {
    const workspace = toScope(send);
    const count: CampaignCount = {
      ...(isBounce && { stats: { bounced: 1 }, steps: { [String(send.stepId)]: { bounced: 1 } } }),
      ...(ended.from !== ended.to && { leads: { [ended.from]: -1, [ended.to]: 1 } }),
    };
    await this.counters.count(send.workspaceId, send.campaignId, send.mailboxId, count);
    const figure = isBounce ? { bounced: 1 } : { failed: 1 };
    await this.figures.countIfExists(workspace, String(send.mailboxId), figure, at);
    await this.events.record(workspace, toRefusalEvent(send, { isBounce, reason, subject, lastReply, at }));
    if (isBounce && ended.from !== ended.to)
      await this.events.record(workspace, completed(send, 'bounced', 'bounced_hard', at));
  }

  async #progress(sent: SentEmail): Promise<LeadProgress> {
    const { send } = sent;
    const { steps } = await this.sequences.getVersion(toScope(send), send.campaignId, send.sequenceVersion);
    return getLeadProgress(sent, steps);
  }
}

/** Maximum characters of a server's reply in an event. */
const MAX_REASON_LENGTH = 1_000;

function toRefusalEvent(
  send: SendRecord,
  { isBounce, reason, subject, lastReply, at }: Omit<Refusal, 'ended'>,
): NewEvent {
  const about = getSendEventSubject(send);
  const data = {
    ...sendData(send),
    subject,
    reason: reason.slice(0, MAX_REASON_LENGTH),
    code: lastReply?.code ?? null,
    enhancedCode: lastReply?.enhancedCode ?? null,
  };
  if (!isBounce) return { type: 'email.failed', dedupeKey: `email.failed:${String(send._id)}`, about, data, at };
  return {
    type: 'email.bounced',
    dedupeKey: `email.bounced:${String(send._id)}`,
    about,
    data: { ...data, verdict: 'hard', rule: null, inSession: true, softLimit: false },
    at,
  };
}

function toScope({ workspaceId }: Pick<SendRecord, 'workspaceId'>) {
  return systemScope(workspaceId.toHexString());
}
