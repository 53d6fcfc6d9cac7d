import { ApiProperty } from '@nestjs/swagger';
import { type AgentTextRecord, TEXT_PURPOSES, type TextPurpose } from '../schemas/agent-text.record';

class UnusedAnswerResponse {
  @ApiProperty({ type: 'string', description: 'The broken rule, as the predicate of “it …”.' })
  fault!: string;

  @ApiProperty({ type: 'string', description: 'The text of the model, up to the stored maximum.' })
  text!: string;
}

export class AgentTextResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string' })
  agentId!: string;

  @ApiProperty({
    type: 'string',
    enum: TEXT_PURPOSES,
    description: 'Purpose of the text; profile: the company profile from the website.',
  })
  purpose!: TextPurpose;

  @ApiProperty({ type: 'string', nullable: true, description: 'null: without a conversation.' })
  conversationId!: string | null;

  @ApiProperty({ type: 'string', description: 'Name of the language model.' })
  model!: string;

  @ApiProperty({ type: 'string', description: 'Version of the prompt.' })
  promptVersion!: string;

  @ApiProperty({ type: 'integer' })
  inputTokens!: number;

  @ApiProperty({ type: 'integer' })
  outputTokens!: number;

  @ApiProperty({ type: 'number', description: 'In the currency of the operator’s prices; 0 without prices.' })
  cost!: number;

  @ApiProperty({ type: 'string', nullable: true })
  subject!: string | null;

  @ApiProperty({ type: 'string', description: 'The text of the model; empty when no answer was usable.' })
  text!: string;

  @ApiProperty({
    type: UnusedAnswerResponse,
    isArray: true,
    description: 'Answers of the model that broke a rule. The cost includes them.',
  })
  unused!: UnusedAnswerResponse[];

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;
}

export function toAgentText(record: AgentTextRecord): AgentTextResponse {
  return {
    _id: record._id.toHexString(),
    agentId: record.agentId.toHexString(),
    purpose: record.purpose,
    conversationId: record.conversationId?.toHexString() ?? null,
    model: record.model,
    promptVersion: record.promptVersion,
    inputTokens: record.inputTokens,
    outputTokens: record.outputTokens,
    cost: record.cost,
    subject: record.subject,
    text: record.text,
    unused: record.unused.map(({ fault, text }) => ({ fault, text })),
    createdAt: record.createdAt.toISOString(),
  };
}
