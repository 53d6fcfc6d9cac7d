import { type AttachmentContent, MailError, type MessageRef } from '@adapters/mail';
import { type WorkspaceScope } from '@domain/access';
import { MailboxMessageRepository, type MailboxRecord } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Config } from '@platform/config';
import { type Page, PageService } from '@platform/database';
import { invalidField, notFound } from '@platform/errors';
import { type Model } from 'mongoose';
import { type Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { limitStream } from '../attachments/bounded-stream';
import { toSafeFileName, toSafeMediaType } from '../attachments/file-name';
import { toCampaignMessage, toMessage } from '../dto/conversation-message.dto';
import { type ConversationQuery, type InboxQuery } from '../dto/conversation-requests.dto';
import {
  type ConversationDetailResponse,
  type ConversationResponse,
  toConversation,
  toConversationDetail,
} from '../dto/conversation.dto';
import { attachmentNotSupported, upstreamFailed } from '../inbox.errors';
import { ConversationMessageRecord, type MessageAttachment } from '../schemas/conversation-message.record';
import { ConversationRecord } from '../schemas/conversation.record';
import { requireConversation } from './conversation-lookup';
import { toConversationFilter } from './conversation-query';
import { ConversationRepository } from './conversation.repository';

/** Fields that no list shows. */
const UNLISTED = ['workspaceId', 'threadKey', 'threadIds'];

/** A file that is streamed from the provider. */
export interface AttachmentFile {
  /** Safe as a file name. */
  readonly name: string;
  readonly contentType: string;
  /** Fails when the provider aborts and beyond 25 MB; destroy it to stop early. */
  readonly content: Readable;
}

interface Found {
  readonly message: ConversationMessageRecord;
  readonly attachment: MessageAttachment;
}

const MEGABYTE = 1_048_576;
const MAX_ATTACHMENT_BYTES = 25 * MEGABYTE;

/** The inbox as its users see it. Attachments are streamed from the mail provider and never stored. */
@Injectable()
export class ConversationsService {
  constructor(
    @InjectModel(ConversationRecord.name) private readonly conversations: Model<ConversationRecord>,
    private readonly repository: ConversationRepository,
    private readonly pages: PageService,
    private readonly config: Config,
    @InjectModel(ConversationMessageRecord.name) private readonly messages: Model<ConversationMessageRecord>,
    private readonly mail: MailboxMessageRepository,
  ) {}

  /** Newest message first; `search` matches subject, name and address. */
  async list({ workspaceId }: WorkspaceScope, query: InboxQuery): Promise<Page<ConversationResponse>> {
    const { limit, cursor, ...conditions } = query;
    const filter = { workspaceId, ...toConversationFilter(conditions) };
    return this.pages.read(
      this.conversations,
      { scope: workspaceId, filter, by: 'lastMessageAt', without: UNLISTED, page: { limit, cursor } },
      toConversation,
    );
  }

  /**
   * Returns a conversation with its messages and the emails of its campaign.
   * @throws NOT_FOUND; VALIDATION_ERROR when `before` is no message of the conversation
   */
  async get(
    workspace: WorkspaceScope,
    conversationId: string,
    { before }: ConversationQuery,
  ): Promise<ConversationDetailResponse> {
    const conversation = await requireConversation(this.conversations, workspace, conversationId);
    const { messages, emails, earlier } = await this.repository.readThread(conversation, before);
    const api = this.config.publicUrl.replace(/\/+$/, '');
    const getUrl = (index: number) => `${api}/v1/inbox/${conversation._id.toHexString()}/attachments/${index}`;
    const shown = [...emails.map(toCampaignMessage), ...messages.map((message) => toMessage(message, getUrl))];
    // ISO times compare as strings; the stable sort keeps the order of simultaneous messages.
    const sorted = shown.toSorted((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
    return toConversationDetail(conversation, sorted, earlier);
  }

  /**
   * Opens an attachment by its index in the conversation, from 0. Its first bytes are available on return.
   * @throws NOT_FOUND, VALIDATION_ERROR for an invalid index, ATTACHMENT_NOT_SUPPORTED, UPSTREAM_ERROR
   */
  async openAttachment(
    workspace: WorkspaceScope,
    conversationId: string,
    attachmentIndex: string,
  ): Promise<AttachmentFile> {
    const conversation = await requireConversation(this.conversations, workspace, conversationId);
    const found = await this.#findAttachment(conversation, parseIndex(attachmentIndex));
    const { name, contentType, size } = found.attachment;
    if (size > MAX_ATTACHMENT_BYTES) throw attachmentNotSupported('The attachment is larger than 25 MB');
    const mailbox = await this.#requireMailbox(found.message);
    const ref = await this.#getMessageRef(found.message);
    const content = await this.#openContent(mailbox, ref, found.attachment.index);
    return { name: toSafeFileName(name), contentType: toSafeMediaType(contentType), content };
  }

  async #findAttachment({ _id, workspaceId, attachmentCount }: ConversationRecord, number: number): Promise<Found> {
    const message =
      number < attachmentCount
        ? await this.messages
            .findOne({ workspaceId, conversationId: _id, firstAttachment: { $lte: number, $exists: true } })
            .sort({ firstAttachment: -1 })
            .lean<ConversationMessageRecord>()
        : null;
    const attachment = message?.attachments[number - (message.firstAttachment ?? 0)];
    if (!message || !attachment) throw notFound('Attachment');
    return { message, attachment };
  }

  async #requireMailbox({ workspaceId, mailboxId }: ConversationMessageRecord): Promise<MailboxRecord> {
    const names = { workspaceId: workspaceId.toHexString(), mailboxId: mailboxId.toHexString() };
    const mailbox = await this.mail.findMailbox(names);
    if (!mailbox) throw attachmentNotSupported('The mailbox of this attachment was deleted');
    if (mailbox.connectionType !== 'oauth') {
      throw attachmentNotSupported('Attachments of mailboxes that are connected by SMTP and IMAP cannot be fetched');
    }
    return mailbox;
  }

  /** Returns the current place of the message: it may have been moved. */
  async #getMessageRef({
    workspaceId,
    mailboxMessageId,
    providerMessageId,
  }: ConversationMessageRecord): Promise<MessageRef> {
    if (providerMessageId === null) {
      throw attachmentNotSupported('The provider’s id of the message was not captured when it was sent');
    }
    const stored = mailboxMessageId && (await this.mail.peek({ _id: mailboxMessageId, workspaceId }));
    return stored ? stored.ref : { folder: '', id: providerMessageId };
  }

  async #openContent(mailbox: MailboxRecord, ref: MessageRef, index: number): Promise<Readable> {
    try {
      const { content } = await this.#openInSession(mailbox, ref, index);
      return await limitStream(content, MAX_ATTACHMENT_BYTES);
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      throw upstreamFailed(`The mail provider did not deliver the attachment: ${error.message}`, error);
    }
  }

  /** Uses the session until the last byte: one that is replaced meanwhile ends after that. */
  #openInSession(mailbox: MailboxRecord, ref: MessageRef, index: number): Promise<AttachmentContent> {
    return new Promise((resolve, reject) => {
      const use = this.mail.withSession(mailbox, async (session) => {
        const opened = await session.fetchAttachment(ref, index);
        resolve(opened);
        // The reader of the stream handles its errors.
        await finished(opened.content).catch(() => undefined);
      });
      use.catch(reject);
    });
  }
}

function parseIndex(attachmentIndex: string): number {
  if (/^(?:0|[1-9]\d*)$/.test(attachmentIndex)) return Number(attachmentIndex);
  throw invalidField('attachmentIndex', 'attachmentIndex must be a whole number from 0');
}
