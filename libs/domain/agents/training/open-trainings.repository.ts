import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type Types } from 'mongoose';
import { AgentTrainingRecord } from './schemas/agent-training.record';
import { type OpenTraining } from './agent-training.queue';

/** Workspaces that one sweep looks at, those that have waited for longest first. */
const SWEEP_AT_MOST = 1_000;

/** Trainings that are not over. */
@Injectable()
export class OpenTrainingsRepository {
  constructor(@InjectModel(AgentTrainingRecord.name) private readonly trainings: Model<AgentTrainingRecord>) {}

  async find(workspaceId: string, _id: Types.ObjectId | null): Promise<AgentTrainingRecord | null> {
    return _id && this.trainings.findOne({ _id, workspaceId, open: true }).lean<AgentTrainingRecord>();
  }

  async ofAgent(workspaceId: string, agentId: Types.ObjectId): Promise<AgentTrainingRecord | null> {
    return this.trainings.findOne({ workspaceId, agentId, open: true }).lean<AgentTrainingRecord>();
  }

  /** The one of a workspace that has waited for longest. */
  async oldestOf(workspaceId: string): Promise<OpenTraining | null> {
    return this.trainings
      .findOne({ workspaceId, open: true }, { workspaceId: 1, createdAt: 1 })
      .sort({ createdAt: 1 })
      .lean<OpenTraining>();
  }

  /** The same of each workspace: however many one has, it takes one place. */
  async oldestOfEach(): Promise<OpenTraining[]> {
    return this.trainings
      .aggregate<OpenTraining>([
        { $match: { open: true } },
        { $sort: { createdAt: 1 } },
        { $group: { _id: '$workspaceId', first: { $first: '$_id' }, createdAt: { $first: '$createdAt' } } },
        { $sort: { createdAt: 1 } },
        { $limit: SWEEP_AT_MOST },
        { $project: { _id: '$first', workspaceId: '$_id', createdAt: 1 } },
      ])
      .option({ allWorkspaces: 'the worker carries out the trainings of all workspaces' });
  }
}
