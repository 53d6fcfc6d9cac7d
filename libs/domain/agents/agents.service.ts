import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Page, PageService, searchFilter } from '@platform/database';
import { type Model } from 'mongoose';
import { AgentRepository } from './agent.repository';
import { type AgentDetailsResponse, type AgentResponse, toAgent, toAgentDetails } from './dto/agent.dto';
import { type AgentQuery } from './dto/agent-requests.dto';
import { AgentRecord } from './schemas/agent.record';
import { AgentTrainingsService } from './training/agent-trainings.service';

/** Fields that no list shows. */
const UNLISTED = ['autonomousMode', 'followupSettings', 'website'];

/** Agents as their users see them. */
@Injectable()
export class AgentsService {
  constructor(
    @InjectModel(AgentRecord.name) private readonly agents: Model<AgentRecord>,
    private readonly reads: AgentRepository,
    private readonly pages: PageService,
    private readonly trainings: AgentTrainingsService,
  ) {}

  /** Newest first. `search` looks in the name. */
  async list({ workspaceId }: WorkspaceScope, { search, limit, cursor }: AgentQuery): Promise<Page<AgentResponse>> {
    const filter = { workspaceId, deletedAt: null, ...searchFilter(search, ['name']) };
    const page = { limit, cursor };
    return this.pages.read(this.agents, { scope: workspaceId, filter, without: UNLISTED, page }, toAgent);
  }

  /** @throws NOT_FOUND */
  async get(workspace: WorkspaceScope, agentId: string): Promise<AgentResponse> {
    return toAgent(await this.reads.find(workspace, agentId));
  }

  /** @throws NOT_FOUND */
  async details(workspace: WorkspaceScope, agentId: string): Promise<AgentDetailsResponse> {
    const agent = await this.reads.find(workspace, agentId);
    return toAgentDetails(agent, await this.trainings.standing(agent.workspaceId, agent._id));
  }
}
