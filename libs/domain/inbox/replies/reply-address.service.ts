import { type MailAddress } from '@adapters/mail';
import { MailboxMessageRepository, type MailboxRecord, MAILBOX_HOOKS, findSendingObstacle } from '@domain/mailboxes';
import { SuppressionsService } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { conflict } from '@platform/errors';
import { HookRegistry } from '@platform/hooks';
import { parseEmailAddress } from '@platform/validation';
import { type Model } from 'mongoose';
import { ConversationMessageRecord, type MessageKind } from '../schemas/conversation-message.record';
import { type ConversationRecord } from '../schemas/conversation.record';

/** Sender, recipient and thread of a reply. */
export interface Addressing {
  readonly mailbox: MailboxRecord;
  readonly to: MailAddress;
  /** The recipient in normal form. */
  readonly email: string;
  readonly answered: ConversationMessageRecord | null;
  /** The provider's thread id. */
  readonly threadId: string | null;
}

/** Messages that can be answered: no reports of mail servers. */
const ANSWERABLE: readonly MessageKind[] = ['reply', 'auto_reply', 'manual', 'agent'];

/** Finds sender and recipient of a reply and checks that it may be sent. Joins the running transaction. */
@Injectable()
export class ReplyAddressService {
  constructor(
    @InjectModel(ConversationMessageRecord.name) private readonly messages: Model<ConversationMessageRecord>,
    private readonly mail: MailboxMessageRepository,
    private readonly hooks: HookRegistry,
    private readonly suppressions: SuppressionsService,
  ) {}

  /**
   * Returns the author or Reply-To address of the last reply as recipient, and the mailbox that received it as sender.
   * @throws CONFLICT when the conversation has no answerable message, the mailbox is deleted or cannot send, or the address
   *   is suppressed
   */
  async find(conversation: ConversationRecord): Promise<Addressing> {
    const answer = await this.#findLast(conversation, ['reply']);
    const answered = await this.#findLast(conversation, ANSWERABLE);
    if (!answered && !conversation.tracked)
      throw conflict('This conversation cannot be answered: it contains only reports of mail servers');
    const mailbox = await this.#requireMailbox(conversation, answer);
    const { to, email } = await this.#getRecipient(conversation, answer);
    await this.#requireNotSuppressed(conversation, [email, (answer?.from && toRecipient(answer.from)?.email) ?? email]);
    return {
      mailbox,
      to,
      email,
      answered,
      threadId: await this.#findThreadId(answer),
    };
  }

  /** Prefers Reply-To, unless it is invalid or one of the workspace's own mailboxes. */
  async #getRecipient(
    { workspaceId, name, email }: ConversationRecord,
    answer: ConversationMessageRecord | null,
  ): Promise<Pick<Addressing, 'to' | 'email'>> {
    for (const replyTo of answer?.replyTo ?? []) {
      const found = toRecipient(replyTo);
      if (found && !(await this.mail.isOwn(workspaceId, found.email))) return found;
    }
    return (answer?.from && toRecipient(answer.from)) ?? { to: { name, address: email }, email };
  }

  /** Checks the author as well as Reply-To: an opt-out covers the person's other addresses. */
  async #requireNotSuppressed({ workspaceId }: ConversationRecord, emails: readonly string[]): Promise<void> {
    for (const email of new Set(emails)) {
      if (!(await this.suppressions.isSuppressed(workspaceId.toHexString(), email))) continue;
      throw conflict(`${email} is on the suppression list: nothing may be written to this address`);
    }
  }

  async #requireMailbox(
    { workspaceId, mailboxId }: ConversationRecord,
    answer: ConversationMessageRecord | null,
  ): Promise<MailboxRecord> {
    const names = { workspaceId: workspaceId.toHexString(), mailboxId: (answer?.mailboxId ?? mailboxId).toHexString() };
    const mailbox = await this.mail.findMailbox(names);
    if (!mailbox) throw conflict('The mailbox of this conversation was deleted: no reply can be sent from it');
    const obstacle = findSendingObstacle(mailbox);
    if (obstacle) throw conflict(`${mailbox.email} ${obstacle.message}`);
    const stops = await this.hooks.call(MAILBOX_HOOKS, 'stopped', names, names.mailboxId);
    const stopped = stops.find((stop) => stop !== null) ?? null;
    if (stopped)
      throw conflict(`Sending from ${mailbox.email} is stopped until a member resumes it: ${stopped.message}`);
    return mailbox;
  }

  #findLast(
    { _id, workspaceId }: ConversationRecord,
    kinds: readonly MessageKind[],
  ): Promise<ConversationMessageRecord | null> {
    return this.messages
      .findOne({ workspaceId, conversationId: _id, kind: { $in: kinds } })
      .sort({ at: -1, _id: -1 })
      .lean<ConversationMessageRecord>()
      .exec();
  }

  async #findThreadId(answer: ConversationMessageRecord | null): Promise<string | null> {
    if (!answer?.mailboxMessageId) return null;
    const { mailboxMessageId: _id, workspaceId } = answer;
    return (await this.mail.peek({ _id, workspaceId }))?.threadId ?? null;
  }
}

/** Returns null for an invalid address. */
function toRecipient({ name, address }: MailAddress): Pick<Addressing, 'to' | 'email'> | null {
  const parsed = parseEmailAddress(address);
  return parsed.ok ? { to: { name, address: address.trim() }, email: parsed.address } : null;
}
