import { type ModelUsage } from '@adapters/llm';
import { ApiProperty } from '@nestjs/swagger';
import { IdField, TextField } from '@platform/validation';
import { type Types } from 'mongoose';

/** Maximum characters of the instructions. */
const MAX_INSTRUCTIONS = 2_000;

export class DraftReplyRequest {
  @IdField({ about: 'The conversation to reply in.' })
  conversationId!: string;

  @TextField({
    optional: true,
    max: MAX_INSTRUCTIONS,
    about: 'Instructions for this reply, in addition to those of the agent.',
  })
  instructions?: string;
}

class TokenUsageResponse {
  @ApiProperty({ type: 'integer' })
  inputTokens!: number;

  @ApiProperty({ type: 'integer' })
  outputTokens!: number;
}

export class AgentDraftResponse {
  @ApiProperty({ type: 'string' })
  agentId!: string;

  @ApiProperty({ type: 'string' })
  conversationId!: string;

  @ApiProperty({ type: 'string', description: 'Subject of the reply in its thread.' })
  subject!: string;

  @ApiProperty({ type: 'string', description: 'Plain text. Nothing was sent.' })
  text!: string;

  @ApiProperty({ type: 'string', description: 'Id among the texts of the agent.' })
  textId!: string;

  @ApiProperty({ type: 'string', description: 'Name of the language model.' })
  model!: string;

  @ApiProperty({ type: 'string', description: 'Version of the prompt.' })
  promptVersion!: string;

  @ApiProperty({ type: TokenUsageResponse })
  usage!: ModelUsage;

  @ApiProperty({ type: 'number', description: 'In the currency of the operator’s prices; 0 without prices.' })
  cost!: number;
}

interface Draft {
  readonly agentId: Types.ObjectId;
  readonly conversationId: Types.ObjectId;
  readonly subject: string;
  readonly text: string;
  readonly textId: Types.ObjectId;
  readonly model: string;
  readonly promptVersion: string;
  readonly usage: ModelUsage;
  readonly cost: number;
}

export function toDraft(draft: Draft): AgentDraftResponse {
  const { agentId, conversationId, textId, subject, text, model, promptVersion, cost } = draft;
  const { inputTokens, outputTokens } = draft.usage;
  return {
    agentId: agentId.toHexString(),
    conversationId: conversationId.toHexString(),
    subject,
    text,
    textId: textId.toHexString(),
    model,
    promptVersion,
    usage: { inputTokens, outputTokens },
    cost,
  };
}
