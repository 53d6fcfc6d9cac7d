import { Injectable } from '@nestjs/common';
import { type AddedMessage, ConversationRepository } from '../conversations/conversation.repository';
import { ConversationHookRegistry } from '../conversations/conversation-hook.registry';
import { type KnownMatch } from '../match/match';
import { isInSideFolder } from './envelope';
import { type Incoming } from './incoming';
import { getThreadKey } from './thread-key';

/** Messages that come in, as their conversations have them. Joins the running transaction. */
@Injectable()
export class ConversationEntryService {
  constructor(
    private readonly conversations: ConversationRepository,
    private readonly watches: ConversationHookRegistry,
  ) {}

  /**
   * Answers begin a conversation. Reports are shown in one that there is, and by themselves where they change nothing.
   * @returns null when it is in no conversation, or was before
   */
  async add(incoming: Incoming): Promise<AddedMessage | null> {
    const { mailbox, message, mail, judged, former } = incoming;
    const match = incoming.match ?? onlyOne(incoming.recipients);
    const isAnswer = judged.kind === 'reply' || judged.kind === 'auto_reply';
    const isBeside = !match && !former && !isAnswer;
    if (isBeside && (incoming.recipients.size > 0 || !isShown(incoming))) return null;
    const { workspaceId } = mailbox;
    return this.conversations.add(
      match ? keyOf(match) : { threadKey: getThreadKey(message), ...(former && { former }) },
      match ? { email: match.lead.email, name: nameOf(match, mail.from?.name) } : stranger(mail.from, former),
      {
        workspaceId,
        mailboxId: mailbox._id,
        direction: 'received',
        kind: judged.kind,
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
        rule: judged.rule,
        attachments: [...mail.attachments],
        providerMessageId: mailbox.provider === 'custom' ? null : message.ref.id,
      },
      { unread: judged.kind === 'reply', threadId: message.threadId, mayBegin: isAnswer || isBeside },
    );
  }

  /** When all that follows from it is written. */
  async notified({ conversation }: AddedMessage, { judged }: Incoming): Promise<void> {
    await this.watches.conversationChanged(conversation, { kind: 'received', message: judged.kind });
  }
}

function keyOf({ lead }: KnownMatch) {
  return { leadId: lead._id, campaignId: lead.campaignId };
}

function nameOf({ lead }: KnownMatch, name: string | undefined): string {
  return [lead.firstName, lead.lastName].filter(Boolean).join(' ') || (name ?? '');
}

/** Whoever wrote; or whom it was written to, if that is known. */
function stranger(from: Incoming['mail']['from'], former: Incoming['former']) {
  const email = from?.address.toLowerCase() ?? '';
  return former && former.email !== email ? { email: former.email, name: '' } : { email, name: from?.name ?? '' };
}

function onlyOne(recipients: Incoming['recipients']): KnownMatch | null {
  const [first = null] = recipients.values();
  return recipients.size === 1 ? first : null;
}

/** A report about nobody that we know: what it says is for a person to judge. */
function isShown({ judged: { kind }, mail: { from }, message: { role } }: Incoming): boolean {
  return (kind === 'bounce' || kind === 'complaint') && from !== null && !isInSideFolder(role);
}
