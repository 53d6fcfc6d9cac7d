import { normalizeUrl } from '@adapters/web';
import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { WorkspaceLimitsService } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { invalidField } from '@platform/errors';
import { type Model } from 'mongoose';
import { type AgentRecord } from '../schemas/agent.record';
import { AgentTrainingRecord } from './schemas/agent-training.record';
import { tooManyTrainings, trainingUnderWay } from './training.errors';

/** Trainings that a workspace may begin in a day: each costs a website up to 150 requests, and the model up to four questions. */
export const MOST_TRAININGS = 30;
const DAY_MS = 86_400_000;

/** How trainings come to be; whoever asks for one has to plan its job after the transaction. */
@Injectable()
export class TrainingBeginningService {
  constructor(
    @InjectModel(AgentTrainingRecord.name) private readonly trainings: Model<AgentTrainingRecord>,
    private readonly limits: WorkspaceLimitsService,
    private readonly audit: AuditService,
    private readonly config: Config,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Joins the running transaction, in which the agent was claimed or changed.
   * @param url where to begin; by default at the agent's website
   * @throws VALIDATION_ERROR naming `url`, CONFLICT while one is under way, LIMIT_EXCEEDED
   */
  async begin(workspace: WorkspaceScope, agent: AgentRecord, url?: string): Promise<AgentTrainingRecord> {
    const { workspaceId } = workspace;
    const start = this.#start(agent, url);
    // Of two that race for the last one of the day, one is run again and sees the other.
    await this.limits.claim(workspaceId);
    if (await this.trainings.exists({ workspaceId, agentId: agent._id, open: true })) throw trainingUnderWay();
    if (!(await this.#hasRoom(workspaceId))) throw tooManyTrainings(MOST_TRAININGS);
    return this.#insert(workspace, agent, start, url === undefined);
  }

  /** The first one of an agent that was created: it is paid for with the agent, however many there were today. */
  beginPaid(workspace: WorkspaceScope, agent: AgentRecord): Promise<AgentTrainingRecord> {
    return this.#insert(workspace, agent, this.#start(agent), true);
  }

  /** The same for an agent that was given another website; null where the workspace began too many today. */
  async beginByItself(workspace: WorkspaceScope, agent: AgentRecord): Promise<AgentTrainingRecord | null> {
    await this.limits.claim(workspace.workspaceId);
    if (!(await this.#hasRoom(workspace.workspaceId))) return null;
    return this.#insert(workspace, agent, this.#start(agent), true);
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
      throw invalidField('url', 'url must be given: the agent has no website (companyInfo.domain)');
    }
    const start = normalizeUrl(url ?? `https://${website}/`);
    if (start === null)
      throw invalidField('url', 'url must be an http or https address without user name and password');
    // As for mail servers: on other ports there are services that expect no strangers.
    if (new URL(start).port !== '' && this.config.outboundAllowPrivate !== true) {
      throw invalidField('url', 'url must be at the usual port, 80 or 443');
    }
    return start;
  }

  async #hasRoom(workspaceId: string): Promise<boolean> {
    const since = this.clock.in(-DAY_MS);
    return (await this.trainings.countDocuments({ workspaceId, createdAt: { $gt: since } })) < MOST_TRAININGS;
  }
}
