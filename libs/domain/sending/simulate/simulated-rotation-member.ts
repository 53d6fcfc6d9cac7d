import { actsAt, type OtherMailbox } from '../pipeline/rotation-wait';

/** A mailbox of a campaign in the simulated rotation. */
export class SimulatedRotationMember implements OtherMailbox {
  /** Its index among the members. */
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
