import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { InboxRepliesService } from '@domain/inbox';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Page, PageService, parseId, TransactionService } from '@platform/database';
import { conflict, notFound } from '@platform/errors';
import { type Model, Types } from 'mongoose';
import {
  type AgentReplyQuery,
  type AgentReplyResponse,
  type EditAgentReplyRequest,
  type RejectAgentReplyRequest,
  toAgentReply,
} from '../dto/agent-reply.dto';
import { AgentReplyRecord } from '../schemas/agent-reply.record';
import { type AgentReplyState, type ReplyReason } from './agent-reply-states';
import { AgentReplyQueue } from './agent-reply.queue';
import { AgentReplyRepository } from './agent-reply.repository';

type Decision = 'approved' | 'rejected' | 'edited';

/** States of a reply after its approval. */
const APPROVED: ReadonlySet<AgentReplyState> = new Set(['scheduled', 'handed', 'sent']);

type Where = Record<string, unknown> & { workspaceId: Types.ObjectId | string };

/** States of an inbox reply that will never be sent. */
const TAKEN_BACK: ReadonlySet<string> = new Set(['cancelled', 'withheld']);

/** Replies that agents send by themselves: approval by a person, withdrawal and recall. */
@Injectable()
export class AgentRepliesService {
  constructor(
    @InjectModel(AgentReplyRecord.name) private readonly replies: Model<AgentReplyRecord>,
    private readonly repository: AgentReplyRepository,
    private readonly queue: AgentReplyQueue,
    private readonly pages: PageService,
    private readonly audit: AuditService,
    private readonly inbox: InboxRepliesService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** Lists replies, latest first. */
  async list({ workspaceId }: WorkspaceScope, query: AgentReplyQuery): Promise<Page<AgentReplyResponse>> {
    const { state, agentId, limit, cursor } = query;
    const agent = agentId === undefined ? undefined : parseId(agentId);
    // A malformed id matches no agent.
    const filter = {
      workspaceId,
      ...(state && { state }),
      ...(agent !== undefined && { agentId: agent }),
    };
    return this.pages.read(this.replies, { scope: workspaceId, filter, page: { limit, cursor } }, toAgentReply);
  }

  /** @throws NOT_FOUND */
  async get(workspace: WorkspaceScope, replyId: string): Promise<AgentReplyResponse> {
    return toAgentReply(await this.#find(workspace, replyId));
  }

  /**
   * Approves a reply: it is sent at once, or in the working hours and the daily limit of the agent. Repeatable.
   * @throws NOT_FOUND; CONFLICT when the reply no longer awaits approval
   */
  async approve(workspace: WorkspaceScope, replyId: string): Promise<AgentReplyResponse> {
    const { actor } = workspace;
    const approved = await this.transactions.run(async () => {
      const reply = await this.#find(workspace, replyId);
      if (reply.decidedAt !== null && APPROVED.has(reply.state)) return reply;
      const now = this.clock.now();
      const scheduled = { state: 'scheduled', decidedBy: actor, decidedAt: now, dueAt: now } as const;
      return this.#decide(workspace, reply, 'approved', scheduled);
    });
    await this.queue.plan([approved]);
    return toAgentReply(approved);
  }

  /**
   * Rejects a reply: it is not sent. Repeatable.
   * @throws NOT_FOUND; CONFLICT when the reply no longer awaits approval
   */
  async reject(
    workspace: WorkspaceScope,
    replyId: string,
    { reason }: RejectAgentReplyRequest,
  ): Promise<AgentReplyResponse> {
    return this.transactions.run(async () => {
      const reply = await this.#find(workspace, replyId);
      if (reply.state === 'rejected') return toAgentReply(reply);
      const decided = { decidedBy: workspace.actor, decidedAt: this.clock.now() };
      const rejected = { state: 'rejected', cause: 'person', reason: reason ?? 'A person rejected it' } as const;
      return toAgentReply(await this.#decide(workspace, reply, 'rejected', { ...rejected, ...decided, dueAt: null }));
    });
  }

  /**
   * Changes the text that is sent after approval. The original text of the model is kept.
   * @throws NOT_FOUND; CONFLICT when the reply no longer awaits approval
   */
  async edit(workspace: WorkspaceScope, replyId: string, { text }: EditAgentReplyRequest): Promise<AgentReplyResponse> {
    return this.transactions.run(async () => {
      const reply = await this.#find(workspace, replyId);
      const edited = { text, decidedBy: workspace.actor };
      return toAgentReply(await this.#decide(workspace, reply, 'edited', edited));
    });
  }

  /**
   * Withdraws replies in any state before their submission. When it returns, none of them is submitted any more.
   * Repeatable; joins a running transaction.
   * @returns the number of replies that are being submitted at this moment, too late to withdraw
   */
  async withdraw(where: Where, why: ReplyReason): Promise<number> {
    // First the replies that are not handed over: a concurrent handover writes the same record, so that one of the two
    // is rerun.
    await this.repository.cancelAll(where, why);
    const { taken, sending } = await this.#takeBack(where, why.reason);
    for (const reply of taken) await this.repository.complete(reply, { state: 'cancelled', ...why });
    return sending;
  }

  /**
   * Takes replies back from the inbox into the state `scheduled`, so that they are handed over again after a new
   * evaluation.
   */
  async recall(where: Where, { reason, dueAt }: { readonly reason: string; readonly dueAt: Date }): Promise<void> {
    const { taken } = await this.#takeBack(where, reason);
    const before = { cause: null, reason: null, replyId: null, handedAt: null, handedDay: null } as const;
    for (const reply of taken) await this.repository.change(reply, { state: 'scheduled', ...before, dueAt });
  }

  async #decide(
    workspace: WorkspaceScope,
    reply: AgentReplyRecord,
    decision: Decision,
    fields: Partial<AgentReplyRecord>,
  ): Promise<AgentReplyRecord> {
    const decided = reply.state === 'awaiting_approval' ? await this.repository.change(reply, fields) : null;
    if (!decided) throw conflict('This reply does not await approval, or no longer does');
    const target = { type: 'agent_reply', id: reply._id.toHexString() } as const;
    await this.audit.record(workspace, { action: `agent_reply.${decision}`, target });
    return decided;
  }

  async #find({ workspaceId }: WorkspaceScope, replyId: string): Promise<AgentReplyRecord> {
    const _id = parseId(replyId);
    const found = _id && (await this.repository.find(workspaceId, _id));
    if (!found) throw notFound('Reply');
    return found;
  }

  async #takeBack(where: Where, reason: string): Promise<{ taken: AgentReplyRecord[]; sending: number }> {
    const handed = await this.repository.listHandedOver(where);
    if (handed.length === 0) return { taken: [], sending: 0 };
    const ids = handed.flatMap(({ replyId }) => replyId ?? []);
    const progress = await this.inbox.withdraw(new Types.ObjectId(where.workspaceId), ids, reason);
    const stateOf = ({ replyId }: AgentReplyRecord) => progress.get(String(replyId))?.state ?? '';
    return {
      taken: handed.filter((reply) => TAKEN_BACK.has(stateOf(reply))),
      sending: handed.filter((reply) => stateOf(reply) === 'sending').length,
    };
  }
}
