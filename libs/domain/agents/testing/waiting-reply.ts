import { Types } from 'mongoose';
import { type AgentReplyRecord } from '../schemas/agent-reply.record';

const DAY_MS = 86_400_000;

/** The stored fields of a reply that awaits approval. */
export function waitingReply(
  of: {
    readonly workspaceId: string;
    readonly agentId: string;
    readonly conversationId: string;
    readonly leadId: string;
  },
  fields: Partial<AgentReplyRecord> = {},
): Omit<AgentReplyRecord, '_id' | 'createdAt' | 'updatedAt'> {
  const [workspaceId, agentId, conversationId, leadId] = [of.workspaceId, of.agentId, of.conversationId, of.leadId].map(
    (id) => new Types.ObjectId(id),
  ) as [Types.ObjectId, Types.ObjectId, Types.ObjectId, Types.ObjectId];
  const expiresAt = new Date(Date.now() + DAY_MS);
  return {
    workspaceId,
    agentId,
    conversationId,
    leadId,
    email: 'ada@leads.example',
    answeredId: new Types.ObjectId(),
    answeredAt: new Date(),
    position: 0,
    label: 'positive',
    state: 'awaiting_approval',
    cause: null,
    reason: null,
    dueAt: expiresAt,
    expiresAt,
    attempts: 1,
    text: 'Hello Ada,\n\nTuesday at ten?\n\nGrace',
    textId: null,
    model: 'test-model',
    promptVersion: 'reply-1',
    cost: 0.5,
    decidedBy: null,
    decidedAt: null,
    replyId: null,
    handedAt: null,
    handedDay: null,
    sentAt: null,
    ...fields,
  };
}
