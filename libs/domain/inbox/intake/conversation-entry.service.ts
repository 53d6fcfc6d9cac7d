import { Injectable } from '@nestjs/common';
import { HookRegistry } from '@platform/hooks';
import { CONVERSATION_HOOKS } from '../conversations/conversation-hooks';
import { type AddedMessage, ConversationRepository } from '../conversations/conversation.repository';
import { type KnownMatch } from '../match/match';
import { isInSideFolder } from './envelope';
import { type Incoming } from './incoming';
import { getThreadKey } from './thread-key';

/** Adds incoming messages to conversations. Joins the running transaction. */
@Injectable()
export class ConversationEntryService {
  constructor(
    private readonly conversations: ConversationRepository,
    private readonly hooks: HookRegistry,
  ) {}

  /**
   * Adds the message. A reply begins a conversation when none exists. A report joins an existing one; it begins one of its own
   * only when it has no other effect.
   * @returns null when the message is in no conversation, or was in it before
   */
  async add(incoming: Incoming): Promise<AddedMessage | null> {
    const { mailbox, message, mail, classified, former } = incoming;
    const match = incoming.match ?? getOnlyMatch(incoming.recipients);
    const isReply = classified.kind === 'reply' || classified.kind === 'auto_reply';
    const isUnmatchedReport = !match && !former && !isReply;
    if (isUnmatchedReport && (incoming.recipients.size > 0 || !isShown(incoming))) return null;
    const { workspaceId } = mailbox;
    return this.conversations.add(
      match ? toLeadKey(match) : { threadKey: getThreadKey(message), ...(former && { former }) },
      match
        ? { email: match.lead.email, name: getLeadName(match, mail.from?.name) }
        : getCounterpart(mail.from, former),
      {
        workspaceId,
        mailboxId: mailbox._id,
        direction: 'received',
        kind: classified.kind,
        at: message.receivedAt,
        mailboxMessageId: message._id,
        messageId: message.messageId,
        inReplyTo: message.inReplyTo,
        references: [...mail.references],
        from: mail.from,
        to: [...mail.to],
        cc: [...mail.cc],
        replyTo: [...mail.replyTo],
        subject: mail.subject,
        text: mail.text,
        fullText: mail.fullText,
        html: mail.html,
        rule: classified.rule,
        attachments: [...mail.attachments],
        providerMessageId: mailbox.provider === 'custom' ? null : message.ref.id,
      },
      {
        unread: classified.kind === 'reply',
        threadId: message.threadId,
        mayBegin: isReply || isUnmatchedReport,
      },
    );
  }

  /** Notifies the listeners, after all effects of the message are written. */
  async notify({ conversation }: AddedMessage, { classified }: Incoming): Promise<void> {
    await this.hooks.call(CONVERSATION_HOOKS, 'conversationChanged', conversation, {
      kind: 'received',
      message: classified.kind,
    });
  }
}

function toLeadKey({ lead }: KnownMatch) {
  return { leadId: lead._id, campaignId: lead.campaignId };
}

function getLeadName({ lead }: KnownMatch, name: string | undefined): string {
  return [lead.firstName, lead.lastName].filter(Boolean).join(' ') || (name ?? '');
}

/** Returns the recipient of the former email where it is known, otherwise the author. */
function getCounterpart(from: Incoming['mail']['from'], former: Incoming['former']) {
  const email = from?.address.toLowerCase() ?? '';
  return former && former.email !== email ? { email: former.email, name: '' } : { email, name: from?.name ?? '' };
}

function getOnlyMatch(recipients: Incoming['recipients']): KnownMatch | null {
  const [first = null] = recipients.values();
  return recipients.size === 1 ? first : null;
}

/** A report about unknown recipients is shown: a person has to decide what it means. */
function isShown({ classified: { kind }, mail: { from }, message: { role } }: Incoming): boolean {
  return (kind === 'bounce' || kind === 'complaint') && from !== null && !isInSideFolder(role);
}
