import { type WorkspaceScope } from '@domain/access';
import { WorkspaceLimitsService } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { parseId } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { unknownAgent } from './agent.errors';
import { AgentRecord } from './schemas/agent.record';
import { chooseDefault } from './settings/default-agent';

type IdLike = string | Types.ObjectId;

type Workspace = { readonly workspaceId: WorkspaceScope['workspaceId'] | Types.ObjectId };

type Candidate = Pick<AgentRecord, '_id' | 'isActive' | 'isDefault' | 'createdAt'>;

/** Agents as they are stored, with the one default of each workspace. All of it joins a running transaction. */
@Injectable()
export class AgentRepository {
  constructor(
    @InjectModel(AgentRecord.name) private readonly agents: Model<AgentRecord>,
    private readonly limits: WorkspaceLimitsService,
  ) {}

  /** @throws NOT_FOUND, also for a malformed id, another workspace's and a deleted one */
  async find({ workspaceId }: Workspace, agentId: string): Promise<AgentRecord> {
    const _id = parseId(agentId);
    const found = _id && (await this.peek(workspaceId, _id));
    if (!found) throw unknownAgent();
    return found;
  }

  /** null when the agent was deleted. */
  async peek(workspaceId: IdLike, agentId: IdLike): Promise<AgentRecord | null> {
    return this.agents.findOne({ workspaceId, _id: agentId, deletedAt: null }).lean<AgentRecord>();
  }

  /** The default agent of the workspace; null without agents. */
  async findDefault(workspaceId: IdLike): Promise<AgentRecord | null> {
    return this.agents.findOne({ workspaceId, isDefault: true, deletedAt: null }).lean<AgentRecord>();
  }

  /** Active agents of the workspace that reply by themselves, oldest first. */
  async listAutonomous(workspaceId: IdLike): Promise<AgentRecord[]> {
    return this.agents
      .find({ workspaceId, deletedAt: null, isActive: true, 'autonomousMode.enabled': true })
      .sort({ createdAt: 1, _id: 1 })
      .lean<AgentRecord[]>();
  }

  /**
   * Increments the revision of the agent in the transaction that starts work for it: of that and a concurrent change or
   * deletion, one is rerun and sees the other.
   * @returns the agent; null when it was deleted
   */
  async claim(workspaceId: IdLike, agentId: IdLike): Promise<AgentRecord | null> {
    return this.agents
      .findOneAndUpdate(
        { workspaceId, _id: agentId, deletedAt: null },
        { $inc: { revision: 1 } },
        { returnDocument: 'after', timestamps: false },
      )
      .lean<AgentRecord>();
  }

  /**
   * Claims the workspace for the running transaction: of two concurrent changes of its agents, one is rerun and sees
   * the other.
   * @returns the owner of the workspace
   * @throws NOT_FOUND for a deleted workspace
   */
  claimWorkspace(workspaceId: string): Promise<{ ownerId: Types.ObjectId }> {
    return this.limits.claim(workspaceId);
  }

  /**
   * Chooses the default after a change of agents, in its transaction, which has begun with `claimWorkspace`.
   * @param named the agent that a person has made the default
   */
  async settleDefault(workspaceId: string, named?: Types.ObjectId): Promise<void> {
    const all = await this.agents
      .find({ workspaceId, deletedAt: null }, { isActive: 1, isDefault: 1, createdAt: 1 })
      .lean<Candidate[]>();
    const chosen = chooseDefault(all, named);
    const former = all.find(({ isDefault }) => isDefault);
    if (!chosen || chosen.isDefault) return;
    // First the former default: at no time are there two.
    if (former) await this.#setDefault(workspaceId, former._id, false);
    await this.#setDefault(workspaceId, chosen._id, true);
  }

  async #setDefault(workspaceId: string, _id: Types.ObjectId, isDefault: boolean): Promise<void> {
    const changes = { $set: { isDefault }, $inc: { revision: 1 } };
    await this.agents.updateOne({ workspaceId, _id }, changes, { timestamps: false });
  }
}
