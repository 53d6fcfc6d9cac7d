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

  /** null when it was deleted: for work that is then without an object. */
  async peek(workspaceId: IdLike, agentId: IdLike): Promise<AgentRecord | null> {
    return this.agents.findOne({ workspaceId, _id: agentId, deletedAt: null }).lean<AgentRecord>();
  }

  /** The default of the workspace; null without agents. */
  async findDefault(workspaceId: IdLike): Promise<AgentRecord | null> {
    return this.agents.findOne({ workspaceId, isDefault: true, deletedAt: null }).lean<AgentRecord>();
  }

  /** Agents of the workspace that reply by themselves, oldest first; at most as many as a workspace may have. */
  async listAutonomous(workspaceId: IdLike): Promise<AgentRecord[]> {
    return this.agents
      .find({ workspaceId, deletedAt: null, isActive: true, 'autonomousMode.enabled': true })
      .sort({ createdAt: 1, _id: 1 })
      .lean<AgentRecord[]>();
  }

  /**
   * Moves the agent's revision on, for whoever begins something for it: of that and a change or a deletion at the same time
   * one is run again and sees the other. Call it in the transaction that begins it.
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
   * Claims the workspace for the running transaction: of two that add, change or delete agents at once one is run again, and
   * sees what the other did.
   * @returns who owns the workspace
   * @throws NOT_FOUND for a workspace that is gone
   */
  claimWorkspace(workspaceId: string): Promise<{ ownerId: Types.ObjectId }> {
    return this.limits.claim(workspaceId);
  }

  /**
   * Puts the default where it belongs after agents have come, changed or gone. Call it in the transaction of that, which has
   * begun with `claim`.
   * @param named whom somebody has made it
   */
  async settleDefault(workspaceId: string, named?: Types.ObjectId): Promise<void> {
    const all = await this.agents
      .find({ workspaceId, deletedAt: null }, { isActive: 1, isDefault: 1, createdAt: 1 })
      .lean<Candidate[]>();
    const chosen = chooseDefault(all, named);
    const former = all.find(({ isDefault }) => isDefault);
    if (!chosen || chosen.isDefault) return;
    // First the former one: at no time are there two.
    if (former) await this.#setDefault(workspaceId, former._id, false);
    await this.#setDefault(workspaceId, chosen._id, true);
  }

  async #setDefault(workspaceId: string, _id: Types.ObjectId, isDefault: boolean): Promise<void> {
    const changes = { $set: { isDefault }, $inc: { revision: 1 } };
    await this.agents.updateOne({ workspaceId, _id }, changes, { timestamps: false });
  }
}
