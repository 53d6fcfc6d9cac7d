import { type SendRecord, Sends } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { Clock } from '@platform/clock';
import { Log } from '@platform/observability';
import { type MailboxTokens } from '../decide/facts';
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
    let found = mailbox;
    for (const send of await this.sends.inFlightOf(workspaceId, _id)) {
      if (send.state === 'wire') {
        await this.#search(send);
        found = having(found, { lastSentAt: later(found.facts.lastSentAt, send.wireAt) });
      } else {
        found = having(found, (await this.claims.releaseLeft(found, send)) ?? {});
      }
    }
    return found;
  }

  async #search(send: SendRecord): Promise<void> {
    const reason = 'The worker ended while the server was being given the message';
    const { draftId } = send;
    const isLeft = await this.sends.settle(send, 'wire', {
      state: 'ambiguous',
      reason,
      lookAt: this.clock.now(),
      draftId,
    });
    if (isLeft) this.log.warn('An email may have been sent: it is looked for', { sendId: send._id.toHexString() });
  }
}

/** The mailbox with what it has used by now. */
function having(mailbox: TurnMailbox, tokens: Partial<MailboxTokens>): TurnMailbox {
  return { ...mailbox, facts: { ...mailbox.facts, ...tokens } };
}

function later(one: Date | null, other: Date | null): Date | null {
  return one && other && one > other ? one : (other ?? one);
}
