import { AutomaticReplies } from '@domain/inbox';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { type Why } from './agent-reply.states';
import { AgentReplyStore } from './agent-reply.store.service';

type Where = Record<string, unknown> & { workspaceId: Types.ObjectId | string };

/** It will never go out: the inbox has taken it back, or its turn does when it lets go of it. */
const TAKEN_BACK = new Set(['cancelled', 'withheld']);

/**
 * Takes back what agents have under way, wherever it is: what is planned or waits, and what the inbox has, unless its server
 * is being given it. When it returns, nothing more of that is given to a server. Repeatable; joins a running transaction.
 */
@Injectable()
export class ReplyWithdrawal {
  constructor(
    private readonly store: AgentReplyStore,
    private readonly replies: AutomaticReplies,
  ) {}

  /** @returns how many a server is being given at this moment: it is too late for them */
  async withdraw(where: Where, why: Why): Promise<number> {
    // First what is not handed over: whoever does that in this moment has written it, so that one of the two comes second.
    await this.store.cancelAll(where, why);
    const handed = await this.store.handed(where);
    if (handed.length === 0) return 0;
    const ids = handed.flatMap(({ replyId }) => replyId ?? []);
    const progress = await this.replies.withdraw(new Types.ObjectId(where.workspaceId), ids, why.reason);
    let onWire = 0;
    for (const reply of handed) {
      const state = progress.get(String(reply.replyId))?.state;
      if (state === 'wire') onWire += 1;
      if (state !== undefined && TAKEN_BACK.has(state)) await this.store.end(reply, { state: 'cancelled', ...why });
    }
    return onWire;
  }
}
