import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { type Types } from 'mongoose';
import { type AgentRecord } from './schemas/agent.record';

/** What a room of this domain does when agents come, change and go. */
export interface AgentHook {
  /** The agent was created; in the transaction of that. */
  created?(workspace: WorkspaceScope, agent: AgentRecord): Promise<void>;
  /**
   * The agent was changed, switched off (`isActive`) or deleted (`after` is null): take back what it may not do any more. In
   * the transaction of the change: what is written here stands when the change is acknowledged.
   */
  changed?(workspace: WorkspaceScope, before: AgentRecord, after: AgentRecord | null): Promise<void>;
  /** The transaction of either has ended: wake whoever has work now. Lost when the process dies: a sweep has to do it too. */
  notified?(workspace: WorkspaceScope, agentId: Types.ObjectId): Promise<void>;
  /**
   * The agent was deleted: erase in batches what belongs to it, outside of transactions. Called by the worker, and again until
   * it returns; interrupted anywhere, the next call goes on.
   */
  erase?(workspaceId: Types.ObjectId, agentId: Types.ObjectId, signal: AbortSignal): Promise<void>;
}

/** Where the rooms that keep something of agents register at the start of the process. */
@Injectable()
export class AgentHookRegistry {
  readonly #hooks = new Set<AgentHook>();

  /** Call it once, when the module starts. */
  register(hook: AgentHook): void {
    this.#hooks.add(hook);
  }

  async created(workspace: WorkspaceScope, agent: AgentRecord): Promise<void> {
    // One after the other: a transaction takes no calls side by side.
    for (const hook of this.#hooks) await hook.created?.(workspace, agent);
  }

  async changed(workspace: WorkspaceScope, before: AgentRecord, after: AgentRecord | null): Promise<void> {
    for (const hook of this.#hooks) await hook.changed?.(workspace, before, after);
  }

  async notified(workspace: WorkspaceScope, agentId: Types.ObjectId): Promise<void> {
    for (const hook of this.#hooks) await hook.notified?.(workspace, agentId);
  }

  async erase(workspaceId: Types.ObjectId, agentId: Types.ObjectId, signal: AbortSignal): Promise<void> {
    for (const hook of this.#hooks) await hook.erase?.(workspaceId, agentId, signal);
  }
}
