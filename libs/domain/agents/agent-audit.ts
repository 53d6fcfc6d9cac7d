import { getChanges } from '@domain/audit';
import { type AgentRecord } from './schemas/agent.record';

const FIELDS = [
  'name',
  'companyInfo',
  'website',
  'persona',
  'autonomousMode',
  'followupSettings',
  'isDefault',
  'isActive',
] as const;

/** The audited changes of an agent. */
export function getAuditedAgentChanges(before: AgentRecord | null, after: AgentRecord | null) {
  return getChanges(before, after, FIELDS);
}

export function toAgentTarget(agentId: { toString(): string }) {
  return { type: 'agent', id: String(agentId) } as const;
}
