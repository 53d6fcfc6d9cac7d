import { ApiProperty } from '@nestjs/swagger';
import { type SendingStopped } from '../mailbox.uses';
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

/** What the mailbox itself has no field for (docs/decisions/0008). */
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
}

export function toMailboxSettings(
  record: MailboxRecord,
  lastSyncedAt: Date | null,
  stopped: SendingStopped | null,
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
  };
}
