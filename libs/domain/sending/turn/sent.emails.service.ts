import { systemScope } from '@domain/access';
import {
  type CampaignCount,
  CampaignCounters,
  type CampaignRecord,
  nextStep,
  Sequences,
  type SequenceStep,
} from '@domain/campaigns';
import { EventsService, type EventType } from '@domain/events';
import { DueLeads, type EndedLead, type LeadThread } from '@domain/leads';
import { MailboxFigures, type MailboxRecord } from '@domain/mailboxes';
import { type SendRecord } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { afterDelay } from '@platform/time';

/** An email that counts as sent, and how the lead goes on. */
export interface SentEmail {
  readonly send: SendRecord;
  /** null when it was deleted in the meantime. */
  readonly mailbox: Pick<MailboxRecord, 'email'> | null;
  readonly campaign: CampaignRecord;
  readonly step: Pick<SequenceStep, '_id' | 'order' | 'name'>;
  readonly subject: string;
  readonly thread: LeadThread;
  /** When it was sent. */
  readonly at: Date;
  /** No proof was found within six hours. */
  readonly unconfirmed?: boolean;
}

/** What follows from an email that was sent or refused: the lead goes on, it is counted, and it is told. Joins the transaction. */
@Injectable()
export class SentEmails {
  constructor(
    private readonly leads: DueLeads,
    private readonly sequences: Sequences,
    private readonly counters: CampaignCounters,
    private readonly figures: MailboxFigures,
    private readonly events: EventsService,
  ) {}

  /** The lead goes on to its next step, or is finished. */
  async counted(sent: SentEmail): Promise<void> {
    const { send, mailbox, step, subject, at, unconfirmed = false } = sent;
    const { sendingSchedule } = sent.campaign;
    const workspace = scopeOf(send);
    const { steps } = await this.sequences.version(workspace, send.campaignId, send.sequenceVersion);
    const following = nextStep(steps, send.stepId);
    const next = following ? { stepId: following._id, dueAt: afterDelay(at, following.delay, sendingSchedule) } : null;
    const lead = { _id: send.leadId, workspaceId: send.workspaceId };
    const advanced = await this.leads.advance(lead, send._id, { sentAt: at, next, thread: sent.thread });
    await this.counters.count(send.workspaceId, send.campaignId, send.mailboxId, {
      stats: { sent: 1, delivered: 1 },
      steps: { [String(send.stepId)]: { sent: 1 } },
      ...(advanced?.finished && { leads: { [advanced.from]: -1, completed: 1 } }),
    });
    if (mailbox) await this.figures.count(workspace, String(send.mailboxId), { sent: 1 }, at);
    await this.#tell(send, 'email.sent', at, {
      ...{ email: send.email, from: mailbox?.email ?? null, subject, messageId: send.messageId },
      ...{ step: step.order, stepId: String(step._id), variantId: String(send.variantId) },
      ...(unconfirmed && { unconfirmed }),
    });
    if (advanced?.finished) await this.#tellCompleted(send, 'finished', at);
  }

  /** The server refused it for good. */
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
    await this.figures.count(workspace, String(send.mailboxId), isBounce ? { bounced: 1 } : { failed: 1 }, at);
    const data = { email: send.email, step: send.stepOrder, stepId: String(send.stepId), reason };
    await this.#tell(send, isBounce ? 'email.bounced' : 'email.failed', at, {
      ...data,
      ...(isBounce && { verdict: 'hard', inSession: true }),
    });
    if (isBounce && ended.from !== ended.to) await this.#tellCompleted(send, 'bounced_hard', at);
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

  async #tellCompleted(send: SendRecord, reason: string, at: Date): Promise<void> {
    await this.events.record(scopeOf(send), {
      type: 'lead.completed',
      dedupeKey: `lead.completed:${String(send.leadId)}`,
      about: aboutOf(send),
      data: { email: send.email, reason },
      at,
    });
  }

  async #tell(send: SendRecord, type: EventType, at: Date, data: Record<string, unknown>): Promise<void> {
    const dedupeKey = `${type}:${String(send._id)}`;
    await this.events.record(scopeOf(send), { type, dedupeKey, about: aboutOf(send), data, at });
  }
}

function scopeOf({ workspaceId }: Pick<SendRecord, 'workspaceId'>) {
  return systemScope(workspaceId.toHexString());
}

function aboutOf({ mailboxId, campaignId, leadId }: SendRecord) {
  return { mailboxId: String(mailboxId), campaignId: String(campaignId), leadId: String(leadId) };
}
