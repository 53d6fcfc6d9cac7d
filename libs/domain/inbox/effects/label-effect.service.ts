import { LanguageModelPort } from '@adapters/llm';
import { UnsubscribeService } from '@domain/tracking';
import { Injectable } from '@nestjs/common';
import { parseEmailAddress } from '@platform/validation';
import { type Types } from 'mongoose';
import { type AddedMessage, ConversationRepository, type NewLabel } from '../conversations/conversation.repository';
import { type Incoming } from '../intake/incoming';
import { type IntakeTask } from '../intake/intake-tasks';
import { type Labelled } from '../label/label-by-rules';
import { type KnownMatch } from '../match/match';
import { type ConversationRecord } from '../schemas/conversation.record';
import { getEmailData } from './lead-event-data';
import { LeadEventRecorderService } from './lead-event-recorder.service';

/** Labels conversations by the rules and applies the effects of labels. Joins the running transaction. */
@Injectable()
export class LabelEffectService {
  constructor(
    private readonly conversations: ConversationRepository,
    private readonly recorder: LeadEventRecorderService,
    private readonly optOuts: UnsubscribeService,
    private readonly model: LanguageModelPort,
  ) {}

  /**
   * @param labelled the label of this reply by the rules
   * @returns the tasks to perform after the transaction
   */
  async applyToReply(
    { message, mail, mailbox, former }: Incoming,
    match: KnownMatch | null,
    { conversation, messageId }: AddedMessage,
    labelled: Labelled,
  ): Promise<IntakeTask[]> {
    const at = message.receivedAt;
    const label = { label: labelled.label, by: 'rules', reason: labelled.rule } as const;
    const ask = match && this.#isForModel(labelled) ? { messageId, dueAt: at, attempts: 0 } : null;
    const isLabelled = await this.conversations.label(conversation, label, ask);
    if (isLabelled && isPositive(labelled) && match) await this.recordPositive(match, conversation, at, label);
    if (isLabelled && ask) return [toAskTask(conversation, messageId)];
    if (!isOptOut(labelled)) return [];
    const send = match ? match.send : former;
    if (send) await this.optOuts.record(send, 'reply', at);
    // The author may be another person than the lead: both are opted out.
    const sendId = send?._id.toHexString() ?? null;
    return [...new Set([match?.lead.email ?? former?.email ?? null, parseRecipient(mail.from?.address)])]
      .filter((address): address is string => address !== null && address !== mailbox.email)
      .map((address) => ({ do: 'opt_out', address, sendId }));
  }

  /** Labels a conversation after an out-of-office reply, unless a person's reply has labelled it. */
  async applyToOutOfOffice(conversation: ConversationRecord, rule: string): Promise<void> {
    if (conversation.label === null || conversation.label === 'out_of_office') {
      await this.conversations.label(conversation, { label: 'out_of_office', by: 'rules', reason: rule }, null);
    }
  }

  /** Writes the event of a positive reply, once per lead whatever its source. */
  async recordPositive(
    match: KnownMatch,
    { _id }: Pick<ConversationRecord, '_id'>,
    at: Date,
    { by, reason }: NewLabel,
  ): Promise<void> {
    await this.recorder.record(match, {
      type: 'email.positive_reply',
      dedupeKey: `email.positive_reply:${match.lead._id.toHexString()}`,
      at,
      data: { ...getEmailData(match), labelledBy: by, reason, conversationId: _id.toHexString(), firstOfLead: true },
      figure: 'positiveReplied',
    });
  }

  /** Each question costs tokens: replies that the rules are certain of need none. */
  #isForModel({ confidence }: Labelled): boolean {
    return confidence === 'low' && this.model.isConfigured;
  }
}

function toAskTask({ _id }: ConversationRecord, messageId: Types.ObjectId): IntakeTask {
  return { do: 'ask_label', conversationId: _id.toHexString(), messageId: messageId.toHexString() };
}

/** Returns the normal form; null for an address such as `root@localhost` that the suppression list rejects. */
function parseRecipient(address = ''): string | null {
  const parsed = parseEmailAddress(address);
  return parsed.ok ? parsed.address : null;
}

/** Requires high confidence: a doubtful request must not suppress an address. */
export function isOptOut({ label, confidence }: Labelled): boolean {
  return label === 'unsubscribe_request' && confidence === 'high';
}

/** Requires high confidence: a bare “Sure” is labelled but writes no event until a person confirms it. */
export function isPositive({ label, confidence }: Labelled): boolean {
  return label === 'positive' && confidence === 'high';
}
