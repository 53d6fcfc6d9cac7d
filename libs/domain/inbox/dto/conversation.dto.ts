import { ApiProperty } from '@nestjs/swagger';
import { type Types } from 'mongoose';
import {
  type ConversationRecord,
  LABEL_SOURCES,
  type LabelSource,
  type MessageDirection,
  REPLY_LABELS,
  type ReplyLabel,
} from '../schemas/conversation.record';
import { ConversationMessageResponse } from './conversation-message.dto';

export class ConversationResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string', description: 'The mailbox in which it began; it may be deleted.' })
  mailboxId!: string;

  @ApiProperty({ type: 'boolean', description: 'Whether it belongs to a lead.' })
  tracked!: boolean;

  @ApiProperty({ type: 'string', nullable: true })
  campaignId!: string | null;

  @ApiProperty({ type: 'string', nullable: true })
  leadId!: string | null;

  @ApiProperty({ type: 'string', description: 'The other side: the address of the lead, or of the author.' })
  email!: string;

  @ApiProperty({ type: 'string' })
  name!: string;

  @ApiProperty({ type: 'string', description: 'Without `Re:` and similar prefixes.' })
  subject!: string;

  @ApiProperty({ type: 'boolean', description: 'Whether a received message is unread.' })
  unread!: boolean;

  @ApiProperty({ type: 'string', enum: REPLY_LABELS, nullable: true, description: 'The intent of the other side.' })
  label!: ReplyLabel | null;

  @ApiProperty({ type: 'string', enum: LABEL_SOURCES, nullable: true, description: 'The source of the label.' })
  labelledBy!: LabelSource | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The rule that decided, or the reason given.' })
  labelReason!: string | null;

  @ApiProperty({ type: 'integer', description: 'Received messages and replies; campaign emails are not counted.' })
  messageCount!: number;

  @ApiProperty({ type: 'string', format: 'date-time' })
  lastMessageAt!: string;

  @ApiProperty({ type: 'string', enum: ['received', 'sent'] })
  lastDirection!: MessageDirection;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  lastReceivedAt!: string | null;

  @ApiProperty({ type: 'string', description: 'The beginning of the last message, at most 200 characters.' })
  preview!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  updatedAt!: string;
}

export class ConversationDetailResponse extends ConversationResponse {
  @ApiProperty({ type: ConversationMessageResponse, isArray: true, description: 'The latest hundred, oldest first.' })
  messages!: ConversationMessageResponse[];

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Pass it as `before` to get earlier messages. null when there are none.',
  })
  earlier!: string | null;
}

export function toConversation(record: ConversationRecord): ConversationResponse {
  return {
    _id: record._id.toHexString(),
    mailboxId: record.mailboxId.toHexString(),
    tracked: record.tracked,
    campaignId: record.campaignId?.toHexString() ?? null,
    leadId: record.leadId?.toHexString() ?? null,
    email: record.email,
    name: record.name,
    subject: record.subject,
    unread: record.unread,
    label: record.label,
    labelledBy: record.labelledBy,
    labelReason: record.labelReason,
    messageCount: record.messageCount,
    lastMessageAt: record.lastMessageAt.toISOString(),
    lastDirection: record.lastDirection,
    lastReceivedAt: record.lastReceivedAt?.toISOString() ?? null,
    preview: record.preview,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}

/** @param earlier the first of the messages when earlier ones exist */
export function toConversationDetail(
  record: ConversationRecord,
  messages: ConversationMessageResponse[],
  earlier: Types.ObjectId | null,
): ConversationDetailResponse {
  return Object.assign(toConversation(record), { messages, earlier: earlier?.toHexString() ?? null });
}
