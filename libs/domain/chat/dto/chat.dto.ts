import { type ChatChannel } from '@adapters/chat';
import { ApiProperty } from '@nestjs/swagger';
import { CHAT_EVENTS, type ChatEvent } from '../chat-events';
import {
  CHAT_MODES,
  CHAT_STATUSES,
  CHAT_WAYS,
  type ChatConnectionRecord,
  type ChatMode,
  type ChatStatus,
  type ChatWay,
} from '../schemas/chat-connection.record';

export class SlackChannelChoiceResponse {
  @ApiProperty({ type: 'string' })
  id!: string;

  @ApiProperty({ type: 'string', description: 'Without a hash sign.' })
  name!: string;
}

export class SlackProblemResponse {
  @ApiProperty({ type: 'string', description: 'Error code of Slack.', example: 'token_revoked' })
  code!: string;

  @ApiProperty({ type: 'string' })
  message!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  at!: string;
}

export class SlackResponse {
  @ApiProperty({ type: 'string', enum: CHAT_WAYS, description: 'How it was connected.' })
  authMethod!: ChatWay;

  @ApiProperty({
    type: 'string',
    enum: CHAT_STATUSES,
    description: 'Whether Slack accepted the credentials at the last request.',
  })
  status!: ChatStatus;

  @ApiProperty({ type: 'boolean', description: 'Whether messages are posted.' })
  enabled!: boolean;

  @ApiProperty({ type: 'string', description: 'Name of the Slack workspace; empty when unknown.' })
  teamName!: string;

  @ApiProperty({
    type: SlackChannelChoiceResponse,
    nullable: true,
    description: 'null: none was chosen yet, or a webhook is used, whose channel Slack does not report.',
  })
  channel!: SlackChannelChoiceResponse | null;

  @ApiProperty({ type: 'array', items: { type: 'string', enum: [...CHAT_EVENTS] } })
  events!: ChatEvent[];

  @ApiProperty({ type: [String], description: 'Empty: all campaigns.' })
  campaignIds!: string[];

  @ApiProperty({ type: 'string', enum: CHAT_MODES })
  mode!: ChatMode;

  @ApiProperty({ type: 'integer', nullable: true })
  everyMinutes!: number | null;

  @ApiProperty({ type: 'string', nullable: true, example: '09:00' })
  timeOfDay!: string | null;

  @ApiProperty({ type: 'string', example: 'Europe/Berlin' })
  timezone!: string;

  @ApiProperty({
    type: SlackProblemResponse,
    nullable: true,
    description: 'The last error of Slack; null without one.',
  })
  lastError!: SlackProblemResponse | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  lastPostedAt!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  updatedAt!: string;
}

/** A selectable channel. */
export class SlackChannelResponse extends SlackChannelChoiceResponse {
  @ApiProperty({ type: 'boolean' })
  isPrivate!: boolean;

  @ApiProperty({ type: 'boolean', description: 'Whether the app is in it: it posts in private channels only then.' })
  isMember!: boolean;
}

export class SlackChannelsResponse {
  @ApiProperty({ type: [SlackChannelResponse] })
  channels!: SlackChannelResponse[];

  @ApiProperty({ type: 'string', nullable: true, description: 'null: that were all.' })
  nextCursor!: string | null;
}

export function toSlack(record: ChatConnectionRecord): SlackResponse {
  const { channel, lastError } = record;
  return {
    authMethod: record.authMethod,
    status: record.status,
    enabled: record.enabled,
    teamName: record.teamName,
    channel: channel && { id: channel.id, name: channel.name },
    events: record.events,
    campaignIds: record.campaignIds.map(String),
    mode: record.mode,
    everyMinutes: record.everyMinutes,
    timeOfDay: record.timeOfDay,
    timezone: record.timezone,
    lastError: lastError && { code: lastError.code, message: lastError.message, at: lastError.at.toISOString() },
    lastPostedAt: record.lastPostedAt?.toISOString() ?? null,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}

export function toSlackChannel({ id, name, isPrivate, isMember }: ChatChannel): SlackChannelResponse {
  return { id, name, isPrivate, isMember };
}
