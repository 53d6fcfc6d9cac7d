import { ApiProperty } from '@nestjs/swagger';
import { CHAT_EVENTS, type ChatEvent } from '../chat-events';
import { CHAT_MESSAGE_STATES, type ChatMessageRecord, type ChatMessageState } from '../schemas/chat-message.record';

/** An event that was or will be posted to the channel. */
export class SlackMessageResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string' })
  eventId!: string;

  @ApiProperty({ type: 'string', enum: CHAT_EVENTS })
  event!: ChatEvent;

  @ApiProperty({
    type: 'string',
    enum: CHAT_MESSAGE_STATES,
    description:
      'waiting: not posted yet; posting: in transit; posted: Slack has it; unknown: sent, and no answer came; failed: given up.',
  })
  state!: ChatMessageState;

  @ApiProperty({ type: 'string', nullable: true, description: 'The same for all messages of one post.' })
  postId!: string | null;

  @ApiProperty({ type: 'integer', description: 'Number of posts that contained it, the accepted one included.' })
  attempts!: number;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description:
      "Slack's word for what is wrong, or: interrupted, held_too_long, event_gone, timeout, connect. null: nothing is.",
  })
  reason!: string | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'null when it is not due any more.',
  })
  dueAt!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  postedAt!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;
}

/** The result of a test. */
export class SlackTestResponse {
  @ApiProperty({ type: 'boolean', enum: [true] })
  posted!: true;
}

export function toSlackMessage(record: ChatMessageRecord): SlackMessageResponse {
  return {
    _id: record._id.toHexString(),
    eventId: record.eventId.toHexString(),
    event: record.event,
    state: record.state,
    postId: record.postId?.toHexString() ?? null,
    attempts: record.attempts,
    reason: record.reason,
    dueAt: record.dueAt?.toISOString() ?? null,
    postedAt: record.postedAt?.toISOString() ?? null,
    createdAt: record.createdAt.toISOString(),
  };
}
