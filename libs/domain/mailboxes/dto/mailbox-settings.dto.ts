import { ApiProperty } from '@nestjs/swagger';
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
}

export function toMailboxSettings(record: MailboxRecord, lastSyncedAt: Date | null): MailboxSettingsResponse {
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
  };
}
