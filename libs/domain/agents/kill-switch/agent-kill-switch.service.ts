import { type WorkspaceScope } from '@domain/access';
import { AuditService, getChanges } from '@domain/audit';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { rerunOnWriteConflict, TransactionService } from '@platform/database';
import { HookRegistry } from '@platform/hooks';
import { type Model, type Types } from 'mongoose';
import { type AgentSwitchResponse, toAgentSwitch, type TurnAgentSwitchRequest } from '../dto/agent-switch.dto';
import { AgentKillSwitchRecord } from '../schemas/agent-kill-switch.record';
import { AGENT_HOOKS } from '../agent-hooks';

const FIELDS = ['off', 'reason'] as const;

/**
 * The kill switch of a workspace. While its agents are off, no model is asked for them and none of their replies is
 * sent: each call and each handover checks it first.
 */
@Injectable()
export class AgentKillSwitchService {
  constructor(
    @InjectModel(AgentKillSwitchRecord.name) private readonly switches: Model<AgentKillSwitchRecord>,
    private readonly hooks: HookRegistry,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
  ) {}

  /** Joins a running transaction. */
  async isOff(workspaceId: string | Types.ObjectId): Promise<boolean> {
    return (await this.switches.exists({ workspaceId, off: true })) !== null;
  }

  async read({ workspaceId }: WorkspaceScope): Promise<AgentSwitchResponse> {
    return toAgentSwitch(await this.switches.findOne({ workspaceId }).lean<AgentKillSwitchRecord>());
  }

  /**
   * Switches the agents off or on. Off: when it returns, open replies are withdrawn, also by a repeated request. On:
   * withdrawn replies stay withdrawn.
   */
  async set(workspace: WorkspaceScope, { off, reason }: TurnAgentSwitchRequest): Promise<AgentSwitchResponse> {
    const record = await this.transactions.run(() => this.#write(workspace, off, reason ?? null));
    if (off)
      await this.hooks.call(AGENT_HOOKS, 'switchedOff', workspace, 'The agents of the workspace were switched off');
    return toAgentSwitch(record);
  }

  async #write(workspace: WorkspaceScope, off: boolean, reason: string | null): Promise<AgentKillSwitchRecord> {
    const { workspaceId, actor } = workspace;
    const before = await this.switches.findOne({ workspaceId }).lean<AgentKillSwitchRecord>();
    if (before && before.off === off && before.reason === reason) return before;
    const after = await rerunOnWriteConflict(() =>
      this.switches
        .findOneAndUpdate(
          { workspaceId },
          { $set: { off, reason, changedBy: actor.userId } },
          { upsert: true, returnDocument: 'after' },
        )
        .orFail()
        .lean<AgentKillSwitchRecord>(),
    );
    await this.audit.record(workspace, {
      action: off ? 'agents.switched_off' : 'agents.switched_on',
      target: { type: 'workspace', id: workspaceId },
      changes: getChanges(before, after, FIELDS),
    });
    return after;
  }
}
