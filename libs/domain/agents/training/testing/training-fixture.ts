import { type WorkspaceScope } from '@domain/access';
import { EventRecord } from '@domain/events';
import { WorkspaceRepository } from '@domain/identity';
import { LeaseService, TransactionService } from '@platform/database';
import { OutboundHttpClient } from '@platform/outbound';
import { QueuesService } from '@platform/queues';
import { ModelServer, completion } from '../../../../adapters/llm/testing';
import { SiteServer, hastyCrawler } from '../../../../adapters/web/testing';
import { AgentRepository } from '../../agent.repository';
import { AgentModelService } from '../../model/agent-model.service';
import { type AgentRecord } from '../../schemas/agent.record';
import { AgentsFixture } from '../../testing';
import { AgentTextsService } from '../../texts/agent-texts.service';
import { AgentTrainingJobService } from '../agent-training-job.service';
import { AgentTrainingQueue } from '../agent-training.queue';
import { AgentTrainingRepository } from '../agent-training.repository';
import { AgentTrainingsService } from '../agent-trainings.service';
import { type AgentTrainingResponse } from '../dto/training.dto';
import { AgentPageRecord } from '../schemas/agent-page.record';
import { AgentTrainingRecord } from '../schemas/agent-training.record';
import { type HeldAnswer, holdAnswer } from './held-answer';
import { PROFILE } from './training-samples';

export const FOREVER = new AbortController().signal;

/** Agents that learn from a local website, with a local model. */
export class TrainingFixture {
  workspace!: WorkspaceScope;
  agent!: AgentRecord;

  private constructor(
    readonly agents: AgentsFixture,
    readonly models: ModelServer,
    readonly site: SiteServer,
  ) {}

  /** @param settings environment variables; without `LLM_MODEL` no model is configured */
  static async open(settings: Record<string, string> = {}): Promise<TrainingFixture> {
    const [models, site] = [await ModelServer.start(''), await SiteServer.start()];
    const llm = { LLM_BASE_URL: models.baseUrl, LLM_MODEL: 'test-model', LLM_INPUT_PRICE: '2', LLM_OUTPUT_PRICE: '10' };
    const agents = await AgentsFixture.open({ OUTBOUND_ALLOW_PRIVATE: 'true', ...llm, ...settings });
    return new TrainingFixture(agents, models, site);
  }

  /** Creates a workspace with an agent and without trainings; resets the site and the model. */
  async fresh(): Promise<void> {
    this.agents.clock.reset();
    const model = this.agents.model<AgentTrainingRecord>(AgentTrainingRecord);
    await model.deleteMany({}).setOptions({ allWorkspaces: 'each test starts without data' });
    this.site.reset();
    this.models.otherwise = completion(JSON.stringify(PROFILE));
    this.models.asked.length = 0;
    this.workspace = await this.agents.fresh();
    this.agent = await this.agents.agent();
  }

  get agentId(): string {
    return this.agent._id.toHexString();
  }

  train(path = '/'): Promise<AgentTrainingResponse> {
    return this.agents.get(AgentTrainingsService).train(this.workspace, this.agentId, { url: this.site.url(path) });
  }

  run({ _id }: Pick<AgentTrainingResponse, '_id'>, signal = FOREVER, worker = this.worker()): Promise<void> {
    return worker.run({ workspaceId: this.workspace.workspaceId, trainingId: _id }, signal);
  }

  /** A separate worker without gaps between requests. */
  worker(): AgentTrainingJobService {
    const { agents } = this;
    return new AgentTrainingJobService(
      agents.model<AgentPageRecord>(AgentPageRecord),
      agents.model<AgentTrainingRecord>(AgentTrainingRecord),
      agents.get(AgentTrainingRepository),
      agents.get(AgentTrainingQueue),
      agents.get(LeaseService),
      agents.get(WorkspaceRepository),
      hastyCrawler(agents.get(OutboundHttpClient)),
      agents.get(AgentRepository),
      agents.get(AgentModelService),
      agents.get(AgentTextsService),
      agents.get(TransactionService),
    );
  }

  latest(): Promise<AgentTrainingResponse> {
    return this.agents.get(AgentTrainingsService).latest(this.workspace, this.agentId);
  }

  /** Starts a training, runs it, and reads it. */
  async trained(path = '/'): Promise<AgentTrainingResponse> {
    await this.run(await this.train(path));
    return this.latest();
  }

  pages(training: Pick<AgentTrainingResponse, '_id'>): Promise<AgentPageRecord[]> {
    const { workspaceId } = this.workspace;
    return this.agents
      .model<AgentPageRecord>(AgentPageRecord)
      .find({ workspaceId, trainingId: training._id })
      .sort({ place: 1 })
      .lean<AgentPageRecord[]>();
  }

  trainings(): Promise<AgentTrainingRecord[]> {
    const { workspaceId } = this.workspace;
    const model = this.agents.model<AgentTrainingRecord>(AgentTrainingRecord);
    return model.find({ workspaceId }).sort({ createdAt: 1, _id: 1 }).lean<AgentTrainingRecord[]>();
  }

  /** Inserts trainings without any checks. */
  async addTrainings(records: readonly object[]): Promise<void> {
    const model = this.agents.model<AgentTrainingRecord>(AgentTrainingRecord);
    for (const record of records) await model.create({ ...record, createdAt: this.agents.clock.now() });
  }

  async setTraining({ _id }: Pick<AgentTrainingResponse, '_id'>, fields: Partial<AgentTrainingRecord>): Promise<void> {
    const { workspaceId } = this.workspace;
    const model = this.agents.model<AgentTrainingRecord>(AgentTrainingRecord);
    await model.updateOne({ _id, workspaceId }, { $set: fields });
  }

  /** Removes all jobs from Redis. */
  async forgetJobs(): Promise<void> {
    await this.agents.get(QueuesService).get('agent-training').obliterate({ force: true });
  }

  events(): Promise<EventRecord[]> {
    const { workspaceId } = this.workspace;
    const model = this.agents.model<EventRecord>(EventRecord);
    return model.find({ workspaceId, type: 'agent.trained' }).lean<EventRecord[]>();
  }

  /** Delays the answer for a path until `answer` is called. */
  hold(path: string): HeldAnswer {
    return holdAnswer(this.site, path);
  }

  async close(): Promise<void> {
    await this.agents.close();
    await Promise.all([this.models.close(), this.site.close()]);
  }
}
