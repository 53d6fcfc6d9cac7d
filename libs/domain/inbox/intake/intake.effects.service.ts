import { Injectable } from '@nestjs/common';
import { AutoReplyEffect } from '../effects/auto-reply.effect.service';
import { BounceEffect } from '../effects/bounce.effect.service';
import { ComplaintEffect } from '../effects/complaint.effect.service';
import { FormerEffect } from '../effects/former.effect.service';
import { LabelEffect } from '../effects/label.effect.service';
import { ReplyEffect } from '../effects/reply.effect.service';
import { type AddedMessage, ConversationStore } from '../conversations/conversation.store.service';
import { isAside } from './envelope';
import { type Incoming } from './incoming';
import { type KnownMatch } from '../match/match';
import { type IntakeTask } from './intake.tasks';
import { threadKeyOf } from './thread.key';

/** Writes what a message says: the conversation, the lead, figures and events together. Joins the running transaction. */
@Injectable()
export class IntakeEffects {
  constructor(
    private readonly conversations: ConversationStore,
    private readonly replies: ReplyEffect,
    private readonly autoReplies: AutoReplyEffect,
    private readonly bounces: BounceEffect,
    private readonly complaints: ComplaintEffect,
    private readonly labels: LabelEffect,
    private readonly formers: FormerEffect,
  ) {}

  /** @returns what has to follow outside of the transaction */
  async apply(incoming: Incoming): Promise<IntakeTask[]> {
    const added = await this.#addToConversation(incoming);
    const { judged, match, recipients } = incoming;
    switch (judged.kind) {
      case 'reply': {
        const labelled = this.labels.judged(incoming);
        const conversationId = added?.conversation._id ?? null;
        return [
          ...(match ? await this.replies.apply(incoming, match, { labelled, conversationId }) : []),
          ...(added ? await this.labels.ofReply(incoming, match, added, labelled) : []),
        ];
      }
      case 'auto_reply':
        if (added && judged.isOutOfOffice) await this.labels.ofAbsence(added.conversation, judged.rule);
        return match ? this.autoReplies.apply(incoming, match, judged) : [];
      case 'bounce': {
        const tasks: IntakeTask[] = [];
        for (const failed of judged.failed) {
          const about = match ?? (failed.address === null ? undefined : recipients.get(failed.address));
          if (about) tasks.push(...(await this.bounces.apply(incoming, about, failed)));
          else tasks.push(...(await this.formers.bounced(incoming, failed)));
        }
        return tasks;
      }
      case 'complaint': {
        const tasks: IntakeTask[] = [];
        for (const about of match ? [match] : recipients.values()) {
          tasks.push(...(await this.complaints.apply(incoming, about)));
        }
        return [...tasks, ...(await this.formers.complained(incoming))];
      }
      case 'delayed':
        return [];
    }
  }

  /** Answers begin a conversation. Reports are shown in one that there is, and by themselves where they change nothing. */
  async #addToConversation(incoming: Incoming): Promise<AddedMessage | null> {
    const { mailbox, message, mail, judged, former } = incoming;
    const match = incoming.match ?? onlyOne(incoming.recipients);
    const isAnswer = judged.kind === 'reply' || judged.kind === 'auto_reply';
    const isBeside = !match && !former && !isAnswer;
    if (isBeside && (incoming.recipients.size > 0 || !isShown(incoming))) return null;
    const { workspaceId } = mailbox;
    return this.conversations.add(
      match ? keyOf(match) : { threadKey: threadKeyOf(message), ...(former && { former }) },
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
  return (kind === 'bounce' || kind === 'complaint') && from !== null && !isAside(role);
}
