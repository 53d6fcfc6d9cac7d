import { type MailAddress } from '@adapters/mail';
import {
  MailboxMessageRepository,
  type MailboxRecord,
  MailboxHookRegistry,
  findSendingObstacle,
} from '@domain/mailboxes';
import { SuppressionsService } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { conflict } from '@platform/errors';
import { parseEmailAddress } from '@platform/validation';
import { type Model } from 'mongoose';
import { ConversationMessageRecord, type MessageKind } from '../schemas/conversation-message.record';
import { type ConversationRecord } from '../schemas/conversation.record';

/** Whom a reply goes to, from where, and what it answers. */
export interface Addressing {
  readonly mailbox: MailboxRecord;
  readonly to: MailAddress;
  /** The recipient, in its normal form. */
  readonly email: string;
  readonly answered: ConversationMessageRecord | null;
  /** The provider's conversation. */
  readonly threadId: string | null;
}

/** What can be answered: not the reports of mail servers. */
const WRITTEN: readonly MessageKind[] = ['reply', 'auto_reply', 'manual', 'agent'];

/** Finds out where a reply would go, and whether it may. Joins the running transaction. */
@Injectable()
export class ReplyAddressService {
  constructor(
    @InjectModel(ConversationMessageRecord.name) private readonly messages: Model<ConversationMessageRecord>,
    private readonly mail: MailboxMessageRepository,
    private readonly mailboxUses: MailboxHookRegistry,
    private readonly suppressions: SuppressionsService,
  ) {}

  /**
   * To whoever wrote the last answer, or where they want answers to go, from the mailbox that it came to.
   * @throws CONFLICT when nobody wrote in it, the mailbox is gone or does not send, or the address is suppressed
   */
  async find(conversation: ConversationRecord): Promise<Addressing> {
    const answer = await this.#last(conversation, ['reply']);
    const answered = await this.#last(conversation, WRITTEN);
    if (!answered && !conversation.tracked)
      throw conflict('Nobody wrote in this conversation: it is a mail server’s report');
    const mailbox = await this.#mailbox(conversation, answer);
    const { to, email } = await this.#recipient(conversation, answer);
    await this.#ensureWanted(conversation, [email, (answer?.from && recipientOf(answer.from)?.email) ?? email]);
    return {
      mailbox,
      to,
      email,
      answered,
      threadId: await this.#thread(answer),
    };
  }

  /** Where the author wants it (Reply-To), unless that is one of our own mailboxes or nobody that can be written to. */
  async #recipient(
    { workspaceId, name, email }: ConversationRecord,
    answer: ConversationMessageRecord | null,
  ): Promise<Pick<Addressing, 'to' | 'email'>> {
    for (const wanted of answer?.replyTo ?? []) {
      const found = recipientOf(wanted);
      if (found && !(await this.mail.isOwn(workspaceId, found.email))) return found;
    }
    return (answer?.from && recipientOf(answer.from)) ?? { to: { name, address: email }, email };
  }

  /** Whoever does not want to be written to does not elsewhere either. */
  async #ensureWanted({ workspaceId }: ConversationRecord, emails: readonly string[]): Promise<void> {
    for (const email of new Set(emails)) {
      if (!(await this.suppressions.isSuppressed(workspaceId.toHexString(), email))) continue;
      throw conflict(`${email} is on the suppression list: nothing may be written to this address`);
    }
  }

  async #mailbox(
    { workspaceId, mailboxId }: ConversationRecord,
    answer: ConversationMessageRecord | null,
  ): Promise<MailboxRecord> {
    const names = { workspaceId: workspaceId.toHexString(), mailboxId: (answer?.mailboxId ?? mailboxId).toHexString() };
    const mailbox = await this.mail.findMailbox(names);
    if (!mailbox) throw conflict('The mailbox of this conversation was deleted, so that nothing can be sent from it');
    const obstacle = findSendingObstacle(mailbox);
    if (obstacle) throw conflict(`${mailbox.email} ${obstacle.message}`);
    const stopped = await this.mailboxUses.stopped(names, names.mailboxId);
    if (stopped)
      throw conflict(`Sending from ${mailbox.email} was stopped until somebody resumes it: ${stopped.message}`);
    return mailbox;
  }

  #last(
    { _id, workspaceId }: ConversationRecord,
    kinds: readonly MessageKind[],
  ): Promise<ConversationMessageRecord | null> {
    return this.messages
      .findOne({ workspaceId, conversationId: _id, kind: { $in: kinds } })
      .sort({ at: -1, _id: -1 })
      .lean<ConversationMessageRecord>()
      .exec();
  }

  async #thread(answer: ConversationMessageRecord | null): Promise<string | null> {
    if (!answer?.mailboxMessageId) return null;
    const { mailboxMessageId: _id, workspaceId } = answer;
    return (await this.mail.peek({ _id, workspaceId }))?.threadId ?? null;
  }
}

/** null for what nobody can write to. */
function recipientOf({ name, address }: MailAddress): Pick<Addressing, 'to' | 'email'> | null {
  const parsed = parseEmailAddress(address);
  return parsed.ok ? { to: { name, address: address.trim() }, email: parsed.address } : null;
}
