import { actsAt, isBehind, type OtherMailbox } from '../pipeline/rotation-wait';

/** A mailbox among those of a campaign. */
export class SimulatedRotationMember implements OtherMailbox {
  /** Its place among them. */
  place = 0;

  constructor(
    public taken: number,
    private readonly mailbox: { readonly nextAt: Date | null; readonly isPoll: boolean },
    private readonly share: { readonly nextAt: Date | null; readonly lastServedAt: Date | null },
  ) {}

  get nextAt(): Date | null {
    return actsAt(this.mailbox, this.share);
  }

  get lastServedAt(): Date | null {
    return this.share.lastServedAt;
  }
}

/** The mailboxes of a campaign by the new leads that they have taken: to look through hundreds of them at every lead takes long. */
export class SimulatedRotation {
  /** The one that has taken the fewest first. */
  readonly #members: SimulatedRotationMember[] = [];

  add(member: SimulatedRotationMember): void {
    this.#members.push(member);
    this.#members.sort((one, other) => one.taken - other.taken);
    this.#members.forEach((each, place) => (each.place = place));
  }

  /** It takes one more: it stays in order when it goes to the end of those that had as many. */
  took(member: SimulatedRotationMember): void {
    const last = this.#lastLike(member);
    this.#members[member.place] = last;
    this.#members[last.place] = member;
    [member.place, last.place] = [last.place, member.place];
    member.taken += 1;
  }

  /** Those that are behind one that has taken so many, and perhaps more: not whoever cannot make a difference. */
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
