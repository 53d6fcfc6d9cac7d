import { type MailboxMessageRecord, type MailboxRecord } from '@domain/mailboxes';
import { LeadMail, type LeadRecord } from '@domain/leads';
import { ReturnedSends, type SendRecord } from '@domain/sends';
import { TrackingTokens } from '@domain/tracking';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { isFreeMail, parseEmailAddress } from '@platform/validation';
import { type Model, type Types } from 'mongoose';
import { ConversationMessageRecord } from '../schemas/conversation-message.record';
import { ConversationRecord } from '../schemas/conversation.record';
import { sameSubject } from './bare.subject';
import { quotedTokens } from './quoted.tokens';

/** How it was found out what a message is about, from the surest to the least sure; or a person has said it. */
export type MatchedBy = 'references' | 'token' | 'thread' | 'address' | 'company' | 'person';

/** What a message is about. */
export interface Match {
  readonly by: MatchedBy;
  readonly lead: LeadRecord;
  /** The email that it answers, where that is known. */
  readonly send: SendRecord | null;
}

/** What is looked at to find it. */
export interface Clues {
  /** Message-IDs that it refers to, the nearest first. */
  readonly references: readonly string[];
  readonly from: string | null;
  readonly subject: string;
  /** Texts that may quote an email of ours. */
  readonly quotes: readonly (string | null)[];
  readonly threadId: string | null;
}

type Mailbox = Pick<MailboxRecord, '_id' | 'workspaceId'>;

/** Message-IDs of one message that are looked up: threads are no longer. */
const MOST_REFERENCES = 50;

/** Finds the lead that a message is about. */
@Injectable()
export class MessageMatching {
  constructor(
    @InjectModel(ConversationMessageRecord.name) private readonly messages: Model<ConversationMessageRecord>,
    @InjectModel(ConversationRecord.name) private readonly conversations: Model<ConversationRecord>,
    private readonly sends: ReturnedSends,
    private readonly leads: LeadMail,
    private readonly tokens: TrackingTokens,
  ) {}

  /** null: nothing of ours is known that it could answer. */
  async find(mailbox: Mailbox, clues: Clues): Promise<Match | null> {
    return (
      (await this.byReferences(mailbox, clues.references)) ??
      (await this.#byTokens(mailbox, clues)) ??
      (await this.#byThread(mailbox, clues)) ??
      (await this.#byAddress(mailbox, clues)) ??
      (await this.#byCompany(mailbox, clues))
    );
  }

  /** Whether a message is one that we sent ourselves: to a mailbox of the workspace that is a lead, for example. */
  async isOurs({ workspaceId, messageId }: Pick<MailboxMessageRecord, 'workspaceId' | 'messageId'>): Promise<boolean> {
    if (messageId === null) return false;
    if ((await this.sends.byMessageIds(workspaceId, [messageId])).length > 0) return true;
    return (await this.messages.exists({ workspaceId, messageId, direction: 'sent' })) !== null;
  }

  /** The lead of the first of these Message-IDs that is an email or a reply of ours. */
  async byReferences({ workspaceId }: Mailbox, references: readonly string[]): Promise<Match | null> {
    const ids = references.slice(0, MOST_REFERENCES);
    if (ids.length === 0) return null;
    const sends = new Map((await this.sends.byMessageIds(workspaceId, ids)).map((send) => [send.messageId, send]));
    for (const id of ids) {
      const match = await this.#ofSend('references', sends.get(id) ?? null);
      if (match) return match;
    }
    return this.#byReplies(workspaceId, ids);
  }

  /** The lead that this address was last written to as; a mailbox that wrote to it goes before others. */
  async byRecipient(mailbox: Mailbox, email: string): Promise<Match | null> {
    return this.#byAddress(mailbox, { references: [], from: email, subject: '', quotes: [], threadId: null });
  }

  async #ofSend(by: MatchedBy, send: SendRecord | null): Promise<Match | null> {
    const lead = send && (await this.leads.find(send.workspaceId, send.leadId));
    return lead ? { by, lead, send } : null;
  }

  /** Replies that were written by hand are no sends; their conversation knows whom they are to. */
  async #byReplies(workspaceId: Types.ObjectId, ids: readonly string[]): Promise<Match | null> {
    const found = await this.messages
      .findOne({ workspaceId, messageId: { $in: ids } }, { conversationId: 1 })
      .lean<Pick<ConversationMessageRecord, 'conversationId'>>();
    if (!found) return null;
    const conversation = await this.conversations
      .findOne({ _id: found.conversationId, workspaceId }, { leadId: 1 })
      .lean<Pick<ConversationRecord, 'leadId'>>();
    const lead = conversation?.leadId ? await this.leads.find(workspaceId, conversation.leadId) : null;
    return lead && { by: 'references', lead, send: await this.#latest(lead) };
  }

  async #byTokens({ workspaceId }: Mailbox, { quotes }: Clues): Promise<Match | null> {
    for (const { kind, token } of quotedTokens(...quotes)) {
      const read = this.tokens.read(kind, token);
      const match = read && (await this.#ofSend('token', await this.sends.find(workspaceId, read.sendId)));
      if (match) return match;
    }
    return null;
  }

  async #byThread({ _id, workspaceId }: Mailbox, { threadId }: Clues): Promise<Match | null> {
    if (threadId === null) return null;
    return this.#ofSend('thread', await this.sends.byThread(workspaceId, _id, threadId));
  }

  async #byAddress({ _id, workspaceId }: Mailbox, { from }: Clues): Promise<Match | null> {
    const parsed = parseEmailAddress(from ?? '');
    if (!parsed.ok) return null;
    const leads = await this.leads.written(workspaceId, parsed.address);
    const lead = leads.find(({ mailboxId }) => mailboxId?.equals(_id)) ?? leads[0];
    return lead ? { by: 'address', lead, send: await this.#latest(lead) } : null;
  }

  /** A colleague who answers in a new mail, with the subject of an email that somebody at the company got from here. */
  async #byCompany({ _id, workspaceId }: Mailbox, { from, subject }: Clues): Promise<Match | null> {
    const parsed = parseEmailAddress(from ?? '');
    const domain = parsed.ok ? parsed.address.slice(parsed.address.lastIndexOf('@') + 1) : '';
    if (domain === '' || isFreeMail(domain)) return null;
    const leads = await this.leads.writtenAt(workspaceId, domain, _id);
    if (leads.length === 0) return null;
    const sends = await this.sends.ofLeads(
      workspaceId,
      leads.map((lead) => lead._id),
    );
    const send = sends.find((one) => sameSubject(one.subject, subject));
    const lead = send && leads.find((one) => one._id.equals(send.leadId));
    return lead ? { by: 'company', lead, send } : null;
  }

  async #latest(lead: LeadRecord): Promise<SendRecord | null> {
    return (await this.sends.ofLeads(lead.workspaceId, [lead._id]))[0] ?? null;
  }
}
