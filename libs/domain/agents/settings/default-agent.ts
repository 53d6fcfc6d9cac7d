import { type AgentRecord } from '../schemas/agent.record';

type Candidate = Pick<AgentRecord, '_id' | 'isActive' | 'isDefault' | 'createdAt'>;

/**
 * Which agent is the default: one whenever there are any, and an active one whenever there is one. It stays who it is until
 * somebody names another or it is inactive or gone; then it is the oldest of those that are left.
 * @param agents all of the workspace
 * @param named whom somebody has made it; one of them
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
