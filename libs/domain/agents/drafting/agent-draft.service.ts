import { type WorkspaceScope } from '@domain/access';
import { ConversationRepository } from '@domain/inbox';
import { Injectable } from '@nestjs/common';
import { parseId, TransactionService } from '@platform/database';
import { conflict, notFound } from '@platform/errors';
import { Types } from 'mongoose';
import { inactiveAgent } from '../agent.errors';
import { AgentRepository } from '../agent.repository';
import { wastedCost } from '../model/wasted-cost';
import { type AgentDraftResponse, type DraftReplyRequest, toDraft } from '../dto/agent-draft.dto';
import { AgentTextsService, unusedText, type WrittenText } from '../texts/agent-texts.service';
import { AgentWritingService, toText } from './agent-writing.service';
import { refusalWords } from './reply-prompt';

/** Drafts for people: written when somebody asks, kept, and sent by nobody but them. */
@Injectable()
export class AgentDraftService {
  constructor(
    private readonly agents: AgentRepository,
    private readonly threads: ConversationRepository,
    private readonly writing: AgentWritingService,
    private readonly texts: AgentTextsService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Writes a reply for a conversation.
   * @throws NOT_FOUND for an unknown agent or conversation; CONFLICT when the agent is inactive, no reply could be sent there, or
   *   the model leaves it to people; as `AgentModelService.ask`
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
        // What is erased with its conversation is not written again by somebody who was still thinking; the agent likewise.
        if (!(await this.agents.claim(agent.workspaceId, agent._id))) throw notFound('Agent');
        await this.#find(workspace, conversationId);
        return this.texts.record(text);
      });
    const task = { purpose: 'draft', wish: instructions ?? null } as const;
    const written = await this.writing.write(agent, conversation, task).catch(async (error: unknown) => {
      const spent = wastedCost(error);
      if (spent) await keep(unusedText(spent, { ...of, purpose: 'draft' }));
      throw error;
    });
    const textId = await keep(toText(written, of, 'draft'));
    if (written.text === null) throw conflict(refusalWords(written.refusal ?? 'unclear'));
    return toDraft({ ...of, ...written, text: written.text, subject: `Re: ${conversation.subject}`.trim(), textId });
  }

  async #find({ workspaceId }: WorkspaceScope, conversationId: string) {
    const _id = parseId(conversationId);
    const found = _id && (await this.threads.find(new Types.ObjectId(workspaceId), _id));
    if (!found) throw notFound('Conversation');
    return found;
  }
}
