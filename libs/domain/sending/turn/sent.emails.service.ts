import { systemScope } from '@domain/access';
import { type CampaignCount, CampaignCounters, Sequences } from '@domain/campaigns';
import { EventsService, type EventType } from '@domain/events';
import { DueLeads, type EndedLead, type LeadProgress } from '@domain/leads';
import { MailboxFigures } from '@domain/mailboxes';
import { type SendRecord } from '@domain/sends';
import { type NewSuppressions, type SuppressionOrigin, Suppressions } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { SentGroups, type SentWrites } from './group/sent.groups.service';
import { aboutOf, completed, countOf, eventsOf, progressOf, type SentEmail } from './sent.follows';

/** An email of a campaign, or a reply. */
type RefusedEmail = Pick<SendRecord, '_id' | 'workspaceId' | 'mailboxId' | 'attempt'> &
  Partial<Pick<SendRecord, 'campaignId'>>;

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
    if (mailbox) await this.figures.countUnlessGone(scopeOf(send), String(send.mailboxId), { sent: 1 }, at);
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
    const figure = isBounce ? { bounced: 1 } : { failed: 1 };
    await this.figures.countUnlessGone(workspace, String(send.mailboxId), figure, at);
    const data = { email: send.email, step: send.stepOrder, stepId: String(send.stepId), reason };
    await this.#tell(send, isBounce ? 'email.bounced' : 'email.failed', at, {
      ...data,
      ...(isBounce && { verdict: 'hard', inSession: true }),
    });
    if (!isBounce) return;
    if (ended.from !== ended.to) await this.events.record(workspace, completed(send, 'bounced_hard', at));
    await this.suppressions.record(workspace, ...bounceOf({ email: send.email, sendId: String(send._id) }, reason));
  }

  /** A server refused because of who sends: the mailbox sends nothing more until a person has looked at it. */
  async mailboxStopped(email: RefusedEmail, reason: string): Promise<void> {
    const mailboxId = String(email.mailboxId);
    await this.events.record(scopeOf(email), {
      type: 'mailbox.sending_stopped',
      dedupeKey: `mailbox.sending_stopped:${String(email._id)}:${email.attempt}`,
      about: { mailboxId, ...(email.campaignId && { campaignId: String(email.campaignId) }) },
      data: { reason },
    });
  }

  async #progress(sent: SentEmail): Promise<LeadProgress> {
    const { send } = sent;
    const { steps } = await this.sequences.version(scopeOf(send), send.campaignId, send.sequenceVersion);
    return progressOf(sent, steps);
  }

  async #tell(send: SendRecord, type: EventType, at: Date, data: Record<string, unknown>): Promise<void> {
    const dedupeKey = `${type}:${String(send._id)}`;
    await this.events.record(scopeOf(send), { type, dedupeKey, about: aboutOf(send), data, at });
  }
}

/** An email of which its server says that nobody is at the address. */
export interface BouncedEmail {
  readonly email: string;
  /** null for one that is no email of a campaign. */
  readonly sendId: string | null;
}

/** What a bounce puts on the list of suppressions. */
export function bounceOf({ email, sendId }: BouncedEmail, reason: string): [NewSuppressions, SuppressionOrigin] {
  return [
    { addresses: [email], reason: reason.slice(0, 200) },
    { source: 'bounce', sendId },
  ];
}

function scopeOf({ workspaceId }: Pick<SendRecord, 'workspaceId'>) {
  return systemScope(workspaceId.toHexString());
}
