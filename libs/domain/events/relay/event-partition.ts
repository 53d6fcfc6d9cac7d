import { createHash } from 'node:crypto';

/** More than workers times partitions at a time, so that every worker gets a share. */
const PARTITIONS = 64;

/** The partition of a workspace's events: two hexadecimal digits. */
export function getEventPartition(workspaceId: string): string {
  const [first = 0] = createHash('sha1').update(workspaceId).digest();
  return (first % PARTITIONS).toString(16).padStart(2, '0');
}
