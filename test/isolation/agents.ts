import { AgentTextsService } from '@domain/agents';
import { Types } from 'mongoose';
import { waitingReply, writtenText } from '../../libs/domain/agents/testing';
import { type ApiClient } from '@testing';
import { type Platform } from '../harness';
import { getModel } from './content';
import { type CreatedRecords } from './created-records';
import { makeTraining } from './training';

/** Two agents; the first one has texts, a training and replies. @returns the ids of the agent and its replies, by route */
export async function makeAgents(
  platform: Platform,
  records: CreatedRecords,
  api: ApiClient,
  of: { workspaceId: string; conversationId: string; leadId: string },
): Promise<Record<string, string>> {
  const { _id: agentId } = await records.create(api, '/v1/agents', { name: 'Iris' });
  await records.create(api, '/v1/agents', { name: 'Otto' });
  await makeTexts(platform, of.workspaceId, agentId);
  await makeTraining(platform, of.workspaceId, agentId);
  return { agentId, ...(await makeAgentReplies(platform, { ...of, agentId })) };
}

/** A text that a model wrote for the agent. */
async function makeTexts(platform: Platform, workspaceId: string, agentId: string): Promise<void> {
  const texts = platform.app.get(AgentTextsService, { strict: false });
  const agent = { _id: new Types.ObjectId(agentId), workspaceId: new Types.ObjectId(workspaceId) };
  for (let at = 0; at < 2; at += 1) await texts.record(writtenText(agent));
}

/** Agent replies that await approval: one for each decision. @returns their ids by route */
async function makeAgentReplies(
  platform: Platform,
  of: Parameters<typeof waitingReply>[0],
): Promise<Record<string, string>> {
  const [any, approved, rejected] = [new Types.ObjectId(), new Types.ObjectId(), new Types.ObjectId()];
  const replies = [any, approved, rejected].map((_id) => ({ _id, ...waitingReply(of) }));
  await getModel(platform, 'AgentReplyRecord').create(replies);
  return {
    agentReplyId: any.toHexString(),
    '/v1/agents/replies/{agentReplyId}/approve': approved.toHexString(),
    '/v1/agents/replies/{agentReplyId}/reject': rejected.toHexString(),
  };
}
