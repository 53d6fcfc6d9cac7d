import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Listens } from '@platform/hooks';
import { type Model, type Types } from 'mongoose';
import { type AgentHooks, AGENT_HOOKS } from '../agent-hooks';
import { type AgentRecord } from '../schemas/agent.record';
import { AgentTrainingQueue } from './agent-training.queue';
import { AgentTrainingRepository } from './agent-training.repository';
import { AgentTrainingsService } from './agent-trainings.service';
import { AgentPageRecord } from './schemas/agent-page.record';
import { AgentTrainingRecord } from './schemas/agent-training.record';

const BATCH = 500;

/** Starts, cancels and erases trainings when agents change. */
@Injectable()
@Listens(AGENT_HOOKS)
export class AgentTrainingListener implements AgentHooks {
  constructor(
    @InjectModel(AgentTrainingRecord.name) private readonly trainings: Model<AgentTrainingRecord>,
    @InjectModel(AgentPageRecord.name) private readonly pages: Model<AgentPageRecord>,
    private readonly trainingsService: AgentTrainingsService,
    private readonly repository: AgentTrainingRepository,
    private readonly queue: AgentTrainingQueue,
  ) {}

  async created(workspace: WorkspaceScope, agent: AgentRecord): Promise<void> {
    if (agent.website !== null) await this.trainingsService.beginPaid(workspace, agent);
  }

  /** A new website ends the training on the old one, and starts another. */
  async changed(workspace: WorkspaceScope, before: AgentRecord, after: AgentRecord | null): Promise<void> {
    if (after && after.website === before.website) return;
    await this.repository.cancel(workspace.workspaceId, before._id);
    if (after && after.website !== null) await this.trainingsService.beginAutomatic(workspace, after);
  }

  async notified({ workspaceId }: WorkspaceScope, agentId: Types.ObjectId): Promise<void> {
    const training = await this.repository.findOpenOfAgent(workspaceId, agentId);
    if (training?.status === 'pending') await this.queue.plan([training]);
  }

  async erase(workspaceId: Types.ObjectId, agentId: Types.ObjectId, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const batch = await this.pages.find({ workspaceId, agentId }, { _id: 1 }).limit(BATCH).lean();
      if (batch.length === 0) break;
      await this.pages.deleteMany({ workspaceId, _id: { $in: batch.map(({ _id }) => _id) } });
    }
    await this.trainings.deleteMany({ workspaceId, agentId });
  }
}
