import { type AgentRecord } from '../schemas/agent.record';

type Candidate = Pick<AgentRecord, '_id' | 'isActive' | 'isDefault' | 'createdAt'>;

/**
 * Chooses the default agent: an active one if possible. The default stays until a person names another one, or it is
 * inactive or deleted; then the oldest active one follows.
 * @param agents all agents of the workspace
 * @param named the agent that a person has named; one of them
 */
export function chooseDefault<T extends Candidate>(agents: readonly T[], named?: AgentRecord['_id']): T | null {
  const oldest = agents.toSorted(
    (one, other) =>
      one.createdAt.getTime() - other.createdAt.getTime() ||
      one._id.toHexString().localeCompare(other._id.toHexString()),
  );
  const current = agents.find(({ isDefault }) => isDefault);
  if (named) return agents.find(({ _id }) => _id.equals(named)) ?? null;
  if (current?.isActive) return current;
  return oldest.find(({ isActive }) => isActive) ?? current ?? oldest[0] ?? null;
}
