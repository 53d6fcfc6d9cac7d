import { createHash } from 'node:crypto';

/**
 * Returns the member that owns a key, by rendezvous (highest random weight) hashing, Thaler and Ravishankar 1998. The result
 * depends on the members only, each member gets an equal share, and when one leaves only its keys move.
 * @returns null when there are no members
 */
export function getOwner(key: string, members: readonly string[]): string | null {
  let owner: string | null = null;
  let highest = '';
  for (const member of members) {
    const weight = createHash('sha1').update(`${member}\0${key}`).digest('hex');
    if (owner === null || weight > highest) {
      owner = member;
      highest = weight;
    }
  }
  return owner;
}
