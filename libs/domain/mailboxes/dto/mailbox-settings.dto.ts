import { ApiProperty } from '@nestjs/swagger';
import { type SendingStopped } from '../mailbox-hook.registry';
import { type Unreadable } from '../sync/unreadable-message.service';
import { CONNECTION_STATES, type ConnectionState, type MailboxRecord } from '../schemas/mailbox.record';

class MailboxConnectionResponse {
  @ApiProperty({
    type: 'string',
    enum: CONNECTION_STATES,
    description: 'degraded and disconnected are tried again by themselves; needs_reauthorisation waits for a person.',
  })
  state!: ConnectionState;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'When it came into this state.' })
  since!: string;

  @ApiProperty({ type: 'integer', description: 'Failures in a row.' })
  failures!: number;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'When it is tried again.' })
  nextCheckAt!: string | null;
}

class SendingStoppedResponse {
  @ApiProperty({ type: 'string', description: 'What for, in a word.' })
  code!: string;

  @ApiProperty({ type: 'string', description: 'What a person has to look at.' })
  message!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  at!: string;
}

class UnreadableMailResponse {
  @ApiProperty({ type: 'integer' })
  count!: number;

  @ApiProperty({ type: 'string', description: 'What the server said of the latest.' })
  reason!: string;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'When the latest was noticed.' })
  latestAt!: string;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'When the server is asked for one again; null when it is not any more, thirty days later.',
  })
  nextTryAt!: string | null;
}

/** Settings and states without a field in the documented mailbox (docs/decisions/0004). */
export class MailboxSettingsResponse {
  @ApiProperty({ type: 'string' })
  mailboxId!: string;

  @ApiProperty({ type: 'string', description: 'IANA zone in which its day begins.' })
  timezone!: string;

  @ApiProperty({ type: 'integer', description: 'Least seconds between two emails.' })
  sendGapSeconds!: number;

  @ApiProperty({ type: MailboxConnectionResponse })
  connection!: MailboxConnectionResponse;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  pausedAt!: string | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'When its mail was last read to the end; once a minute while it is connected.',
  })
  lastSyncedAt!: string | null;

  @ApiProperty({
    type: SendingStoppedResponse,
    nullable: true,
    description: 'Why the platform itself has stopped sending from it, until it is resumed; null when it has not.',
  })
  sendingStopped!: SendingStoppedResponse | null;

  @ApiProperty({
    type: UnreadableMailResponse,
    nullable: true,
    description:
      'Messages that its server has and does not show: whatever they say, nobody knows of it here. null: none.',
  })
  unreadable!: UnreadableMailResponse | null;
}

/** Facts that are stored beside the mailbox record. */
interface Beside {
  readonly lastSyncedAt: Date | null;
  readonly stopped: SendingStopped | null;
  readonly unreadable: Unreadable | null;
}

export function toMailboxSettings(
  record: MailboxRecord,
  { lastSyncedAt, stopped, unreadable }: Beside,
): MailboxSettingsResponse {
  const { state, since, failures, nextCheckAt } = record.connection;
  return {
    mailboxId: record._id.toHexString(),
    timezone: record.timezone,
    sendGapSeconds: record.sendGapSeconds,
    connection: {
      state,
      since: since.toISOString(),
      failures,
      nextCheckAt: nextCheckAt?.toISOString() ?? null,
    },
    pausedAt: record.pausedAt?.toISOString() ?? null,
    lastSyncedAt: lastSyncedAt?.toISOString() ?? null,
    sendingStopped: stopped && { code: stopped.code, message: stopped.message, at: stopped.at.toISOString() },
    unreadable: unreadable && {
      count: unreadable.count,
      reason: unreadable.reason,
      latestAt: unreadable.latestAt.toISOString(),
      nextTryAt: unreadable.nextTryAt?.toISOString() ?? null,
    },
  };
}
