import { type MailAddress } from '@adapters/mail';
import { type WorkspaceScope } from '@domain/access';
import {
  ConversationRepository,
  InboxRepliesService,
  type ConversationRecord,
  type ThreadMessage,
} from '@domain/inbox';
import { Injectable } from '@nestjs/common';
import { parseId, TransactionService } from '@platform/database';
import { conflict, notFound } from '@platform/errors';
import { Types } from 'mongoose';
import { inactiveAgent } from '../agent.errors';
import { AgentRepository } from '../agent.repository';
import { type AgentDraftResponse, type DraftReplyRequest, toDraft } from '../dto/agent-draft.dto';
import { AgentModelService } from '../model/agent-model.service';
import { type Checked, type ModelCost } from '../model/model-question';
import { findWastedCost } from '../model/wasted-cost';
import { type TextPurpose } from '../schemas/agent-text.record';
import { type AgentRecord } from '../schemas/agent.record';
import { AgentTextsService, toUnusedText, type WrittenText } from '../texts/agent-texts.service';
import { AgentTrainingRepository } from '../training/agent-training.repository';
import { type Allowance, findBrokenRule } from './reply-check';
import {
  createReplyQuestion,
  getRefusalReason,
  MAX_PROMPT_MESSAGES,
  type ModelReply,
  parseModelReply,
  type Refusal,
} from './reply-prompt';

export interface WritingTask {
  readonly purpose: Exclude<TextPurpose, 'profile'>;
  /** Instructions of a colleague; null without any. */
  readonly instructions: string | null;
  readonly signal?: AbortSignal;
}

/** A checked answer of the model; the caller records its text. */
export interface WrittenReply extends ModelCost {
  /** null: the model left the answer to people. */
  readonly text: string | null;
  readonly refusal: Refusal | null;
}

/** Texts that the language model writes for conversations: drafts for people, and replies that agents send by themselves. */
@Injectable()
export class AgentDraftService {
  constructor(
    private readonly agents: AgentRepository,
    private readonly threads: ConversationRepository,
    private readonly texts: AgentTextsService,
    private readonly model: AgentModelService,
    private readonly replies: InboxRepliesService,
    private readonly trainings: AgentTrainingRepository,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Writes a draft of a reply and records it.
   * @throws NOT_FOUND for an unknown agent or conversation; CONFLICT when the agent is inactive, the conversation
   *   allows no reply, or the model leaves it to people; as `AgentModelService.ask`
   */
  async draft(
    workspace: WorkspaceScope,
    agentId: string,
    { conversationId, instructions }: DraftReplyRequest,
  ): Promise<AgentDraftResponse> {
    const agent = await this.agents.find(workspace, agentId);
    const conversation = await this.#find(workspace, conversationId);
    if (!agent.isActive) throw inactiveAgent();
    const of = { workspaceId: agent.workspaceId, agentId: agent._id, conversationId: conversation._id };
    const keep = (text: WrittenText) =>
      this.transactions.run(async () => {
        // The agent or the conversation may have been erased while the model was writing; then nothing is recorded.
        if (!(await this.agents.claim(agent.workspaceId, agent._id))) throw notFound('Agent');
        await this.#find(workspace, conversationId);
        return this.texts.record(text);
      });
    const task = { purpose: 'draft', instructions: instructions ?? null } as const;
    const written = await this.write(agent, conversation, task).catch(async (error: unknown) => {
      const spent = findWastedCost(error);
      if (spent) await keep(toUnusedText(spent, { ...of, purpose: 'draft' }));
      throw error;
    });
    const textId = await keep(toAgentTextRecord(written, of, 'draft'));
    if (written.text === null) throw conflict(getRefusalReason(written.refusal ?? 'unclear'));
    return toDraft({ ...of, ...written, text: written.text, subject: `Re: ${conversation.subject}`.trim(), textId });
  }

  /**
   * Asks the model for a reply, once more after a broken rule.
   * @throws CONFLICT when the conversation allows no reply; as `AgentModelService.ask`, AGENT_ANSWER_UNUSABLE with the
   *   rule
   */
  async write(agent: AgentRecord, conversation: ConversationRecord, task: WritingTask): Promise<WrittenReply> {
    const addressed = await this.replies.addressed(conversation);
    const thread = await this.threads.latest(conversation, MAX_PROMPT_MESSAGES);
    const answered = thread.findLast(({ direction }) => direction === 'received')?.text ?? '';
    const known = await this.trainings.findKnowledge(
      agent.workspaceId,
      agent._id,
      `${conversation.subject}\n${answered}`,
    );
    const { name: sender } = addressed.from;
    const material = { agent, known, sender, thread, subject: conversation.subject, instructions: task.instructions };
    const question = createReplyQuestion(task.purpose === 'followup' ? 'followup' : 'reply', material);
    const allowance = getAllowance({ agent, conversation, thread, addressed, answered }, task, question.system);
    const check = (answer: unknown): Checked<ModelReply> => {
      const said = parseModelReply(answer);
      const fault = 'text' in said ? findBrokenRule(said.text, allowance) : null;
      return fault === null ? { value: said } : { fault };
    };
    const { purpose, signal } = task;
    const request = { ...question, purpose, ...(signal && { signal }) };
    const modelAnswer = await this.model.ask(agent.workspaceId, request, check);
    const { value, ...spent } = modelAnswer;
    const said = 'text' in value ? { text: value.text, refusal: null } : { text: null, refusal: value.refusal };
    return { ...said, ...spent };
  }

  async #find({ workspaceId }: WorkspaceScope, conversationId: string) {
    const _id = parseId(conversationId);
    const found = _id && (await this.threads.find(new Types.ObjectId(workspaceId), _id));
    if (!found) throw notFound('Conversation');
    return found;
  }
}

/** Converts an answer to a record, whatever its outcome. @param of the ids of its owners */
export function toAgentTextRecord(
  { text, refusal, ...spent }: WrittenReply,
  of: {
    readonly workspaceId: Types.ObjectId;
    readonly agentId: Types.ObjectId;
    readonly conversationId: Types.ObjectId;
  },
  purpose: WritingTask['purpose'],
): WrittenText {
  const { workspaceId, agentId, conversationId } = of;
  const said = text ?? getRefusalReason(refusal ?? 'unclear');
  return { workspaceId, agentId, conversationId, purpose, ...spent, subject: null, text: said };
}

interface Situation {
  readonly agent: AgentRecord;
  readonly conversation: ConversationRecord;
  readonly thread: readonly ThreadMessage[];
  readonly addressed: { readonly from: MailAddress; readonly to: MailAddress };
  readonly answered: string;
}

function getAllowance(
  { agent, conversation, thread, addressed: { from, to }, answered }: Situation,
  { instructions }: WritingTask,
  system: string,
): Allowance {
  const { companyInfo, persona } = agent;
  const sent = thread.filter(({ direction }) => direction === 'sent').map(({ text }) => text);
  // Not the text learnt from the website, which strangers may have written. Links to its own pages are allowed in any
  // case.
  const own = [...Object.values(companyInfo), ...Object.values(persona), ...sent, instructions ?? ''];
  const writers = thread.flatMap((message) => message.from?.address ?? []);
  const hosts = [companyInfo.domain, agent.website ?? ''].filter((host) => host !== '');
  return { own, hosts, addresses: [from.address, to.address, conversation.email, ...writers], system, answered };
}
