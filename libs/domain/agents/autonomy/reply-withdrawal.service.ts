import { InboxRepliesService } from '@domain/inbox';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { type AgentReplyRecord } from '../schemas/agent-reply.record';
import { type Why } from './agent-reply-states';
import { AgentReplyRepository } from './agent-reply.repository';

type Where = Record<string, unknown> & { workspaceId: Types.ObjectId | string };

/** It will never go out: the inbox has taken it back, or its turn does when it lets go of it. */
const TAKEN_BACK: ReadonlySet<string> = new Set(['cancelled', 'withheld']);

/**
 * Takes back what agents have under way, wherever it is: what is planned or waits, and what the inbox has, unless its server
 * is being given it. When it returns, nothing more of that is given to a server. Repeatable; joins a running transaction.
 */
@Injectable()
export class ReplyWithdrawalService {
  constructor(
    private readonly store: AgentReplyRepository,
    private readonly replies: InboxRepliesService,
  ) {}

  /** @returns how many a server is being given at this moment: it is too late for them */
  async withdraw(where: Where, why: Why): Promise<number> {
    // First what is not handed over: whoever does that in this moment has written it, so that one of the two comes second.
    await this.store.cancelAll(where, why);
    const { taken, onWire } = await this.#takeBack(where, why.reason);
    for (const reply of taken) await this.store.complete(reply, { state: 'cancelled', ...why });
    return onWire;
  }

  /**
   * Takes back what the inbox has, to be handed over again when all that decides about it has been looked at anew: it is as it
   * was before.
   */
  async recall(where: Where, { reason, dueAt }: { readonly reason: string; readonly dueAt: Date }): Promise<void> {
    const { taken } = await this.#takeBack(where, reason);
    const before = { cause: null, reason: null, replyId: null, handedAt: null, handedDay: null } as const;
    for (const reply of taken) await this.store.change(reply, { state: 'scheduled', ...before, dueAt });
  }

  async #takeBack(where: Where, reason: string): Promise<{ taken: AgentReplyRecord[]; onWire: number }> {
    const handed = await this.store.listHandedOver(where);
    if (handed.length === 0) return { taken: [], onWire: 0 };
    const ids = handed.flatMap(({ replyId }) => replyId ?? []);
    const progress = await this.replies.withdraw(new Types.ObjectId(where.workspaceId), ids, reason);
    const stateOf = ({ replyId }: AgentReplyRecord) => progress.get(String(replyId))?.state ?? '';
    return {
      taken: handed.filter((reply) => TAKEN_BACK.has(stateOf(reply))),
      onWire: handed.filter((reply) => stateOf(reply) === 'wire').length,
    };
  }
}
