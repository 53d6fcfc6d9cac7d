import { WorkspaceLimitsService } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type Types } from 'mongoose';
import { AgentRecord } from './schemas/agent.record';
import { getDefault } from './settings/default-agent';

type Candidate = Pick<AgentRecord, '_id' | 'isActive' | 'isDefault' | 'createdAt'>;

/** Sees to it that exactly one agent of a workspace is its default. */
@Injectable()
export class AgentDefaultsRepository {
  constructor(
    @InjectModel(AgentRecord.name) private readonly agents: Model<AgentRecord>,
    private readonly limits: WorkspaceLimitsService,
  ) {}

  /**
   * Claims the workspace for the running transaction: of two that add, change or delete agents at once one is run again, and
   * sees what the other did.
   * @returns who owns the workspace
   * @throws NOT_FOUND for a workspace that is gone
   */
  claim(workspaceId: string): Promise<{ ownerId: Types.ObjectId }> {
    return this.limits.claim(workspaceId);
  }

  /**
   * Puts the default where it belongs after agents have come, changed or gone. Call it in the transaction of that, which has
   * begun with `claim`.
   * @param named whom somebody has made it
   */
  async settle(workspaceId: string, named?: Types.ObjectId): Promise<void> {
    const all = await this.agents
      .find({ workspaceId, deletedAt: null }, { isActive: 1, isDefault: 1, createdAt: 1 })
      .lean<Candidate[]>();
    const chosen = getDefault(all, named);
    const former = all.find(({ isDefault }) => isDefault);
    if (!chosen || chosen.isDefault) return;
    // First the former one: at no time are there two.
    if (former) await this.#mark(workspaceId, former._id, false);
    await this.#mark(workspaceId, chosen._id, true);
  }

  async #mark(workspaceId: string, _id: Types.ObjectId, isDefault: boolean): Promise<void> {
    const changes = { $set: { isDefault }, $inc: { revision: 1 } };
    await this.agents.updateOne({ workspaceId, _id }, changes, { timestamps: false });
  }
}
