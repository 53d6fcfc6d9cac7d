import { type SendRecord, Sends } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { Clock } from '@platform/clock';
import { Log } from '@platform/observability';
import { Claims } from './claim.service';
import { type TurnMailbox } from './engine.world';

/** Looks after what an earlier turn of the mailbox left when its worker died. */
@Injectable()
export class TurnRecovery {
  constructor(
    private readonly sends: Sends,
    private readonly claims: Claims,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * What was claimed is planned again and its token returned; what was on the wire may have been sent, and is looked for.
   * @returns the mailbox with what it has used now
   */
  async recover(mailbox: TurnMailbox): Promise<TurnMailbox> {
    const { workspaceId, _id } = mailbox.record;
    let current = mailbox;
    for (const send of await this.sends.inFlightOf(workspaceId, _id)) {
      if (send.state === 'wire') {
        await this.#search(send);
      } else {
        const tokens = await this.claims.releaseLeft(current, send);
        current = { ...current, facts: { ...current.facts, ...tokens } };
      }
    }
    return current;
  }

  async #search(send: SendRecord): Promise<void> {
    const reason = 'The worker ended while the server was being given the message';
    const { draftId } = send;
    const isLeft = await this.sends.settle(send, 'wire', {
      ...{ state: 'ambiguous', reason, lookAt: this.clock.now(), draftId },
    });
    if (isLeft) this.log.warn('An email may have been sent: it is looked for', { sendId: send._id.toHexString() });
  }
}
