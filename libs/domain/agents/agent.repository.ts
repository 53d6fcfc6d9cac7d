import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { parseId } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { unknownAgent } from './agent.errors';
import { AgentRecord } from './schemas/agent.record';

type IdLike = string | Types.ObjectId;
type Workspace = { readonly workspaceId: WorkspaceScope['workspaceId'] | Types.ObjectId };

/** Agents as they are stored, for the rooms that work with them. All of it joins a running transaction. */
@Injectable()
export class AgentRepository {
  constructor(@InjectModel(AgentRecord.name) private readonly agents: Model<AgentRecord>) {}

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
  async default(workspaceId: IdLike): Promise<AgentRecord | null> {
    return this.agents.findOne({ workspaceId, isDefault: true, deletedAt: null }).lean<AgentRecord>();
  }

  /** Agents of the workspace that reply by themselves, oldest first; at most as many as a workspace may have. */
  async autonomous(workspaceId: IdLike): Promise<AgentRecord[]> {
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
}
