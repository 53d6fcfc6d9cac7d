import { isBehind, type OtherMailbox } from '../pipeline/rotation-wait';
import { type SimulatedRotationMember } from './simulated-rotation-member';

/**
 * The mailboxes of a campaign, sorted by the new leads that they have taken. A scan of hundreds of mailboxes for each
 * lead would take too long.
 */
export class SimulatedRotation {
  /** Ascending by new leads taken. */
  readonly #members: SimulatedRotationMember[] = [];

  add(member: SimulatedRotationMember): void {
    this.#members.push(member);
    this.#members.sort((one, other) => one.taken - other.taken);
    this.#members.forEach((each, place) => (each.place = place));
  }

  /** Counts one more lead: the order is kept if the member moves to the end of those with the same number. */
  took(member: SimulatedRotationMember): void {
    const last = this.#lastLike(member);
    this.#members[member.place] = last;
    this.#members[last.place] = member;
    [member.place, last.place] = [last.place, member.place];
    member.taken += 1;
  }

  /** Returns the mailboxes that are behind one with this many leads, and possibly a few more. */
  behind(taken: number): readonly OtherMailbox[] {
    const behind: OtherMailbox[] = [];
    for (const member of this.#members) {
      if (!isBehind(member.taken, taken)) break;
      behind.push(member);
    }
    return behind;
  }

  #lastLike({ place, taken }: SimulatedRotationMember): SimulatedRotationMember {
    let from = place;
    let to = this.#members.length;
    while (to - from > 1) {
      const middle = (from + to) >> 1;
      if ((this.#members[middle] as SimulatedRotationMember).taken > taken) to = middle;
      else from = middle;
    }
    return this.#members[from] as SimulatedRotationMember;
  }
}
