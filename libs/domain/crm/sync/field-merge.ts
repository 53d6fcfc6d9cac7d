import { type CrmValue } from '@adapters/crm';
import { getDigest, isEmpty, type RemoteSnapshot, type SnapshotRule, getSnapshotKey } from '../links/remote-snapshot';
import { type MappingRule } from '../mapping/field-rule';
import { isSameValue } from '../mapping/field-value';

/** One field of a person on both sides. */
export interface Side {
  readonly rule: MappingRule;
  /** What is known of the person in all campaigns, the latest first: whether somebody changed it is told by this. */
  readonly local: string;
  readonly remote: CrmValue;
}

export interface IncomingSide extends Side {
  /** What the lead has that would be changed. */
  readonly here: string;
  /** `remote` in terms of a lead; null when a lead cannot have it. */
  readonly incoming: string | null;
}

export interface OutgoingSide extends Side {
  /** `local` in terms of the CRM; undefined when its field cannot have it. */
  readonly outgoing: CrmValue | undefined;
}

/** `leave`: it is as it should be, or not for this direction. `conflict`: both sides changed it since the last sync, and neither is overwritten. */
export type SideMove = 'leave' | 'move' | 'conflict';

/**
 * Whether a field is taken over from the CRM. Pure.
 * @param how isEcho: nothing happened to the person since our own change of it, whatever the CRM has made of the value
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
  // Who has nothing to say at the first meeting takes nothing away.
  if (!before) return isEmpty(incoming) ? 'leave' : 'move';
  const changed = getChangesSince(before, local, remote);
  if (!changed.remote || isEcho) {
    const isGap = isEmpty(here) && !isEmpty(local);
    return isGap || (isFull && rule.direction === 'pull') ? 'move' : 'leave';
  }
  return changed.local && rule.direction === 'both' ? 'conflict' : 'move';
}

/** Whether a field is written to the CRM. Pure. */
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

/** Whether anything that is pushed changed here since the last sync: without asking the CRM. Pure. */
export function hasLocalChange(sides: readonly Pick<Side, 'rule' | 'local'>[], snapshot: RemoteSnapshot): boolean {
  return sides.some(({ rule, local }) => {
    if (rule.direction === 'pull') return false;
    const before = snapshot[getSnapshotKey(rule)];
    return before ? before[0] !== getDigest(local) : !isEmpty(local);
  });
}

/** What is to be remembered of a field after a pull; null for nothing. A conflict stays one until the sides agree. Pure. */
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
  // What changed here is still to be pushed.
  if (before) return [before[0], getDigest(remote)];
  return rule.direction !== 'pull' && !isEmpty(local) ? null : [getDigest(local), getDigest(remote)];
}

/** What is to be remembered of a field after a push; null for nothing. Pure. */
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
  // What changed there is still to be pulled.
  if (before) return [getDigest(local), before[1]];
  return rule.direction === 'both' && isEmpty(outgoing) ? null : [getDigest(local), getDigest(remote)];
}

function getChangesSince([local, remote]: SnapshotRule, localNow: string, remoteNow: CrmValue) {
  return { local: getDigest(localNow) !== local, remote: getDigest(remoteNow) !== remote };
}
