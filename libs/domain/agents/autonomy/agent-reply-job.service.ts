import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { type Sweep } from '@platform/queues';
import { parseId } from '@platform/database';
import { type AgentReplyRecord } from '../schemas/agent-reply.record';
import { AgentReplyQueue, type GoOnWithReply } from './agent-reply.queue';
import { AgentReplyRepository } from './agent-reply.repository';
import { ReplyHandoverService } from './reply-handover.service';
import { ReplyOutcomesService } from './reply-outcomes.service';
import { AgentReplyWriterService } from './agent-reply-writer.service';

/** Replies of one workspace that a sweep gives jobs: one that has thousands does not keep the others waiting. */
export const SWEPT_OF_WORKSPACE = 50;
/** Steps of one job: written, handed over, looked at. */
const MOST_STEPS = 3;

const EXPIRED = { state: 'expired', cause: 'time', reason: 'Its time has passed' } as const;

/** Goes on with what agents answer, step by step. */
@Injectable()
export class AgentReplyJobService implements Sweep {
  readonly name = 'agent-reply';

  constructor(
    private readonly store: AgentReplyRepository,
    private readonly writer: AgentReplyWriterService,
    private readonly handover: ReplyHandoverService,
    private readonly outcomes: ReplyOutcomesService,
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
    if (reply.state === 'handed') return this.outcomes.track(reply);
    if (reply.expiresAt <= this.clock.now()) {
      // Why it was late says more than that it was.
      return this.store.complete(reply, { ...EXPIRED, reason: reply.reason ?? EXPIRED.reason });
    }
    return reply.state === 'scheduled' ? this.handover.handOver(reply) : this.writer.write(reply, signal);
  }
}
