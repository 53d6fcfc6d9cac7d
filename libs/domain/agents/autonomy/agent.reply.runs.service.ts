import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { type Sweep } from '@platform/queues';
import { parseId } from '@platform/database';
import { type AgentReplyRecord } from '../schemas/agent-reply.record';
import { AgentReplyQueue, type GoOnWithReply } from './agent.reply.queue';
import { AgentReplyStore } from './agent-reply.store.service';
import { ReplyHandover } from './reply.handover.service';
import { ReplyOutcomes } from './reply.outcomes.service';
import { ReplyWriter } from './reply.writer.service';

/** Replies of one workspace that a sweep gives jobs: one that has thousands does not keep the others waiting. */
export const SWEPT_OF_WORKSPACE = 50;
/** Steps of one job: written, handed over, looked at. */
const MOST_STEPS = 3;

const EXPIRED = { state: 'expired', cause: 'time', reason: 'Its time has passed' } as const;

/** Goes on with what agents answer, step by step. */
@Injectable()
export class AgentReplyRuns implements Sweep {
  readonly name = 'agent-reply';

  constructor(
    private readonly store: AgentReplyStore,
    private readonly writer: ReplyWriter,
    private readonly handover: ReplyHandover,
    private readonly outcomes: ReplyOutcomes,
    private readonly queue: AgentReplyQueue,
    private readonly clock: ClockPort,
  ) {}

  /** Does what is due now, if it still is. What comes later is planned. */
  async run({ workspaceId, agentReplyId }: GoOnWithReply, signal: AbortSignal): Promise<void> {
    const _id = parseId(agentReplyId);
    let reply = _id && (await this.store.find(workspaceId, _id));
    for (let steps = 0; reply && this.#isDue(reply) && steps < MOST_STEPS; steps += 1) {
      signal.throwIfAborted();
      reply = await this.#step(reply, signal);
    }
    if (reply?.dueAt) await this.queue.plan([reply]);
  }

  /** Gives whatever is due its job again: Redis may have been emptied, and plans are made in transactions that tell nobody. */
  async sweep(): Promise<number> {
    const now = this.clock.now();
    let created = 0;
    for (const workspaceId of await this.store.workspacesDue(now)) {
      created += await this.queue.planMissing(await this.store.due(workspaceId, now, SWEPT_OF_WORKSPACE));
    }
    return created;
  }

  #isDue({ dueAt }: AgentReplyRecord): boolean {
    return dueAt !== null && dueAt <= this.clock.now();
  }

  #step(reply: AgentReplyRecord, signal: AbortSignal): Promise<AgentReplyRecord | null> {
    if (reply.state === 'handed') return this.outcomes.follow(reply);
    if (reply.expiresAt <= this.clock.now()) {
      // Why it was late says more than that it was.
      return this.store.end(reply, { ...EXPIRED, reason: reply.reason ?? EXPIRED.reason });
    }
    return reply.state === 'scheduled' ? this.handover.hand(reply) : this.writer.write(reply, signal);
  }
}
