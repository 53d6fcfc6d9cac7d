import { ApiProperty } from '@nestjs/swagger';
import { type AgentTextRecord, TEXT_PURPOSES, type TextPurpose } from '../schemas/agent-text.record';

class UnusedAnswerResponse {
  @ApiProperty({ type: 'string', description: 'The rule that it broke, to be read after “it …”.' })
  fault!: string;

  @ApiProperty({ type: 'string', description: 'As the model wrote it; of a very long one the beginning.' })
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
    description: 'What it was written for; profile: what the agent learnt from its website.',
  })
  purpose!: TextPurpose;

  @ApiProperty({ type: 'string', nullable: true, description: 'null: it belongs to none.' })
  conversationId!: string | null;

  @ApiProperty({ type: 'string', description: 'Of the language model, as the operator named it.' })
  model!: string;

  @ApiProperty({ type: 'string', description: 'Which of our prompts it was.' })
  promptVersion!: string;

  @ApiProperty({ type: 'integer' })
  inputTokens!: number;

  @ApiProperty({ type: 'integer' })
  outputTokens!: number;

  @ApiProperty({ type: 'number', description: 'In the currency of the operator’s prices; 0 where none are set.' })
  cost!: number;

  @ApiProperty({ type: 'string', nullable: true })
  subject!: string | null;

  @ApiProperty({ type: 'string', description: 'As the model wrote it; empty when nothing of that could be used.' })
  text!: string;

  @ApiProperty({
    type: UnusedAnswerResponse,
    isArray: true,
    description: 'What the model answered before, or instead, that broke a rule. Its cost is counted in.',
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
