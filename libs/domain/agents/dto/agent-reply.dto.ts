import { type Actor } from '@domain/access';
import { ActorResponse, toActor } from '@domain/audit';
import { REPLY_LABELS, type ReplyLabel } from '@domain/inbox';
import { ApiProperty } from '@nestjs/swagger';
import { IdField, OneOfField, PageQuery, TextField } from '@platform/validation';
import {
  AGENT_REPLY_STATES,
  type AgentReplyState,
  REPLY_CAUSES,
  type ReplyCause,
} from '../autonomy/agent-reply-states';
import { type AgentReplyRecord } from '../schemas/agent-reply.record';
import { MAX_CHARACTERS } from '../drafting/reply-check';

const REPLY_KINDS = ['reply', 'followup'] as const;
type AgentReplyKind = (typeof REPLY_KINDS)[number];

/** Query of the list; all given conditions must hold. */
export class AgentReplyQuery extends PageQuery {
  @OneOfField(AGENT_REPLY_STATES, { optional: true, about: 'Only replies in this state.' })
  state?: AgentReplyState;

  @IdField({ optional: true, about: 'Only replies of this agent.' })
  agentId?: string;
}

export class EditAgentReplyRequest {
  @TextField({ max: MAX_CHARACTERS, about: 'The new text, as plain text.' })
  text!: string;
}

export class RejectAgentReplyRequest {
  @TextField({ optional: true, max: 500, about: 'Why, for colleagues.' })
  reason?: string;
}

const nullable = { nullable: true } as const;
const moment = { type: 'string', format: 'date-time' } as const;

export class AgentReplyResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string' })
  agentId!: string;

  @ApiProperty({ type: 'string' })
  conversationId!: string;

  @ApiProperty({ type: 'string' })
  leadId!: string;

  @ApiProperty({ type: 'string', description: 'The lead’s address.' })
  email!: string;

  @ApiProperty({ type: 'string', enum: REPLY_KINDS })
  kind!: AgentReplyKind;

  @ApiProperty({ type: 'integer', description: '0: the reply; from 1 on: its follow-ups.' })
  position!: number;

  @ApiProperty({ type: 'string', description: 'The answered message.' })
  answeredId!: string;

  @ApiProperty({
    type: 'string',
    enum: REPLY_LABELS,
    description: 'The label of the conversation for which it is written.',
  })
  label!: ReplyLabel;

  @ApiProperty({
    type: 'string',
    enum: AGENT_REPLY_STATES,
    description:
      '`planned` waits for its time, `awaiting_approval` for a person, `scheduled` for its handover; `handed` is under the ' +
      'mailbox’s limits like any reply; `sent`, `cancelled`, `rejected`, `failed` and `expired` are final.',
  })
  state!: AgentReplyState;

  @ApiProperty({
    type: 'string',
    enum: REPLY_CAUSES,
    ...nullable,
    description: 'Why the reply is not sent, or not yet: for programs.',
  })
  cause!: ReplyCause | null;

  @ApiProperty({ type: 'string', ...nullable, description: 'The same for people.' })
  reason!: string | null;

  @ApiProperty({ ...moment, ...nullable, description: 'Time of the next step; null without one.' })
  dueAt!: string | null;

  @ApiProperty({ ...moment, description: 'The reply is neither written nor sent after this time.' })
  expiresAt!: string;

  @ApiProperty({ type: 'integer', description: 'Number of attempts to write it.' })
  attempts!: number;

  @ApiProperty({ type: 'string', ...nullable, description: 'The text to send; null before it is written.' })
  text!: string | null;

  @ApiProperty({ type: 'string', ...nullable, description: 'Id of the original text among the texts of the agent.' })
  textId!: string | null;

  @ApiProperty({ type: 'string', ...nullable })
  model!: string | null;

  @ApiProperty({ type: 'string', ...nullable, description: 'Version of the prompt.' })
  promptVersion!: string | null;

  @ApiProperty({ type: 'number', description: 'Cost of writing it, in the currency of the operator’s prices.' })
  cost!: number;

  @ApiProperty({
    type: ActorResponse,
    ...nullable,
    description: 'The last person who approved, rejected or edited it.',
  })
  decidedBy!: Actor | null;

  @ApiProperty({ ...moment, ...nullable, description: 'Time of the approval or rejection.' })
  decidedAt!: string | null;

  @ApiProperty({ type: 'string', ...nullable, description: 'Id of the reply in the conversation after the handover.' })
  replyId!: string | null;

  @ApiProperty({ ...moment, ...nullable })
  handedAt!: string | null;

  @ApiProperty({ ...moment, ...nullable })
  sentAt!: string | null;

  @ApiProperty(moment)
  createdAt!: string;

  @ApiProperty(moment)
  updatedAt!: string;
}

export function toAgentReply(record: AgentReplyRecord): AgentReplyResponse {
  const { position, label, state, cause, reason, attempts, text, model, promptVersion, cost, email } = record;
  return {
    _id: record._id.toHexString(),
    agentId: record.agentId.toHexString(),
    conversationId: record.conversationId.toHexString(),
    leadId: record.leadId.toHexString(),
    email,
    kind: position === 0 ? 'reply' : 'followup',
    position,
    answeredId: record.answeredId.toHexString(),
    label,
    state,
    cause,
    reason,
    dueAt: toIsoOrNull(record.dueAt),
    expiresAt: record.expiresAt.toISOString(),
    attempts,
    text,
    textId: record.textId?.toHexString() ?? null,
    model,
    promptVersion,
    cost,
    decidedBy: record.decidedBy && toActor(record.decidedBy),
    decidedAt: toIsoOrNull(record.decidedAt),
    replyId: record.replyId?.toHexString() ?? null,
    handedAt: toIsoOrNull(record.handedAt),
    sentAt: toIsoOrNull(record.sentAt),
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}

function toIsoOrNull(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}

/** Example bodies for the API documentation. */
export const AGENT_REPLY_EXAMPLES = {
  draft: { conversationId: '6740a1b2c3d4e5f607182930', instructions: 'Offer a call next week.' },
  edit: { text: 'Hello Ada,\n\nTuesday at ten suits us well.\n\nGrace' },
  reject: { reason: 'I call her instead.' },
} as const;
