import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Model } from 'mongoose';
import { AgentHookRegistry } from './agent-hook.registry';
import { AgentRecord } from './schemas/agent.record';

/** For how long what is written for a deleted agent is still looked for: longer than anybody goes on who had read it. */
const REMEMBERED_MS = 3_600_000;

type Deleted = Pick<AgentRecord, '_id' | 'workspaceId' | 'deletedAt'>;

/** Erases what deleted agents left behind. */
@Injectable()
export class AgentErasureRepository {
  constructor(
    @InjectModel(AgentRecord.name) private readonly agents: Model<AgentRecord>,
    private readonly uses: AgentHookRegistry,
    private readonly clock: ClockPort,
  ) {}

  /**
   * What each wrote and learnt; interrupted anywhere, the next run goes on. An hour after the deletion it is done for the last
   * time, and the record goes with it.
   */
  async clear(signal: AbortSignal): Promise<void> {
    const forgottenBy = this.clock.in(-REMEMBERED_MS);
    const deleted = this.agents
      .find({ deletedAt: { $gt: new Date(0) } }, { workspaceId: 1, deletedAt: 1 })
      .setOptions({ allWorkspaces: 'the worker clears up after the agents of all workspaces' })
      .sort({ deletedAt: 1, _id: 1 })
      .lean<Deleted[]>()
      .cursor();
    for await (const { _id, workspaceId, deletedAt } of deleted as AsyncIterable<Deleted>) {
      signal.throwIfAborted();
      await this.uses.erase(workspaceId, _id, signal);
      if (deletedAt && deletedAt <= forgottenBy) await this.agents.deleteOne({ _id, workspaceId });
    }
  }
}
