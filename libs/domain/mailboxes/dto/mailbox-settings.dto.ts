import { ApiProperty } from '@nestjs/swagger';
import { type SendingStopped } from '../mailbox-hooks';
import { type Unreadable } from '../sync/unreadable-message.service';
import { CONNECTION_STATES, type ConnectionState, type MailboxRecord } from '../schemas/mailbox.record';

class MailboxConnectionResponse {
  @ApiProperty({
    type: 'string',
    enum: CONNECTION_STATES,
    description: 'degraded and disconnected are retried automatically; needs_reauthorisation needs a person.',
  })
  state!: ConnectionState;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'Beginning of this state.' })
  since!: string;

  @ApiProperty({ type: 'integer', description: 'Failures in a row.' })
  failures!: number;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'Time of the next check.' })
  nextCheckAt!: string | null;
}

class SendingStoppedResponse {
  @ApiProperty({ type: 'string', description: 'Code of the reason.' })
  code!: string;

  @ApiProperty({ type: 'string', description: 'Explanation for a person.' })
  message!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  at!: string;
}

class UnreadableMailResponse {
  @ApiProperty({ type: 'integer' })
  count!: number;

  @ApiProperty({ type: 'string', description: 'The reply of the server for the latest one.' })
  reason!: string;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'When the latest one was found.' })
  latestAt!: string;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'When one of them is requested again; null after thirty days, when retries end.',
  })
  nextTryAt!: string | null;
}

/** Settings and states without a field in the documented mailbox (docs/decisions/0004). */
export class MailboxSettingsResponse {
  @ApiProperty({ type: 'string' })
  mailboxId!: string;

  @ApiProperty({ type: 'string', description: 'IANA time zone of its day.' })
  timezone!: string;

  @ApiProperty({ type: 'integer', description: 'Minimum seconds between two emails.' })
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
    description: 'Why the platform stopped sending from it until it is resumed; null when it did not.',
  })
  sendingStopped!: SendingStoppedResponse | null;

  @ApiProperty({
    type: UnreadableMailResponse,
    nullable: true,
    description: 'Messages that its server has but does not return, so that they cannot be read. null: none.',
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
