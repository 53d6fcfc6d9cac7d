import { type AgentRecord } from '../../schemas/agent.record';
import { DEFAULT_AUTONOMY, DEFAULT_FOLLOWUPS } from '../../settings/agent-defaults';
import { newAgent } from '../../testing';

/** The fields that a test sets. */
export interface AutonomousAgentFields {
  readonly mode?: Partial<AgentRecord['autonomousMode']>;
  readonly followups?: Partial<AgentRecord['followupSettings']>;
  readonly more?: Partial<Omit<AgentRecord, '_id'>>;
}

/** The stored fields of a default agent that answers positive messages at once. */
export function newAutonomousAgent(
  workspaceId: string,
  { mode = {}, followups = {}, more = {} }: AutonomousAgentFields,
): ReturnType<typeof newAgent> {
  const autonomousMode = { ...DEFAULT_AUTONOMY, enabled: true, delayMinutes: 0, approval: 'auto' as const, ...mode };
  const followupSettings = { ...DEFAULT_FOLLOWUPS, ...followups };
  return newAgent(workspaceId, { isDefault: true, autonomousMode, followupSettings, ...more });
}
