import { type CrmValue } from '@adapters/crm';
import { getDigest, isEmpty, type RemoteSnapshot, type SnapshotRule, getSnapshotKey } from '../links/remote-snapshot';
import { type MappingRule } from '../mapping/field-rule';
import { isSameValue } from '../mapping/field-value';

/** One field of a person on both sides. */
export interface Side {
  readonly rule: MappingRule;
  /** The person's merged value, by which local changes are detected. */
  readonly local: string;
  readonly remote: CrmValue;
}

export interface IncomingSide extends Side {
  /** The lead's value that would change. */
  readonly here: string;
  /** `remote` converted for a lead; null when unsuitable. */
  readonly incoming: string | null;
}

export interface OutgoingSide extends Side {
  /** `local` converted for the CRM; undefined when unsuitable. */
  readonly outgoing: CrmValue | undefined;
}

/** `leave`: equal, or not for this direction. `conflict`: both sides changed since the last sync; neither is overwritten. */
export type SideMove = 'leave' | 'move' | 'conflict';

/**
 * Decides whether a field is pulled. Pure.
 * @param how isEcho: the person is unchanged since our own write, whatever the CRM made of the value
 */
export function decidePull(
  { rule, here, local, remote, incoming }: IncomingSide,
  snapshot: RemoteSnapshot,
  { isFull, isEcho }: { isFull: boolean; isEcho: boolean },
): SideMove {
  if (rule.direction === 'push' || incoming === null) return 'leave';
  if (incoming === here || isSameValue(rule, here, remote)) return 'leave';
  if (rule.overwrite === 'when_empty' && !isEmpty(here)) return 'leave';
  const before = snapshot[getSnapshotKey(rule)];
  // An empty value deletes nothing at the first sync.
  if (!before) return isEmpty(incoming) ? 'leave' : 'move';
  const changed = getChangesSince(before, local, remote);
  if (!changed.remote || isEcho) {
    const isGap = isEmpty(here) && !isEmpty(local);
    return isGap || (isFull && rule.direction === 'pull') ? 'move' : 'leave';
  }
  return changed.local && rule.direction === 'both' ? 'conflict' : 'move';
}

/** Decides whether a field is pushed. Pure. */
export function decidePush(
  { rule, local, outgoing, remote }: OutgoingSide,
  snapshot: RemoteSnapshot,
  isFull: boolean,
): SideMove {
  if (rule.direction === 'pull' || outgoing === undefined || isSameValue(rule, local, remote)) return 'leave';
  if (rule.overwrite === 'when_empty' && !isEmpty(remote)) return 'leave';
  const before = snapshot[getSnapshotKey(rule)];
  if (!before) return isEmpty(outgoing) ? 'leave' : 'move';
  const changed = getChangesSince(before, local, remote);
  if (!changed.local) return isFull && rule.direction === 'push' ? 'move' : 'leave';
  return changed.remote && rule.direction === 'both' ? 'conflict' : 'move';
}

/** Whether a pushed field changed here since the last sync. Pure. */
export function hasLocalChange(sides: readonly Pick<Side, 'rule' | 'local'>[], snapshot: RemoteSnapshot): boolean {
  return sides.some(({ rule, local }) => {
    if (rule.direction === 'pull') return false;
    const before = snapshot[getSnapshotKey(rule)];
    return before ? before[0] !== getDigest(local) : !isEmpty(local);
  });
}

/** Returns the snapshot of a field after a pull; null for none. A conflict remains until both sides agree. Pure. */
export function getSnapshotAfterPull(
  side: IncomingSide,
  move: SideMove,
  snapshot: RemoteSnapshot,
): SnapshotRule | null {
  const { rule, local, remote, incoming } = side;
  const before = snapshot[getSnapshotKey(rule)] ?? null;
  if (move === 'conflict') return before;
  if (move === 'move') return [getDigest(incoming), getDigest(remote)];
  if (isSameValue(rule, local, remote)) return [getDigest(local), getDigest(remote)];
  // A local change still has to be pushed.
  if (before) return [before[0], getDigest(remote)];
  return rule.direction !== 'pull' && !isEmpty(local) ? null : [getDigest(local), getDigest(remote)];
}

/** Returns the snapshot of a field after a push; null for none. Pure. */
export function getSnapshotAfterPush(
  side: OutgoingSide,
  move: SideMove,
  snapshot: RemoteSnapshot,
): SnapshotRule | null {
  const { rule, local, outgoing = null, remote } = side;
  const before = snapshot[getSnapshotKey(rule)] ?? null;
  if (move === 'conflict') return before;
  if (move === 'move') return [getDigest(local), getDigest(outgoing)];
  if (rule.direction === 'pull') return before;
  if (isSameValue(rule, local, remote)) return [getDigest(local), getDigest(remote)];
  // A remote change still has to be pulled.
  if (before) return [getDigest(local), before[1]];
  return rule.direction === 'both' && isEmpty(outgoing) ? null : [getDigest(local), getDigest(remote)];
}

function getChangesSince([local, remote]: SnapshotRule, localNow: string, remoteNow: CrmValue) {
  return { local: getDigest(localNow) !== local, remote: getDigest(remoteNow) !== remote };
}
