import { Types } from 'mongoose';
import { type AgentRecord } from '../schemas/agent.record';
import { type WrittenText } from '../texts/agent-texts.service';
import { DEFAULT_AUTONOMY, DEFAULT_COMPANY, DEFAULT_FOLLOWUPS, DEFAULT_PERSONA } from '../settings/agent-defaults';

/** The stored fields of an active agent. */
export function newAgent(
  workspaceId: string | Types.ObjectId,
  fields: Partial<Omit<AgentRecord, '_id'>> = {},
): Omit<AgentRecord, '_id' | 'createdAt' | 'updatedAt'> {
  return {
    workspaceId: new Types.ObjectId(workspaceId),
    userId: new Types.ObjectId().toHexString(),
    name: 'Iris',
    companyInfo: DEFAULT_COMPANY,
    website: null,
    persona: DEFAULT_PERSONA,
    autonomousMode: DEFAULT_AUTONOMY,
    followupSettings: DEFAULT_FOLLOWUPS,
    isDefault: false,
    isActive: true,
    revision: 0,
    deletedAt: null,
    ...fields,
  };
}

/** A text without a conversation. */
export function writtenText(
  { _id, workspaceId }: Pick<AgentRecord, '_id' | 'workspaceId'>,
  fields: Partial<WrittenText> = {},
): WrittenText {
  return {
    workspaceId,
    agentId: _id,
    purpose: 'draft',
    conversationId: null,
    model: 'test-model',
    promptVersion: 'draft-1',
    usage: { inputTokens: 31, outputTokens: 5 },
    cost: 0.5,
    subject: null,
    text: 'Hello',
    unused: [],
    ...fields,
  };
}
