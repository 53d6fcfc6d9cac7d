import { CampaignRepository } from '@domain/campaigns';
import { LeadRepository } from '@domain/leads';
import { MailboxMessageRepository } from '@domain/mailboxes';
import { SendReadRepository } from '@domain/sends';
import { UnsubscribeService } from '@domain/tracking';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { writeConflict, parseId, rerunOnWriteConflict } from '@platform/database';
import { conflict, invalidField } from '@platform/errors';
import { type Model, type Types } from 'mongoose';
import { isOptOut, isPositive, LabelEffectService } from '../effects/label-effect.service';
import { type Answer } from '../intake/incoming';
import { type IntakeTask } from '../intake/intake-tasks';
import { MessageEffectsService } from '../intake/message-effects.service';
import { labelAnswer } from '../label/label-answer';
import { type Labelled } from '../label/label-by-rules';
import { type KnownMatch } from '../match/match';
import { ConversationMessageRecord } from '../schemas/conversation-message.record';
import { ConversationRecord } from '../schemas/conversation.record';
import { readMailAnswer } from '../text/visible-text';

/** The first messages of an attached conversation that count as replies of the lead. */
export const MAX_ANSWERS = 100;

/** The lead of a conversation: found by id, or attached by a member. Joins the running transaction. */
@Injectable()
export class ConversationLeadService {
  constructor(
    @InjectModel(ConversationRecord.name) private readonly conversations: Model<ConversationRecord>,
    @InjectModel(ConversationMessageRecord.name) private readonly messages: Model<ConversationMessageRecord>,
    private readonly leads: LeadRepository,
    private readonly sends: SendReadRepository,
    private readonly campaigns: CampaignRepository,
    private readonly effects: MessageEffectsService,
    private readonly labels: LabelEffectService,
    private readonly optOuts: UnsubscribeService,
    private readonly mail: MailboxMessageRepository,
  ) {}

  /** Finds the lead with its campaign and last email; null when the lead or the campaign is deleted. */
  async findMatch(workspaceId: Types.ObjectId, leadId: Types.ObjectId): Promise<KnownMatch | null> {
    const lead = await this.leads.find(workspaceId, leadId);
    const campaign = lead && (await this.campaigns.peek(workspaceId, lead.campaignId));
    if (!lead || !campaign) return null;
    const [send = null] = await this.sends.listHandedOver(workspaceId, [leadId]);
    return { by: 'person', lead, campaign, send };
  }

  /**
   * Makes the messages of an untracked conversation replies of the lead, with all effects of replies. Repeatable for the
   * same lead: a repetition completes an interrupted call.
   * @returns the tasks to perform after the transaction
   * @throws VALIDATION_ERROR for an unknown lead; CONFLICT when the lead got no email, has another conversation, or the
   *   conversation has another lead
   */
  async attach(conversation: ConversationRecord, leadId: string): Promise<IntakeTask[]> {
    const match = await this.#requireMatch(conversation, leadId);
    await this.#assign(conversation, match);
    const tasks: IntakeTask[] = [];
    const answers = await this.#listAnswers(conversation);
    for (const answer of answers) tasks.push(...(await this.#apply(conversation, answer, match)));
    const { label, labelledBy, labelReason, lastMessageAt } = conversation;
    // A label of low confidence is shown but writes no event.
    const isCertain = labelledBy !== 'rules' || answers.some((answer) => isPositive(toLabel(answer)));
    if (label === 'positive' && labelledBy !== null && isCertain) {
      await this.labels.recordPositive(match, conversation, lastMessageAt, {
        label,
        by: labelledBy,
        reason: labelReason ?? '',
      });
    }
    return withoutDuplicates(tasks);
  }

  async #requireMatch({ workspaceId }: ConversationRecord, leadId: string): Promise<KnownMatch> {
    const id = parseId(leadId);
    const match = id && (await this.findMatch(workspaceId, id));
    if (!match) throw invalidField('leadId', 'leadId names no lead of this workspace');
    if (match.lead.sentCount > 0) return match;
    throw conflict('No email was sent to this lead yet, so the conversation cannot be its reply');
  }

  async #assign(conversation: ConversationRecord, { lead }: KnownMatch): Promise<void> {
    const { _id, workspaceId, leadId, name } = conversation;
    if (leadId?.equals(lead._id)) return;
    if (leadId) throw conflict('This conversation belongs to another lead');
    const other = await this.conversations.findOne({ workspaceId, leadId: lead._id }, { _id: 1 }).lean();
    if (other) throw conflict(`This lead has another conversation: ${other._id.toHexString()}`);
    const fullName = [lead.firstName, lead.lastName].filter(Boolean).join(' ') || name;
    const fields = { tracked: true, leadId: lead._id, campaignId: lead.campaignId, email: lead.email, name: fullName };
    const { matchedCount } = await rerunOnWriteConflict(() =>
      this.conversations.updateOne(
        { _id, workspaceId, leadId: { $exists: false } },
        { $set: fields, $unset: { threadKey: 1, formerLeadId: 1 } },
      ),
    );
    if (matchedCount === 0) throw writeConflict('The conversation');
  }

  async #listAnswers({ _id, workspaceId }: ConversationRecord): Promise<Answer[]> {
    const found = await this.messages
      .find({ workspaceId, conversationId: _id, direction: 'received', kind: 'reply' })
      .sort({ at: 1, _id: 1 })
      .limit(MAX_ANSWERS)
      .lean<ConversationMessageRecord[]>();
    const answers: Answer[] = [];
    for (const mail of found) {
      const stored = mail.mailboxMessageId && (await this.mail.peek({ _id: mail.mailboxMessageId, workspaceId }));
      // The mailbox message is deleted with its mailbox. No copy can arrive after that, so any unique value works.
      const fingerprint = stored ? stored.fingerprint : mail._id.toHexString();
      answers.push({ message: { receivedAt: mail.at, fingerprint }, mail });
    }
    return answers;
  }

  async #apply({ _id: conversationId }: ConversationRecord, answer: Answer, match: KnownMatch): Promise<IntakeTask[]> {
    const { send, lead } = match;
    const labelled = toLabel(answer);
    const tasks = await this.effects.applyReply(answer, match, { labelled, conversationId });
    if (!isOptOut(labelled)) return tasks;
    if (send) await this.optOuts.record(send, 'reply', answer.message.receivedAt);
    return [...tasks, { do: 'opt_out', address: lead.email, sendId: send?._id.toHexString() ?? null }];
  }
}

/** Reads the stored text again: one that begins with history was stored whole and may be the quoted mail. */
function toLabel({ mail: { text, subject } }: Answer): Labelled {
  const { certainText } = readMailAnswer({ text });
  return labelAnswer({ text, subject, ...(certainText !== undefined && { certainText }) });
}

function withoutDuplicates(tasks: readonly IntakeTask[]): IntakeTask[] {
  return [...new Map(tasks.map((task) => [JSON.stringify(task), task])).values()];
}
