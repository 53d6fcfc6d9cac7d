import { MailboxMessageRepository } from '@domain/mailboxes';
import { UnsubscribeService } from '@domain/tracking';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { writeConflict, parseId, rerunOnWriteConflict } from '@platform/database';
import { conflict, invalidField } from '@platform/errors';
import { type Model } from 'mongoose';
import { isOptOut, isPositive, LabelEffectService } from '../effects/label-effect.service';
import { ReplyEffectService } from '../intake/reply-effect.service';
import { type Answer } from '../intake/incoming';
import { type KnownMatch } from '../match/match';
import { type IntakeTask } from '../intake/intake-tasks';
import { type Labelled } from '../label/label-by-rules';
import { labelAnswer } from '../label/label-answer';
import { KnownLeadsService } from './known-leads.service';
import { ConversationMessageRecord } from '../schemas/conversation-message.record';
import { ConversationRecord } from '../schemas/conversation.record';
import { readAnswer } from '../text/visible-text';

/** Messages of a conversation that count as answers of the lead when it is attached: the first ones. */
export const MOST_ANSWERS = 100;

/** A person says with which lead a conversation is that answered nothing of ours. Joins the running transaction. */
@Injectable()
export class ConversationLeadService {
  constructor(
    @InjectModel(ConversationRecord.name) private readonly conversations: Model<ConversationRecord>,
    @InjectModel(ConversationMessageRecord.name) private readonly messages: Model<ConversationMessageRecord>,
    private readonly known: KnownLeadsService,
    private readonly replies: ReplyEffectService,
    private readonly labels: LabelEffectService,
    private readonly optOuts: UnsubscribeService,
    private readonly mail: MailboxMessageRepository,
  ) {}

  /**
   * Its messages are the lead's answers from now on, with all that follows from answers. Done again for the same lead it
   * changes nothing, and finishes what the first time did not.
   * @returns what has to follow outside of the transaction
   * @throws VALIDATION_ERROR for an unknown lead; CONFLICT when nothing was sent to it, when the conversation is with another
   *   lead, and when the lead has another conversation
   */
  async attach(conversation: ConversationRecord, leadId: string): Promise<IntakeTask[]> {
    const match = await this.#match(conversation, leadId);
    await this.#take(conversation, match);
    const tasks: IntakeTask[] = [];
    const answers = await this.#answers(conversation);
    for (const answer of answers) tasks.push(...(await this.#apply(conversation, answer, match)));
    const { label, labelledBy, labelReason, lastMessageAt } = conversation;
    // What rules are not certain of is labelled, and not told of.
    const isCertain = labelledBy !== 'rules' || answers.some((answer) => isPositive(labelOf(answer)));
    if (label === 'positive' && labelledBy !== null && isCertain) {
      await this.labels.positive(match, conversation, lastMessageAt, {
        label,
        by: labelledBy,
        reason: labelReason ?? '',
      });
    }
    return once(tasks);
  }

  async #match({ workspaceId }: ConversationRecord, leadId: string): Promise<KnownMatch> {
    const id = parseId(leadId);
    const match = id && (await this.known.find(workspaceId, id));
    if (!match) throw invalidField('leadId', 'leadId names no lead of this workspace');
    if (match.lead.sentCount > 0) return match;
    throw conflict('Nothing was sent to this lead yet, so that there is nothing that it could answer');
  }

  async #take(conversation: ConversationRecord, { lead }: KnownMatch): Promise<void> {
    const { _id, workspaceId, leadId, name } = conversation;
    if (leadId?.equals(lead._id)) return;
    if (leadId) throw conflict('This conversation is with another lead already');
    const other = await this.conversations.findOne({ workspaceId, leadId: lead._id }, { _id: 1 }).lean();
    if (other) throw conflict(`This lead has a conversation already: ${other._id.toHexString()}`);
    const named = [lead.firstName, lead.lastName].filter(Boolean).join(' ') || name;
    const fields = { tracked: true, leadId: lead._id, campaignId: lead.campaignId, email: lead.email, name: named };
    const { matchedCount } = await rerunOnWriteConflict(() =>
      this.conversations.updateOne(
        { _id, workspaceId, leadId: { $exists: false } },
        { $set: fields, $unset: { threadKey: 1, formerLeadId: 1 } },
      ),
    );
    if (matchedCount === 0) throw writeConflict('The conversation');
  }

  async #answers({ _id, workspaceId }: ConversationRecord): Promise<Answer[]> {
    const found = await this.messages
      .find({ workspaceId, conversationId: _id, direction: 'received', kind: 'reply' })
      .sort({ at: 1, _id: 1 })
      .limit(MOST_ANSWERS)
      .lean<ConversationMessageRecord[]>();
    const answers: Answer[] = [];
    for (const mail of found) {
      const kept = mail.mailboxMessageId && (await this.mail.peek({ _id: mail.mailboxMessageId, workspaceId }));
      // The message goes with its mailbox; then no copy of it comes any more, and any name will do.
      const fingerprint = kept ? kept.fingerprint : mail._id.toHexString();
      answers.push({ message: { receivedAt: mail.at, fingerprint }, mail });
    }
    return answers;
  }

  async #apply({ _id: conversationId }: ConversationRecord, answer: Answer, match: KnownMatch): Promise<IntakeTask[]> {
    const { send, lead } = match;
    const labelled = labelOf(answer);
    const tasks = await this.replies.apply(answer, match, { labelled, conversationId });
    if (!isOptOut(labelled)) return tasks;
    if (send) await this.optOuts.record(send, 'reply', answer.message.receivedAt);
    return [...tasks, { do: 'opt_out', address: lead.email, sendId: send?._id.toHexString() ?? null }];
  }
}

/** A text that begins with history was kept whole: it may be the quoted mail. */
function labelOf({ mail: { text, subject } }: Answer): Labelled {
  const { sure } = readAnswer({ text });
  return labelAnswer({ text, subject, ...(sure !== undefined && { sure }) });
}

/** Without those that are asked for more than once. */
function once(tasks: readonly IntakeTask[]): IntakeTask[] {
  return [...new Map(tasks.map((task) => [JSON.stringify(task), task])).values()];
}
