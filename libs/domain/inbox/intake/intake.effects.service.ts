import { Injectable } from '@nestjs/common';
import { AutoReplyEffect } from '../effects/auto-reply.effect.service';
import { BounceEffect } from '../effects/bounce.effect.service';
import { ComplaintEffect } from '../effects/complaint.effect.service';
import { isOptOut, LabelEffect } from '../effects/label.effect.service';
import { ReplyEffect } from '../effects/reply.effect.service';
import { type AddedMessage, ConversationStore } from '../conversations/conversation.store.service';
import { type Incoming, type KnownMatch } from './incoming';
import { type IntakeTask } from './intake.tasks';

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
  ) {}

  /** @returns what has to follow outside of the transaction */
  async apply(incoming: Incoming): Promise<IntakeTask[]> {
    const added = await this.#addToConversation(incoming);
    const { judged, match, recipients } = incoming;
    switch (judged.kind) {
      case 'reply': {
        const labelled = this.labels.judged(incoming);
        return [
          ...(match ? await this.replies.apply(incoming, match, isOptOut(labelled)) : []),
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
        }
        return tasks;
      }
      case 'complaint': {
        const tasks: IntakeTask[] = [];
        for (const about of match ? [match] : recipients.values()) {
          tasks.push(...(await this.complaints.apply(incoming, about)));
        }
        return tasks;
      }
      case 'delayed':
        return [];
    }
  }

  /** Answers begin a conversation; reports are shown in one that there is. */
  async #addToConversation({ mailbox, message, mail, judged, match }: Incoming): Promise<AddedMessage | null> {
    const isAnswer = judged.kind === 'reply' || judged.kind === 'auto_reply';
    if (!match && !isAnswer) return null;
    const { workspaceId } = mailbox;
    return this.conversations.add(
      match ? keyOf(match) : { threadKey: threadKeyOf(message) },
      match ? { email: match.lead.email, name: nameOf(match, mail.from?.name) } : stranger(mail.from),
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
        subject: mail.subject,
        text: mail.text,
        fullText: mail.fullText,
        html: mail.html,
        rule: judged.rule,
        attachments: [...mail.attachments],
        providerMessageId: mailbox.provider === 'custom' ? null : message.ref.id,
      },
      { unread: judged.kind === 'reply', threadId: message.threadId, mayBegin: isAnswer },
    );
  }
}

function keyOf({ lead }: KnownMatch) {
  return { leadId: lead._id, campaignId: lead.campaignId };
}

function nameOf({ lead }: KnownMatch, name: string | undefined): string {
  return [lead.firstName, lead.lastName].filter(Boolean).join(' ') || (name ?? '');
}

function stranger(from: Incoming['mail']['from']) {
  return { email: from?.address.toLowerCase() ?? '', name: from?.name ?? '' };
}

/** The message that the thread began with, as far as this one knows. */
function threadKeyOf({ references, inReplyTo, messageId, fingerprint }: Incoming['message']): string {
  return references[0] ?? inReplyTo ?? messageId ?? fingerprint;
}
