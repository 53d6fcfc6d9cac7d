import { type WorkspaceScope } from '@domain/access';
import { defineHook } from '@platform/hooks';
import { type Types } from 'mongoose';
import { type AgentRecord } from './schemas/agent.record';

/** Reactions of a part of this domain to changes of agents. */
export interface AgentHooks {
  /** An agent was created; called in the transaction of the creation. */
  created?(workspace: WorkspaceScope, agent: AgentRecord): Promise<void>;
  /**
   * An agent was changed, made inactive or deleted (`after` is null): withdraw what it may no longer do. Called in the
   * transaction of the change, so that the effect is complete when the change is acknowledged.
   */
  changed?(workspace: WorkspaceScope, before: AgentRecord, after: AgentRecord | null): Promise<void>;
  /**
   * The agents of the workspace were switched off: withdraw open replies, and return when nothing more of them is sent.
   * Called after the switch is stored and before it is acknowledged, also for a repeated request; it must be
   * repeatable.
   */
  switchedOff?(workspace: WorkspaceScope, reason: string): Promise<void>;
  /** The transaction has ended: enqueue pending work. Lost after a crash, so a sweep has to find the work, too. */
  notified?(workspace: WorkspaceScope, agentId: Types.ObjectId): Promise<void>;
  /**
   * An agent was deleted: erase its data in batches, outside of transactions. The worker calls it again until it
   * returns; it must continue after an interruption.
   */
  erase?(workspaceId: Types.ObjectId, agentId: Types.ObjectId, signal: AbortSignal): Promise<void>;
}

/** Called when an agent changes. */
export const AGENT_HOOKS = defineHook<AgentHooks>('agents');
