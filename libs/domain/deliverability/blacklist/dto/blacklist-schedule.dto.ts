import { ApiProperty } from '@nestjs/swagger';
import { type BlacklistScheduleRecord } from '../schemas/blacklist-schedule.record';

export class BlacklistScheduleResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'null: each test is named by its day.' })
  testName!: string | null;

  @ApiProperty({ type: 'string', isArray: true })
  mailboxIds!: string[];

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 30 })
  everyDays!: number;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'When it starts the next test.' })
  nextAt!: string;

  @ApiProperty({ type: 'string', description: 'Its latest test.' })
  lastTestId!: string;

  @ApiProperty({ type: 'string', description: 'Who made it.' })
  userId!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;
}

export function toBlacklistSchedule(record: BlacklistScheduleRecord): BlacklistScheduleResponse {
  const { _id, testName, mailboxIds, everyDays, nextAt, lastTestId, userId, createdAt } = record;
  return {
    _id: _id.toHexString(),
    testName,
    mailboxIds: mailboxIds.map((id) => id.toHexString()),
    everyDays,
    nextAt: nextAt.toISOString(),
    lastTestId: lastTestId.toHexString(),
    userId: userId.toHexString(),
    createdAt: createdAt.toISOString(),
  };
}
