import { LanguageModelPort } from '@adapters/llm';
import { UnsubscribeService } from '@domain/tracking';
import { Injectable } from '@nestjs/common';
import { parseEmailAddress } from '@platform/validation';
import { type Types } from 'mongoose';
import { type AddedMessage, ConversationRepository, type NewLabel } from '../conversations/conversation.repository';
import { type Incoming } from '../intake/incoming';
import { type KnownMatch } from '../match/match';
import { type IntakeTask } from '../intake/intake-tasks';
import { type Labelled } from '../label/label-by-rules';
import { labelAnswer } from '../label/label-answer';
import { type ConversationRecord } from '../schemas/conversation.record';
import { emailData } from './lead-event-data';
import { InboxGatheringService } from './inbox-gathering.service';

/** What the other side wants, as far as rules can tell. Joins the running transaction. */
@Injectable()
export class LabelEffectService {
  constructor(
    private readonly conversations: ConversationRepository,
    private readonly gathering: InboxGatheringService,
    private readonly optOuts: UnsubscribeService,
    private readonly model: LanguageModelPort,
  ) {}

  /** What the words say. Pure. */
  applyLabel({ mail }: Incoming): Labelled {
    return labelAnswer(mail);
  }

  /**
   * @param labelled of this answer
   * @returns what has to follow outside of the transaction
   */
  async ofReply(
    { message, mail, mailbox, former }: Incoming,
    match: KnownMatch | null,
    { conversation, messageId }: AddedMessage,
    labelled: Labelled,
  ): Promise<IntakeTask[]> {
    const at = message.receivedAt;
    const label = { label: labelled.label, by: 'rules', reason: labelled.rule } as const;
    const ask = match && this.#isForModel(labelled) ? { messageId, dueAt: at, attempts: 0 } : null;
    const isTaken = await this.conversations.label(conversation, label, ask);
    if (isTaken && isPositive(labelled) && match) await this.positive(match, conversation, at, label);
    if (isTaken && ask) return [askTask(conversation, messageId)];
    if (!isOptOut(labelled)) return [];
    const send = match ? match.send : former;
    if (send) await this.optOuts.record(send, 'reply', at);
    // Whoever writes may be another one than the lead: neither is written to any more.
    const sendId = send?._id.toHexString() ?? null;
    return [...new Set([match?.lead.email ?? former?.email ?? null, writable(mail.from?.address)])]
      .filter((address): address is string => address !== null && address !== mailbox.email)
      .map((address) => ({ do: 'opt_out', address, sendId }));
  }

  async ofAbsence(conversation: ConversationRecord, rule: string): Promise<void> {
    if (conversation.label === null || conversation.label === 'out_of_office') {
      await this.conversations.label(conversation, { label: 'out_of_office', by: 'rules', reason: rule }, null);
    }
  }

  /** Every question costs, and what the rules are certain of needs none. Mail that answers nothing of ours is nobody's business. */
  #isForModel({ confidence }: Labelled): boolean {
    return confidence === 'low' && this.model.isConfigured;
  }

  /** Once for a lead, whoever says so. */
  async positive(
    match: KnownMatch,
    { _id }: Pick<ConversationRecord, '_id'>,
    at: Date,
    { by, reason }: NewLabel,
  ): Promise<void> {
    await this.gathering.queueEvent(match, {
      type: 'email.positive_reply',
      dedupeKey: `email.positive_reply:${match.lead._id.toHexString()}`,
      at,
      data: { ...emailData(match), labelledBy: by, reason, conversationId: _id.toHexString(), firstOfLead: true },
      figure: 'positiveReplied',
    });
  }
}

function askTask({ _id }: ConversationRecord, messageId: Types.ObjectId): IntakeTask {
  return { do: 'ask_label', conversationId: _id.toHexString(), messageId: messageId.toHexString() };
}

/** In normal form; null for what nobody can write to (`root@localhost`), and the list does not take. */
function writable(address = ''): string | null {
  const parsed = parseEmailAddress(address);
  return parsed.ok ? parsed.address : null;
}

/** Whoever may have meant something else keeps its address on the list. */
export function isOptOut({ label, confidence }: Labelled): boolean {
  return label === 'unsubscribe_request' && confidence === 'high';
}

/** A bare “Sure” is labelled, and told of only when somebody has looked at it. */
export function isPositive({ label, confidence }: Labelled): boolean {
  return label === 'positive' && confidence === 'high';
}
