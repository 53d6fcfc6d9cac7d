import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { type Types } from 'mongoose';
import { type AgentRecord } from './schemas/agent.record';

/** Reactions of a part of this domain to changes of agents. */
export interface AgentHook {
  /** An agent was created; called in the transaction of the creation. */
  created?(workspace: WorkspaceScope, agent: AgentRecord): Promise<void>;
  /**
   * An agent was changed, made inactive or deleted (`after` is null): withdraw what it may no longer do. Called in the
   * transaction of the change, so that the effect is complete when the change is acknowledged.
   */
  changed?(workspace: WorkspaceScope, before: AgentRecord, after: AgentRecord | null): Promise<void>;
  /** The transaction has ended: enqueue pending work. Lost after a crash, so a sweep has to find the work, too. */
  notified?(workspace: WorkspaceScope, agentId: Types.ObjectId): Promise<void>;
  /**
   * An agent was deleted: erase its data in batches, outside of transactions. The worker calls it again until it
   * returns; it must continue after an interruption.
   */
  erase?(workspaceId: Types.ObjectId, agentId: Types.ObjectId, signal: AbortSignal): Promise<void>;
}

/** Where the parts of this domain register their hooks at start. */
@Injectable()
export class AgentHookRegistry {
  readonly #hooks = new Set<AgentHook>();

  /** Call it once, when the module starts. */
  register(hook: AgentHook): void {
    this.#hooks.add(hook);
  }

  async created(workspace: WorkspaceScope, agent: AgentRecord): Promise<void> {
    // One after the other: a transaction allows no concurrent calls.
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
