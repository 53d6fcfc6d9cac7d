import { type MailboxRecord } from '@domain/mailboxes';
import { CampaignRepository } from '@domain/campaigns';
import { LeadRepository, type LeadRecord } from '@domain/leads';
import { SendReadRepository, type SendRecord } from '@domain/sends';
import { TrackingTokenService } from '@domain/tracking';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { isFreeMail, parseEmailAddress } from '@platform/validation';
import { type Model, type Types } from 'mongoose';
import { ConversationMessageRecord } from '../schemas/conversation-message.record';
import { ConversationRecord } from '../schemas/conversation.record';
import { isSameSubject } from './bare-subject';
import { type Found, type KnownMatch, type MatchedBy } from './match';
import { listQuotedTokens } from './quoted-tokens';

/** The properties of a message that identify its lead. */
export interface Clues {
  /** Referenced Message-IDs, the nearest first. */
  readonly references: readonly string[];
  readonly from: string | null;
  readonly subject: string;
  /** Texts that may quote an email of ours. */
  readonly quotes: readonly (string | null)[];
  readonly threadId: string | null;
}

type Mailbox = Pick<MailboxRecord, '_id' | 'workspaceId'>;

/** Message-IDs per message that are looked up. */
const MAX_REFERENCES = 50;

/** Finds the lead that a message belongs to: by references, tokens in quotes, thread, address or company. */
@Injectable()
export class MessageMatchingService {
  constructor(
    @InjectModel(ConversationMessageRecord.name) private readonly messages: Model<ConversationMessageRecord>,
    @InjectModel(ConversationRecord.name) private readonly conversations: Model<ConversationRecord>,
    private readonly sends: SendReadRepository,
    private readonly leads: LeadRepository,
    private readonly campaigns: CampaignRepository,
    private readonly tokens: TrackingTokenService,
  ) {}

  /** Finds the lead by the first clue that succeeds. */
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

  /** Returns those of the Message-IDs that the workspace sent. */
  async listOurs(workspaceId: Types.ObjectId, messageIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (messageIds.length === 0) return new Set();
    const written = await this.messages
      .find({ workspaceId, messageId: { $in: messageIds }, direction: 'sent' }, { messageId: 1 })
      .lean<Pick<ConversationMessageRecord, 'messageId'>[]>();
    const sent = await this.sends.findByMessageIds(workspaceId, messageIds);
    return new Set([...sent, ...written].flatMap(({ messageId }) => messageId ?? []));
  }

  /** Finds the lead of an email. */
  async ofSend(by: MatchedBy, send: SendRecord): Promise<Found> {
    const lead = await this.leads.find(send.workspaceId, send.leadId);
    const match = lead && (await this.#known(by, lead, send));
    return { match, former: match ? null : send };
  }

  /** Finds the lead of a message's conversation; null for an untracked conversation or a deleted lead. */
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

  /** Yields the emails whose tokens the texts quote, in order. */
  async *quoted(workspaceId: Types.ObjectId, quotes: Clues['quotes']): AsyncGenerator<SendRecord> {
    for (const { kind, token } of listQuotedTokens(...quotes)) {
      const read = this.tokens.read(kind, token);
      const send = read && (await this.sends.find(workspaceId, read.sendId));
      if (send) yield send;
    }
  }

  async #known(by: MatchedBy, lead: LeadRecord, send: SendRecord | null): Promise<KnownMatch | null> {
    const campaign = await this.campaigns.peek(lead.workspaceId, lead.campaignId);
    return campaign && { by, lead, campaign, send };
  }

  /** @param former collects emails of deleted leads */
  async #ofSend(by: MatchedBy, send: SendRecord, former: SendRecord[]): Promise<KnownMatch | null> {
    const found = await this.ofSend(by, send);
    if (found.former) former.push(found.former);
    return found.match;
  }

  /** Finds the lead by the first reference that is an email or a reply of ours. */
  async #byReferences(
    { workspaceId }: Mailbox,
    { references }: Clues,
    former: SendRecord[],
  ): Promise<KnownMatch | null> {
    const ids = references.slice(0, MAX_REFERENCES);
    if (ids.length === 0) return null;
    const sends = new Map((await this.sends.findByMessageIds(workspaceId, ids)).map((send) => [send.messageId, send]));
    for (const id of ids) {
      const send = sends.get(id);
      const match = send && (await this.#ofSend('references', send, former));
      if (match) return match;
    }
    // Members' replies are no sends; their conversation has the lead.
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
    const send = threadId === null ? null : await this.sends.findByThread(workspaceId, _id, threadId);
    return send && this.#ofSend('thread', send, former);
  }

  /** Finds the lead last written to at this address; leads of this mailbox come first. */
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

  /** Matches a colleague's new mail by company domain and subject of an email that a lead there received. */
  async #byCompany({ _id, workspaceId }: Mailbox, { from, subject }: Clues): Promise<KnownMatch | null> {
    const parsed = parseEmailAddress(from ?? '');
    const domain = parsed.ok ? parsed.address.slice(parsed.address.lastIndexOf('@') + 1) : '';
    if (domain === '' || isFreeMail(domain)) return null;
    const leads = await this.leads.listContactedAtDomain(workspaceId, domain, _id);
    if (leads.length === 0) return null;
    const sends = await this.sends.listHandedOver(
      workspaceId,
      leads.map((lead) => lead._id),
    );
    const send = sends.find((one) => isSameSubject(one.subject, subject));
    const lead = send && leads.find((one) => one._id.equals(send.leadId));
    return lead ? this.#known('company', lead, send) : null;
  }

  async #latest(lead: LeadRecord): Promise<SendRecord | null> {
    return (await this.sends.listHandedOver(lead.workspaceId, [lead._id]))[0] ?? null;
  }
}
