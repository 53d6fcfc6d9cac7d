import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Page, PageService, TransactionService } from '@platform/database';
import { type PageQuery } from '@platform/validation';
import { type Model, type Types } from 'mongoose';
import { unknownAgent } from '../agent.errors';
import { AgentRepository } from '../agent.repository';
import {
  type AgentPageResponse,
  type AgentTrainingResponse,
  toAgentPage,
  toAgentTraining,
  type TrainAgentRequest,
} from './dto/training.dto';
import { AgentPageRecord } from './schemas/agent-page.record';
import { AgentTrainingRecord } from './schemas/agent-training.record';
import { TrainingBeginningService } from './training-beginning.service';
import { unknownTraining } from './training.errors';
import { AgentTrainingQueue } from './agent-training.queue';

export type TrainingStatusView = Pick<AgentTrainingRecord, 'status' | 'completedAt'>;

/** Trainings as their users see them: beginning one, how far it is, what was read. */
@Injectable()
export class AgentTrainingsService {
  constructor(
    @InjectModel(AgentTrainingRecord.name) private readonly trainings: Model<AgentTrainingRecord>,
    @InjectModel(AgentPageRecord.name) private readonly pages: Model<AgentPageRecord>,
    private readonly agents: AgentRepository,
    private readonly beginning: TrainingBeginningService,
    private readonly queue: AgentTrainingQueue,
    private readonly lists: PageService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * A training that is pending; the worker does it. What the agent knows stays in use until it ends well.
   * @throws NOT_FOUND, VALIDATION_ERROR naming `url`, CONFLICT while one is under way, LIMIT_EXCEEDED
   */
  async train(workspace: WorkspaceScope, agentId: string, { url }: TrainAgentRequest): Promise<AgentTrainingResponse> {
    const training = await this.transactions.run(async () => {
      const { _id } = await this.agents.find(workspace, agentId);
      // Of a training that begins and a deletion at the same time, one is run again and sees the other.
      const agent = await this.agents.claim(workspace.workspaceId, _id);
      if (!agent) throw unknownAgent();
      return this.beginning.begin(workspace, agent, url);
    });
    await this.queue.plan([training]);
    return this.#shown(training);
  }

  /** The latest training, and the profile that is in use. @throws NOT_FOUND, also when there was none */
  async latest(workspace: WorkspaceScope, agentId: string): Promise<AgentTrainingResponse> {
    return this.#shown(await this.#find(workspace, agentId));
  }

  /** How the latest training of an agent stands; null when there was none. */
  async standing(workspaceId: Types.ObjectId, agentId: Types.ObjectId): Promise<TrainingStatusView | null> {
    return this.trainings
      .findOne({ workspaceId, agentId }, { status: 1, completedAt: 1 })
      .sort({ createdAt: -1, _id: -1 })
      .lean<TrainingStatusView>();
  }

  /** Pages of the latest training, in the order in which they were read. @throws NOT_FOUND, also when there was none */
  async listPages(
    workspace: WorkspaceScope,
    agentId: string,
    { limit, cursor }: PageQuery,
  ): Promise<Page<AgentPageResponse>> {
    const { _id: trainingId } = await this.#find(workspace, agentId);
    const { workspaceId } = workspace;
    const filter = { workspaceId, trainingId };
    const without = ['text', 'links'];
    const query = { scope: workspaceId, filter, order: 'oldest', without, page: { limit, cursor } } as const;
    return this.lists.read(this.pages, query, toAgentPage);
  }

  async #shown(training: AgentTrainingRecord): Promise<AgentTrainingResponse> {
    const { workspaceId, agentId } = training;
    return toAgentTraining(training, await this.#current(workspaceId, agentId));
  }

  async #current(workspaceId: Types.ObjectId, agentId: Types.ObjectId): Promise<AgentTrainingRecord | null> {
    return this.trainings.findOne({ workspaceId, agentId, isCurrent: true }).lean<AgentTrainingRecord>();
  }

  async #find(workspace: WorkspaceScope, agentId: string): Promise<AgentTrainingRecord> {
    const { _id } = await this.agents.find(workspace, agentId);
    const { workspaceId } = workspace;
    const latest = await this.trainings
      .findOne({ workspaceId, agentId: _id })
      .sort({ createdAt: -1, _id: -1 })
      .lean<AgentTrainingRecord>();
    if (!latest) throw unknownTraining();
    return latest;
  }
}
