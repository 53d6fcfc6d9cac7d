import { type ModelUsage } from '@adapters/llm';
import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Page, PageService } from '@platform/database';
import { Listens } from '@platform/hooks';
import { type PageQuery } from '@platform/validation';
import { type Model, type Types } from 'mongoose';
import { type AgentHooks, AGENT_HOOKS } from '../agent-hooks';
import { AgentRepository } from '../agent.repository';
import { type AgentTextResponse, toAgentText } from '../dto/agent-text.dto';
import { type ModelCost } from '../model/model-question';
import { AgentTextRecord, type TextPurpose, type UnusedAnswer } from '../schemas/agent-text.record';

/** A text of a model. */
export interface WrittenText {
  readonly workspaceId: Types.ObjectId;
  readonly agentId: Types.ObjectId;
  readonly purpose: TextPurpose;
  /** null: without a conversation. */
  readonly conversationId: Types.ObjectId | null;
  readonly model: string;
  readonly promptVersion: string;
  readonly usage: ModelUsage;
  readonly cost: number;
  readonly subject: string | null;
  readonly text: string;
  /** Answers that broke a rule. */
  readonly unused: readonly UnusedAnswer[];
}

/** The record of unusable answers without a usable one. */
export function toUnusedText(
  spent: ModelCost,
  of: Pick<WrittenText, 'workspaceId' | 'agentId' | 'conversationId' | 'purpose'>,
): WrittenText {
  const { workspaceId, agentId, conversationId, purpose } = of;
  return { workspaceId, agentId, conversationId, purpose, ...spent, subject: null, text: '' };
}

const AT_ONCE = 1_000;

/** Texts that models wrote for agents, with their cost. */
@Injectable()
@Listens(AGENT_HOOKS)
export class AgentTextsService implements AgentHooks {
  constructor(
    @InjectModel(AgentTextRecord.name) private readonly texts: Model<AgentTextRecord>,
    private readonly agents: AgentRepository,
    private readonly pages: PageService,
  ) {}

  /** Records a text; joins a running transaction. @returns its id */
  async record({ usage, conversationId, unused, ...written }: WrittenText): Promise<Types.ObjectId> {
    const { inputTokens, outputTokens } = usage;
    const conversation = conversationId ? { conversationId } : {};
    const { _id } = await this.texts.create({
      ...written,
      ...conversation,
      unused: [...unused],
      inputTokens,
      outputTokens,
    });
    return _id;
  }

  /** Lists the texts of an agent, newest first. @throws NOT_FOUND */
  async list(workspace: WorkspaceScope, agent: string, { limit, cursor }: PageQuery): Promise<Page<AgentTextResponse>> {
    const { _id: agentId } = await this.agents.find(workspace, agent);
    const { workspaceId } = workspace;
    const filter = { workspaceId, agentId };
    return this.pages.read(this.texts, { scope: workspaceId, filter, page: { limit, cursor } }, toAgentText);
  }

  /** Deletes the texts of a deleted agent. */
  async erase(workspaceId: Types.ObjectId, agentId: Types.ObjectId, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const batch = await this.texts.find({ workspaceId, agentId }, { _id: 1 }).limit(AT_ONCE).lean();
      if (batch.length === 0) return;
      await this.texts.deleteMany({ workspaceId, _id: { $in: batch.map(({ _id }) => _id) } });
    }
  }
}
