import { normalizeUrl } from '@adapters/web';
import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { WorkspaceLimitsService } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { type Page, PageService, TransactionService } from '@platform/database';
import { invalidField } from '@platform/errors';
import { type PageQuery } from '@platform/validation';
import { type Model, type Types } from 'mongoose';
import { unknownAgent } from '../agent.errors';
import { AgentRepository } from '../agent.repository';
import { type AgentRecord } from '../schemas/agent.record';
import { AgentTrainingQueue } from './agent-training.queue';
import {
  type AgentPageResponse,
  type AgentTrainingResponse,
  toAgentPage,
  toAgentTraining,
  type TrainAgentRequest,
} from './dto/training.dto';
import { AgentPageRecord } from './schemas/agent-page.record';
import { AgentTrainingRecord } from './schemas/agent-training.record';
import { tooManyTrainings, trainingUnderWay, unknownTraining } from './training.errors';

export type TrainingStatusView = Pick<AgentTrainingRecord, 'status' | 'completedAt'>;

/**
 * Maximum number of trainings of a workspace per day: each makes up to 150 requests to a website, and up to four
 * questions to the model.
 */
export const MAX_TRAININGS_PER_DAY = 30;

const DAY_MS = 86_400_000;

/** Trainings of agents: start, state and pages that were read. */
@Injectable()
export class AgentTrainingsService {
  constructor(
    @InjectModel(AgentTrainingRecord.name) private readonly trainings: Model<AgentTrainingRecord>,
    @InjectModel(AgentPageRecord.name) private readonly pages: Model<AgentPageRecord>,
    private readonly agents: AgentRepository,
    private readonly queue: AgentTrainingQueue,
    private readonly pageService: PageService,
    private readonly limits: WorkspaceLimitsService,
    private readonly audit: AuditService,
    private readonly config: Config,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Starts a pending training for the worker. The present knowledge stays in use until the training is completed.
   * @throws NOT_FOUND, VALIDATION_ERROR naming `url`, CONFLICT during another training of the agent, LIMIT_EXCEEDED
   */
  async train(workspace: WorkspaceScope, agentId: string, { url }: TrainAgentRequest): Promise<AgentTrainingResponse> {
    const training = await this.transactions.run(async () => {
      const { _id } = await this.agents.find(workspace, agentId);
      // Of this and a concurrent deletion of the agent, one is rerun and sees the other.
      const agent = await this.agents.claim(workspace.workspaceId, _id);
      if (!agent) throw unknownAgent();
      return this.begin(workspace, agent, url);
    });
    await this.queue.plan([training]);
    return this.#shown(training);
  }

  /** The latest training, and the profile in use. @throws NOT_FOUND, also without a training */
  async latest(workspace: WorkspaceScope, agentId: string): Promise<AgentTrainingResponse> {
    return this.#shown(await this.#find(workspace, agentId));
  }

  /** Status of the latest training of an agent; null without one. */
  async findStatus(workspaceId: Types.ObjectId, agentId: Types.ObjectId): Promise<TrainingStatusView | null> {
    return this.trainings
      .findOne({ workspaceId, agentId }, { status: 1, completedAt: 1 })
      .sort({ createdAt: -1, _id: -1 })
      .lean<TrainingStatusView>();
  }

  /** Lists the pages of the latest training in reading order. @throws NOT_FOUND, also without a training */
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
    return this.pageService.read(this.pages, query, toAgentPage);
  }

  /**
   * Starts a training in the running transaction, in which the agent was claimed or changed. The caller enqueues its
   * job after the transaction.
   * @param url first page; by default the agent's website
   * @throws VALIDATION_ERROR naming `url`, CONFLICT during another training of the agent, LIMIT_EXCEEDED
   */
  async begin(workspace: WorkspaceScope, agent: AgentRecord, url?: string): Promise<AgentTrainingRecord> {
    const { workspaceId } = workspace;
    const start = this.#start(agent, url);
    // Of two concurrent starts at the limit, one is rerun and sees the other.
    await this.limits.claim(workspaceId);
    if (await this.trainings.exists({ workspaceId, agentId: agent._id, open: true })) throw trainingUnderWay();
    if (!(await this.#hasRoom(workspaceId))) throw tooManyTrainings(MAX_TRAININGS_PER_DAY);
    return this.#insert(workspace, agent, start, url === undefined);
  }

  /** Starts the first training of a new agent, which its price includes; no limit applies. */
  beginPaid(workspace: WorkspaceScope, agent: AgentRecord): Promise<AgentTrainingRecord> {
    return this.#insert(workspace, agent, this.#start(agent), true);
  }

  /** Starts a training after a change of the website; null at the daily limit of the workspace. */
  async beginAutomatic(workspace: WorkspaceScope, agent: AgentRecord): Promise<AgentTrainingRecord | null> {
    await this.limits.claim(workspace.workspaceId);
    if (!(await this.#hasRoom(workspace.workspaceId))) return null;
    return this.#insert(workspace, agent, this.#start(agent), true);
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

  async #insert(
    workspace: WorkspaceScope,
    { _id: agentId }: AgentRecord,
    url: string,
    isSchemeGuessed: boolean,
  ): Promise<AgentTrainingRecord> {
    const { workspaceId } = workspace;
    const created = await this.trainings.create({ workspaceId, agentId, url, isSchemeGuessed });
    const target = { type: 'agent', id: agentId.toHexString() } as const;
    await this.audit.record(workspace, {
      action: 'agent.training_started',
      target,
      changes: { url: { from: null, to: url } },
    });
    return created.toObject<AgentTrainingRecord>();
  }

  #start({ website }: AgentRecord, url?: string): string {
    if (url === undefined && website === null) {
      throw invalidField('url', 'url is required: the agent has no website (companyInfo.domain)');
    }
    const start = normalizeUrl(url ?? `https://${website}/`);
    if (start === null)
      throw invalidField('url', 'url must be an http or https address without user name and password');
    // As for mail servers: other ports may belong to internal services.
    if (new URL(start).port !== '' && this.config.outboundAllowPrivate !== true) {
      throw invalidField('url', 'url must use the standard port, 80 or 443');
    }
    return start;
  }

  async #hasRoom(workspaceId: string): Promise<boolean> {
    const since = this.clock.in(-DAY_MS);
    return (await this.trainings.countDocuments({ workspaceId, createdAt: { $gt: since } })) < MAX_TRAININGS_PER_DAY;
  }
}
