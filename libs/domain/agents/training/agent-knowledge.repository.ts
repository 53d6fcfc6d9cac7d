import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type Types } from 'mongoose';
import { type CompanyProfile } from './profile/company-profile';
import { AgentPageRecord } from './schemas/agent-page.record';
import { AgentTrainingRecord } from './schemas/agent-training.record';
import { type Excerpt, excerptsFor } from './knowledge/excerpts';

/** Passages that one answer is written by. */
const MOST_EXCERPTS = 6;

export interface Knowledge {
  /** null: the agent has not learnt anything yet, or nobody wrote one. */
  readonly profile: CompanyProfile | null;
  /** Words of a website, to be quoted to a model and never to be obeyed. */
  readonly excerpts: readonly Excerpt[];
}

/** What an agent knows of its company, for whoever writes in its name. */
@Injectable()
export class AgentKnowledgeRepository {
  constructor(
    @InjectModel(AgentTrainingRecord.name) private readonly trainings: Model<AgentTrainingRecord>,
    @InjectModel(AgentPageRecord.name) private readonly pages: Model<AgentPageRecord>,
  ) {}

  /** @param about what is to be answered: passages that share most with it come first, about 4000 characters in all */
  async of(workspaceId: string | Types.ObjectId, agentId: string | Types.ObjectId, about: string): Promise<Knowledge> {
    const current = await this.trainings
      .findOne({ workspaceId, agentId, isCurrent: true }, { profile: 1 })
      .lean<Pick<AgentTrainingRecord, '_id' | 'profile'>>();
    if (!current) return { profile: null, excerpts: [] };
    const pages = await this.pages
      .find({ workspaceId, trainingId: current._id, status: 'read' }, { url: 1, title: 1, text: 1 })
      .sort({ place: 1 })
      .lean<Excerpt[]>();
    return { profile: current.profile, excerpts: excerptsFor(about, pages, MOST_EXCERPTS) };
  }
}
