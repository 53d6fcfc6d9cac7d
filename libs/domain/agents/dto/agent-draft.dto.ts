import { type ModelUsage } from '@adapters/llm';
import { ApiProperty } from '@nestjs/swagger';
import { IdField, TextField } from '@platform/validation';
import { type Types } from 'mongoose';

/** Maximum characters of the instructions. */
const MAX_INSTRUCTIONS = 2_000;

export class DraftReplyRequest {
  @IdField({ about: 'The conversation to answer in.' })
  conversationId!: string;

  @TextField({
    optional: true,
    max: MAX_INSTRUCTIONS,
    about: 'What the reply is to say, beside the agent’s own instructions.',
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

  @ApiProperty({ type: 'string', description: 'That it would have as a reply in its thread.' })
  subject!: string;

  @ApiProperty({ type: 'string', description: 'Plain text. Nothing was sent.' })
  text!: string;

  @ApiProperty({ type: 'string', description: 'Under which it is kept among the agent’s texts.' })
  textId!: string;

  @ApiProperty({ type: 'string', description: 'Of the language model, as the operator named it.' })
  model!: string;

  @ApiProperty({ type: 'string', description: 'Which of our prompts it was.' })
  promptVersion!: string;

  @ApiProperty({ type: TokenUsageResponse })
  usage!: ModelUsage;

  @ApiProperty({ type: 'number', description: 'In the currency of the operator’s prices; 0 where none are set.' })
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
