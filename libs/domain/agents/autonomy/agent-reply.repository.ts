import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type Types } from 'mongoose';
import { AgentReplyRecord } from '../schemas/agent-reply.record';
import { type AgentReplyState, CANCELLABLE_STATES, OPEN_STATES, type ReplyReason } from './agent-reply-states';

type Id = Types.ObjectId;
type Named = Pick<AgentReplyRecord, '_id' | 'workspaceId'>;
/** The fields that guard a change: they must be as they were read. */
export type ReplySnapshot = Named & Pick<AgentReplyRecord, 'state' | 'dueAt' | 'attempts'>;
/** A final state with its reason. */
export type ReplyEnding = ReplyReason & { readonly state: 'cancelled' | 'rejected' | 'failed' | 'expired' };

const WORKER = 'the worker processes the replies of all workspaces';

/** Replies of agents. Each change is guarded by what was read; all of it joins a running transaction. */
@Injectable()
export class AgentReplyRepository {
  constructor(@InjectModel(AgentReplyRecord.name) private readonly replies: Model<AgentReplyRecord>) {}

  async find(workspaceId: Id | string, _id: Id | string): Promise<AgentReplyRecord | null> {
    return this.replies.findOne({ _id, workspaceId }).lean<AgentReplyRecord>();
  }

  /** The reply to a message; null without one. */
  async findAnswerTo(workspaceId: Id, answeredId: Id): Promise<AgentReplyRecord | null> {
    return this.replies.findOne({ workspaceId, answeredId, position: 0 }).lean<AgentReplyRecord>();
  }

  /** The open replies of a conversation. */
  async listOpen(workspaceId: Id, conversationId: Id): Promise<AgentReplyRecord[]> {
    return this.replies
      .find({ workspaceId, conversationId, state: { $in: [...OPEN_STATES] } })
      .lean<AgentReplyRecord[]>();
  }

  /** Number of replies in a conversation that were sent or handed over. */
  async countInThread(workspaceId: Id, conversationId: Id): Promise<number> {
    return this.replies.countDocuments({
      workspaceId,
      conversationId,
      position: 0,
      state: { $in: ['handed', 'sent'] },
    });
  }

  /** Number of replies that the agent has handed over in a day, whatever their outcome. */
  async countHandedOver(workspaceId: Id, agentId: Id, handedDay: string): Promise<number> {
    return this.replies.countDocuments({ workspaceId, agentId, handedDay });
  }

  async add(reply: Omit<AgentReplyRecord, '_id' | 'createdAt' | 'updatedAt'>): Promise<AgentReplyRecord> {
    const [created] = await this.replies.create([reply]);
    if (!created) throw new Error('The reply was not created');
    return created.toObject<AgentReplyRecord>();
  }

  /** Changes a reply if it is unchanged since it was read. @returns the changed reply; null when it has changed since */
  async change(snapshot: ReplySnapshot, fields: Partial<AgentReplyRecord>): Promise<AgentReplyRecord | null> {
    const { _id, workspaceId, state, dueAt, attempts } = snapshot;
    return this.replies
      .findOneAndUpdate({ _id, workspaceId, state, dueAt, attempts }, { $set: fields }, { returnDocument: 'after' })
      .lean<AgentReplyRecord>();
  }

  /** Ends a reply. @see change */
  async complete(snapshot: ReplySnapshot, ending: ReplyEnding): Promise<AgentReplyRecord | null> {
    return this.change(snapshot, { ...ending, dueAt: null });
  }

  /** Cancels all matching replies that are not handed over. */
  async cancelAll(where: Record<string, unknown> & { workspaceId: Id | string }, why: ReplyReason): Promise<void> {
    await this.replies.updateMany(
      { ...where, state: { $in: [...CANCELLABLE_STATES] } },
      { $set: { state: 'cancelled', ...why, dueAt: null } },
    );
  }

  /** Matching replies that are handed over. */
  async listHandedOver(where: Record<string, unknown> & { workspaceId: Id | string }): Promise<AgentReplyRecord[]> {
    return this.replies.find({ ...where, state: 'handed' }).lean<AgentReplyRecord[]>();
  }

  /** Yields the open replies of a workspace in pages by id. */
  async *listPages(
    workspaceId: string,
    size: number,
  ): AsyncGenerator<Pick<AgentReplyRecord, '_id' | 'email' | 'conversationId'>[]> {
    let after: Id | null = null;
    do {
      const page: Pick<AgentReplyRecord, '_id' | 'email' | 'conversationId'>[] = await this.replies
        .find(
          { workspaceId, state: { $in: [...OPEN_STATES] }, ...(after && { _id: { $gt: after } }) },
          { email: 1, conversationId: 1 },
        )
        .sort({ _id: 1 })
        .limit(size)
        .lean();
      yield page;
      after = page.length < size ? null : (page.at(-1)?._id ?? null);
    } while (after);
  }

  /** Workspaces with due replies, the longest due first. */
  async listDueWorkspaces(now: Date): Promise<Id[]> {
    const found = await this.replies
      .aggregate<{ _id: Id }>([
        { $match: { dueAt: { $gt: new Date(0), $lte: now } } },
        { $group: { _id: '$workspaceId', since: { $min: '$dueAt' } } },
        { $sort: { since: 1 } },
      ])
      .option({ allWorkspaces: WORKER });
    return found.map(({ _id }) => _id);
  }

  /** Due replies of a workspace, the longest due first. */
  async listDue(workspaceId: Id, now: Date, most: number): Promise<AgentReplyRecord[]> {
    return this.replies
      .find({ workspaceId, dueAt: { $gt: new Date(0), $lte: now } })
      .sort({ dueAt: 1, _id: 1 })
      .limit(most)
      .lean<AgentReplyRecord[]>();
  }

  /** Deletes a batch of an agent's replies. @returns whether there was any */
  async eraseBatch(workspaceId: Id, agentId: Id, most: number): Promise<boolean> {
    const batch = await this.replies.find({ workspaceId, agentId }, { _id: 1 }).limit(most).lean();
    if (batch.length > 0) await this.replies.deleteMany({ workspaceId, _id: { $in: batch.map(({ _id }) => _id) } });
    return batch.length > 0;
  }
}

/** Whether a reply in this state is not handed over yet. */
export function isCancellable(state: AgentReplyState): boolean {
  return CANCELLABLE_STATES.some((one) => one === state);
}
