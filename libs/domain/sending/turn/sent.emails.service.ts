import { systemScope } from '@domain/access';
import { type CampaignCount, CampaignCounters, Sequences } from '@domain/campaigns';
import { EventsService, type EventType } from '@domain/events';
import { DueLeads, type EndedLead, type LeadProgress } from '@domain/leads';
import { MailboxFigures } from '@domain/mailboxes';
import { type SendRecord } from '@domain/sends';
import { type NewSuppressions, type SuppressionOrigin, Suppressions } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { AppError } from '@platform/errors';
import { SentGroups, type SentWrites } from './group/sent.groups.service';
import { aboutOf, completed, countOf, eventsOf, progressOf, type SentEmail } from './sent.follows';

/** What follows from an email that was sent or refused: the lead goes on, it is counted, and it is told. Joins the transaction. */
@Injectable()
export class SentEmails {
  constructor(
    private readonly leads: DueLeads,
    private readonly sequences: Sequences,
    private readonly counters: CampaignCounters,
    private readonly figures: MailboxFigures,
    private readonly events: EventsService,
    private readonly suppressions: Suppressions,
    private readonly groups: SentGroups,
  ) {}

  /**
   * The server has accepted it: written together with those of other mailboxes where that goes. Not in a transaction.
   * @returns false when it has to be written alone: `counted`
   */
  async together(
    sent: SentEmail & { readonly mailbox: NonNullable<SentEmail['mailbox']> },
    outcome: SentWrites['outcome'],
  ): Promise<boolean> {
    const { send, mailbox } = sent;
    return this.groups.settle({
      send,
      outcome,
      mailbox,
      progress: await this.#progress(sent),
      count: (advanced) => countOf(sent, advanced),
      events: (advanced) => eventsOf(sent, advanced),
    });
  }

  /** The lead goes on to its next step, or is finished. */
  async counted(sent: SentEmail): Promise<void> {
    const { send, mailbox, at } = sent;
    const workspace = scopeOf(send);
    const lead = { _id: send.leadId, workspaceId: send.workspaceId };
    const advanced = await this.leads.advance(lead, send._id, await this.#progress(sent));
    await this.counters.count(send.workspaceId, send.campaignId, send.mailboxId, countOf(sent, advanced));
    if (mailbox) await this.#figures(send, { sent: 1 }, at);
    for (const event of eventsOf(sent, advanced)) await this.events.record(workspace, event);
  }

  /** The server refused it for good. Nobody at the address: it is suppressed, for all campaigns, with the outcome. */
  async refused(
    send: SendRecord,
    { isBounce, reason, ended, at }: { isBounce: boolean; reason: string; ended: EndedLead; at: Date },
  ): Promise<void> {
    const workspace = scopeOf(send);
    const count: CampaignCount = {
      ...(isBounce && { stats: { bounced: 1 }, steps: { [String(send.stepId)]: { bounced: 1 } } }),
      ...(ended.from !== ended.to && { leads: { [ended.from]: -1, [ended.to]: 1 } }),
    };
    await this.counters.count(send.workspaceId, send.campaignId, send.mailboxId, count);
    await this.#figures(send, isBounce ? { bounced: 1 } : { failed: 1 }, at);
    const data = { email: send.email, step: send.stepOrder, stepId: String(send.stepId), reason };
    await this.#tell(send, isBounce ? 'email.bounced' : 'email.failed', at, {
      ...data,
      ...(isBounce && { verdict: 'hard', inSession: true }),
    });
    if (!isBounce) return;
    if (ended.from !== ended.to) await this.events.record(workspace, completed(send, 'bounced_hard', at));
    await this.suppressions.record(workspace, ...bounceOf(send, reason));
  }

  /** A server refused because of who sends: the mailbox sends nothing more until a person has looked at it. */
  async mailboxStopped(send: SendRecord, reason: string): Promise<void> {
    const mailboxId = String(send.mailboxId);
    await this.events.record(scopeOf(send), {
      type: 'mailbox.sending_stopped',
      dedupeKey: `mailbox.sending_stopped:${String(send._id)}:${send.attempt}`,
      about: { mailboxId, campaignId: String(send.campaignId) },
      data: { reason },
    });
  }

  async #progress(sent: SentEmail): Promise<LeadProgress> {
    const { send } = sent;
    const { steps } = await this.sequences.version(scopeOf(send), send.campaignId, send.sequenceVersion);
    return progressOf(sent, steps);
  }

  /** Of a mailbox that was deleted in that very moment nothing is counted any more. */
  async #figures(send: SendRecord, figures: Parameters<MailboxFigures['count']>[2], at: Date): Promise<void> {
    try {
      await this.figures.count(scopeOf(send), String(send.mailboxId), figures, at);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error;
    }
  }

  async #tell(send: SendRecord, type: EventType, at: Date, data: Record<string, unknown>): Promise<void> {
    const dedupeKey = `${type}:${String(send._id)}`;
    await this.events.record(scopeOf(send), { type, dedupeKey, about: aboutOf(send), data, at });
  }
}

/** What a bounce puts on the list of suppressions. */
export function bounceOf({ _id, email }: SendRecord, reason: string): [NewSuppressions, SuppressionOrigin] {
  return [
    { addresses: [email], reason: reason.slice(0, 200) },
    { source: 'bounce', sendId: _id.toHexString() },
  ];
}

function scopeOf({ workspaceId }: Pick<SendRecord, 'workspaceId'>) {
  return systemScope(workspaceId.toHexString());
}
