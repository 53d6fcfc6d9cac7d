import { systemScope } from '@domain/access';
import { type CampaignCount, CampaignCountersService, SequencesService } from '@domain/campaigns';
import { EventsService, type NewEvent } from '@domain/events';
import { DueLeadRepository, type EndedLead, type LeadProgress } from '@domain/leads';
import { MailboxFiguresService } from '@domain/mailboxes';
import { type SendRecord, type LastReply } from '@domain/sends';
import { type NewSuppressions, type SuppressionOrigin, SuppressionsService } from '@domain/suppressions';
import { sendData } from '@domain/tracking';
import { Injectable } from '@nestjs/common';
import { SentGroupsService, type SentWrites } from './batching/sent-groups.service';
import { getAbout, completed, getCount, getEvents, getProgress, type SentEmail } from './sent-email-changes';

/** An email of a campaign, or a reply. */
type RefusedEmail = Pick<SendRecord, '_id' | 'workspaceId' | 'mailboxId' | 'attempt'> &
  Partial<Pick<SendRecord, 'campaignId'>>;

/** A server refused an email for good. */
interface Refusal {
  /** Nobody is at the address. */
  readonly isBounce: boolean;
  readonly reason: string;
  /** As it was rendered. */
  readonly subject: string;
  /** The server's own; null for an email that was given up without any. */
  readonly words: Pick<LastReply, 'code' | 'enhancedCode'> | null;
  readonly ended: EndedLead;
  readonly at: Date;
}

/** What follows from an email that was sent or refused: the lead goes on, it is counted, and it is told. Joins the transaction. */
@Injectable()
export class SentEmailService {
  constructor(
    private readonly leads: DueLeadRepository,
    private readonly sequences: SequencesService,
    private readonly counters: CampaignCountersService,
    private readonly figures: MailboxFiguresService,
    private readonly events: EventsService,
    private readonly suppressions: SuppressionsService,
    private readonly groups: SentGroupsService,
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
      count: (advanced) => getCount(sent, advanced),
      events: (advanced) => getEvents(sent, advanced),
    });
  }

  /** The lead goes on to its next step, or is finished. */
  async counted(sent: SentEmail): Promise<void> {
    const { send, mailbox, at } = sent;
    const workspace = scopeOf(send);
    const lead = { _id: send.leadId, workspaceId: send.workspaceId };
    const advanced = await this.leads.advance(lead, send._id, await this.#progress(sent));
    await this.counters.count(send.workspaceId, send.campaignId, send.mailboxId, getCount(sent, advanced));
    if (mailbox) await this.figures.countIfExists(scopeOf(send), String(send.mailboxId), { sent: 1 }, at);
    for (const event of getEvents(sent, advanced)) await this.events.record(workspace, event);
  }

  /** The server refused it for good. Nobody at the address: it is suppressed, for all campaigns, with the outcome. */
  async refused(send: SendRecord, { isBounce, reason, subject, words, ended, at }: Refusal): Promise<void> {
    const workspace = scopeOf(send);
    const count: CampaignCount = {
      ...(isBounce && { stats: { bounced: 1 }, steps: { [String(send.stepId)]: { bounced: 1 } } }),
      ...(ended.from !== ended.to && { leads: { [ended.from]: -1, [ended.to]: 1 } }),
    };
    await this.counters.count(send.workspaceId, send.campaignId, send.mailboxId, count);
    const figure = isBounce ? { bounced: 1 } : { failed: 1 };
    await this.figures.countIfExists(workspace, String(send.mailboxId), figure, at);
    await this.events.record(workspace, refusalOf(send, { isBounce, reason, subject, words, at }));
    if (!isBounce) return;
    if (ended.from !== ended.to) await this.events.record(workspace, completed(send, 'bounced', 'bounced_hard', at));
    await this.suppressions.record(workspace, ...getBounce({ email: send.email, sendId: String(send._id) }, reason));
  }

  /** A server refused because of who sends: the mailbox sends nothing more until a person has looked at it. */
  async mailboxStopped(email: RefusedEmail, reason: string): Promise<void> {
    const mailboxId = String(email.mailboxId);
    await this.events.record(scopeOf(email), {
      type: 'mailbox.sending_stopped',
      dedupeKey: `mailbox.sending_stopped:${String(email._id)}:${email.attempt}`,
      about: { mailboxId, ...(email.campaignId && { campaignId: String(email.campaignId) }) },
      data: { code: 'REFUSED', reason, of: null, domain: null, evidence: null },
    });
  }

  async #progress(sent: SentEmail): Promise<LeadProgress> {
    const { send } = sent;
    const { steps } = await this.sequences.version(scopeOf(send), send.campaignId, send.sequenceVersion);
    return getProgress(sent, steps);
  }
}

/** Of a server that has much to say. */
const MOST_WORDS = 1_000;

function refusalOf(send: SendRecord, { isBounce, reason, subject, words, at }: Omit<Refusal, 'ended'>): NewEvent {
  const about = getAbout(send);
  const data = {
    ...sendData(send),
    subject,
    reason: reason.slice(0, MOST_WORDS),
    code: words?.code ?? null,
    enhancedCode: words?.enhancedCode ?? null,
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

/** An email of which its server says that nobody is at the address. */
export interface BouncedEmail {
  readonly email: string;
  /** null for one that is no email of a campaign. */
  readonly sendId: string | null;
}

/** What a bounce puts on the list of suppressions. */
export function getBounce({ email, sendId }: BouncedEmail, reason: string): [NewSuppressions, SuppressionOrigin] {
  return [
    { addresses: [email], reason: reason.slice(0, 200) },
    { source: 'bounce', sendId },
  ];
}

function scopeOf({ workspaceId }: Pick<SendRecord, 'workspaceId'>) {
  return systemScope(workspaceId.toHexString());
}
