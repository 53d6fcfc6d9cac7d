import { type MailAddress } from '@adapters/mail';
import {
  ConversationRepository,
  InboxRepliesService,
  type ConversationRecord,
  type ThreadMessage,
} from '@domain/inbox';
import { Injectable } from '@nestjs/common';
import { type Types } from 'mongoose';
import { AgentModelService } from '../model/agent-model.service';
import { type Checked, type ModelCost } from '../model/model-question';
import { type AgentRecord } from '../schemas/agent.record';
import { type TextPurpose } from '../schemas/agent-text.record';
import { type WrittenText } from '../texts/agent-texts.service';
import { AgentKnowledgeRepository } from '../training/agent-knowledge.repository';
import {
  type ModelReply,
  getSaid,
  type Refusal,
  refusalWords,
  replyQuestion,
  MAX_PROMPT_MESSAGES,
} from './reply-prompt';
import { type Allowance, brokenRule } from './reply-check';

export interface WritingTask {
  readonly purpose: Exclude<TextPurpose, 'profile'>;
  /** What a colleague wants in it; null without one. */
  readonly wish: string | null;
  readonly signal?: AbortSignal;
}

/** What the model wrote, checked; the text is kept by whoever uses it, or finds that nobody may any more. */
export interface WrittenReply extends ModelCost {
  /** null: it left the answer to people. */
  readonly text: string | null;
  readonly refusal: Refusal | null;
}

/** Writes a reply in a conversation. It goes nowhere from here. */
@Injectable()
export class AgentWritingService {
  constructor(
    private readonly model: AgentModelService,
    private readonly threads: ConversationRepository,
    private readonly replies: InboxRepliesService,
    private readonly knowledge: AgentKnowledgeRepository,
  ) {}

  /**
   * Asks the model. What breaks a rule is asked for once more.
   * @throws CONFLICT when no reply could be sent in the conversation; as `AgentModelService.ask`, AGENT_ANSWER_UNUSABLE with the rule
   */
  async write(agent: AgentRecord, conversation: ConversationRecord, task: WritingTask): Promise<WrittenReply> {
    const addressed = await this.replies.addressed(conversation);
    const thread = await this.threads.latest(conversation, MAX_PROMPT_MESSAGES);
    const answered = thread.findLast(({ direction }) => direction === 'received')?.text ?? '';
    const known = await this.knowledge.of(agent.workspaceId, agent._id, `${conversation.subject}\n${answered}`);
    const { name: sender } = addressed.from;
    const material = { agent, known, sender, thread, subject: conversation.subject, wish: task.wish };
    const question = replyQuestion(task.purpose === 'followup' ? 'followup' : 'reply', material);
    const allowance = allowanceOf({ agent, conversation, thread, addressed, answered }, task, question.system);
    const check = (answer: unknown): Checked<ModelReply> => {
      const said = getSaid(answer);
      const fault = 'text' in said ? brokenRule(said.text, allowance) : null;
      return fault === null ? { value: said } : { fault };
    };
    const { purpose, signal } = task;
    const asked = { ...question, purpose, ...(signal && { signal }) };
    const word = await this.model.ask(agent.workspaceId, asked, check);
    const { value, ...spent } = word;
    const said = 'text' in value ? { text: value.text, refusal: null } : { text: null, refusal: value.refusal };
    return { ...said, ...spent };
  }
}

/** As it is kept, whatever becomes of it. @param of names what it belongs to */
export function toText(
  { text, refusal, ...spent }: WrittenReply,
  of: {
    readonly workspaceId: Types.ObjectId;
    readonly agentId: Types.ObjectId;
    readonly conversationId: Types.ObjectId;
  },
  purpose: WritingTask['purpose'],
): WrittenText {
  const { workspaceId, agentId, conversationId } = of;
  const said = text ?? refusalWords(refusal ?? 'unclear');
  return { workspaceId, agentId, conversationId, purpose, ...spent, subject: null, text: said };
}

interface Situation {
  readonly agent: AgentRecord;
  readonly conversation: ConversationRecord;
  readonly thread: readonly ThreadMessage[];
  readonly addressed: { readonly from: MailAddress; readonly to: MailAddress };
  readonly answered: string;
}

function allowanceOf(
  { agent, conversation, thread, addressed: { from, to }, answered }: Situation,
  { wish }: WritingTask,
  system: string,
): Allowance {
  const { companyInfo, persona } = agent;
  const sent = thread.filter(({ direction }) => direction === 'sent').map(({ text }) => text);
  // Not what was learnt from the website: strangers may have written there. Its own pages may be linked in any case.
  const own = [...Object.values(companyInfo), ...Object.values(persona), ...sent, wish ?? ''];
  const writers = thread.flatMap((message) => message.from?.address ?? []);
  const hosts = [companyInfo.domain, agent.website ?? ''].filter((host) => host !== '');
  return { own, hosts, addresses: [from.address, to.address, conversation.email, ...writers], system, answered };
}
