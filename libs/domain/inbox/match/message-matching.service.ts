import { type MailboxRecord } from '@domain/mailboxes';
import { CampaignRepository } from '@domain/campaigns';
import { LeadRepository, type LeadRecord } from '@domain/leads';
import { ReturnedSendsRepository, type SendRecord } from '@domain/sends';
import { TrackingTokenService } from '@domain/tracking';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { isFreeMail, parseEmailAddress } from '@platform/validation';
import { type Model, type Types } from 'mongoose';
import { ConversationMessageRecord } from '../schemas/conversation-message.record';
import { ConversationRecord } from '../schemas/conversation.record';
import { sameSubject } from './bare-subject';
import { type Found, type KnownMatch, type MatchedBy } from './match';
import { quotedTokens } from './quoted-tokens';

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
export class MessageMatchingService {
  constructor(
    @InjectModel(ConversationMessageRecord.name) private readonly messages: Model<ConversationMessageRecord>,
    @InjectModel(ConversationRecord.name) private readonly conversations: Model<ConversationRecord>,
    private readonly sends: ReturnedSendsRepository,
    private readonly leads: LeadRepository,
    private readonly campaigns: CampaignRepository,
    private readonly tokens: TrackingTokenService,
  ) {}

  /** What a message answers. */
  async find(mailbox: Mailbox, clues: Clues): Promise<Found> {
    const former: SendRecord[] = [];
    const match =
      (await this.#byReferences(mailbox, clues, former)) ??
      (await this.#byTokens(mailbox, clues, former)) ??
      (await this.#byThread(mailbox, clues, former)) ??
      (await this.#byAddress(mailbox, clues)) ??
      (await this.#byCompany(mailbox, clues));
    return { match, former: match ? null : (former[0] ?? null) };
  }

  /** Those of these Message-IDs that are of what we sent ourselves. */
  async oursAmong(workspaceId: Types.ObjectId, messageIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (messageIds.length === 0) return new Set();
    const written = await this.messages
      .find({ workspaceId, messageId: { $in: messageIds }, direction: 'sent' }, { messageId: 1 })
      .lean<Pick<ConversationMessageRecord, 'messageId'>[]>();
    const sent = await this.sends.byMessageIds(workspaceId, messageIds);
    return new Set([...sent, ...written].flatMap(({ messageId }) => messageId ?? []));
  }

  /** What an email of ours is about. */
  async ofSend(by: MatchedBy, send: SendRecord): Promise<Found> {
    const lead = await this.leads.find(send.workspaceId, send.leadId);
    const match = lead && (await this.#known(by, lead, send));
    return { match, former: match ? null : send };
  }

  /** The lead with whom a message of a conversation was written; null when it is none, or with nobody that is known. */
  async ofMessage({
    workspaceId,
    conversationId,
  }: Pick<ConversationMessageRecord, 'workspaceId' | 'conversationId'>): Promise<KnownMatch | null> {
    const conversation = await this.conversations
      .findOne({ _id: conversationId, workspaceId }, { leadId: 1 })
      .lean<Pick<ConversationRecord, 'leadId'>>();
    const lead = conversation?.leadId ? await this.leads.find(workspaceId, conversation.leadId) : null;
    return lead && this.#known('references', lead, await this.#latest(lead));
  }

  /** The emails whose tokens these texts quote, in their order. */
  async *quoted(workspaceId: Types.ObjectId, quotes: Clues['quotes']): AsyncGenerator<SendRecord> {
    for (const { kind, token } of quotedTokens(...quotes)) {
      const read = this.tokens.read(kind, token);
      const send = read && (await this.sends.find(workspaceId, read.sendId));
      if (send) yield send;
    }
  }

  async #known(by: MatchedBy, lead: LeadRecord, send: SendRecord | null): Promise<KnownMatch | null> {
    const campaign = await this.campaigns.peek(lead.workspaceId, lead.campaignId);
    return campaign && { by, lead, campaign, send };
  }

  /** @param former takes it where its lead is gone */
  async #ofSend(by: MatchedBy, send: SendRecord, former: SendRecord[]): Promise<KnownMatch | null> {
    const found = await this.ofSend(by, send);
    if (found.former) former.push(found.former);
    return found.match;
  }

  /** The lead of the first of these Message-IDs that is an email or a reply of ours. */
  async #byReferences(
    { workspaceId }: Mailbox,
    { references }: Clues,
    former: SendRecord[],
  ): Promise<KnownMatch | null> {
    const ids = references.slice(0, MOST_REFERENCES);
    if (ids.length === 0) return null;
    const sends = new Map((await this.sends.byMessageIds(workspaceId, ids)).map((send) => [send.messageId, send]));
    for (const id of ids) {
      const send = sends.get(id);
      const match = send && (await this.#ofSend('references', send, former));
      if (match) return match;
    }
    // Replies that were written by hand are no sends; their conversation knows whom they are to.
    const written = await this.messages
      .findOne({ workspaceId, messageId: { $in: ids } }, { workspaceId: 1, conversationId: 1 })
      .lean<Pick<ConversationMessageRecord, 'workspaceId' | 'conversationId'>>();
    return written && this.ofMessage(written);
  }

  async #byTokens({ workspaceId }: Mailbox, { quotes }: Clues, former: SendRecord[]): Promise<KnownMatch | null> {
    for await (const send of this.quoted(workspaceId, quotes)) {
      const match = await this.#ofSend('token', send, former);
      if (match) return match;
    }
    return null;
  }

  async #byThread(
    { _id, workspaceId }: Mailbox,
    { threadId }: Clues,
    former: SendRecord[],
  ): Promise<KnownMatch | null> {
    const send = threadId === null ? null : await this.sends.byThread(workspaceId, _id, threadId);
    return send && this.#ofSend('thread', send, former);
  }

  /** The lead that this address was last written to as; a mailbox that wrote to it goes before others. */
  async #byAddress({ _id, workspaceId }: Mailbox, { from }: Clues): Promise<KnownMatch | null> {
    const parsed = parseEmailAddress(from ?? '');
    if (!parsed.ok) return null;
    const leads = await this.leads.listContacted(workspaceId, parsed.address);
    const isMine = ({ mailboxId }: LeadRecord) => mailboxId?.equals(_id) === true;
    for (const lead of [...leads.filter(isMine), ...leads.filter((one) => !isMine(one))]) {
      const match = await this.#known('address', lead, null);
      if (match) return { ...match, send: await this.#latest(lead) };
    }
    return null;
  }

  /** A colleague who answers in a new mail, with the subject of an email that somebody at the company got from here. */
  async #byCompany({ _id, workspaceId }: Mailbox, { from, subject }: Clues): Promise<KnownMatch | null> {
    const parsed = parseEmailAddress(from ?? '');
    const domain = parsed.ok ? parsed.address.slice(parsed.address.lastIndexOf('@') + 1) : '';
    if (domain === '' || isFreeMail(domain)) return null;
    const leads = await this.leads.listContactedAtDomain(workspaceId, domain, _id);
    if (leads.length === 0) return null;
    const sends = await this.sends.ofLeads(
      workspaceId,
      leads.map((lead) => lead._id),
    );
    const send = sends.find((one) => sameSubject(one.subject, subject));
    const lead = send && leads.find((one) => one._id.equals(send.leadId));
    return lead ? this.#known('company', lead, send) : null;
  }

  async #latest(lead: LeadRecord): Promise<SendRecord | null> {
    return (await this.sends.ofLeads(lead.workspaceId, [lead._id]))[0] ?? null;
  }
}
