import { createHash } from 'node:crypto';

/**
 * Which member looks after a key: rendezvous (highest random weight) hashing, Thaler and Ravishankar 1998. Every process
 * that knows the same members gives the same answer, each member gets an equal share, and when one leaves only its keys
 * move.
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
