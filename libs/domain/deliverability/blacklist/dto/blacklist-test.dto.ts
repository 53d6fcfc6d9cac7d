import { ApiProperty } from '@nestjs/swagger';
import {
  type BlacklistTestRecord,
  TEST_STATUSES,
  type TestProblem,
  type TestStatus,
  type TestSummary,
} from '../schemas/blacklist-test.record';
import { type MailboxOutcome } from '../runs/test-outcome';
import { MailboxResultResponse, toMailboxResult } from './blacklist-results.dto';

const count = (description: string) => ApiProperty({ type: 'integer', minimum: 0, description });

export class TestSummaryResponse implements TestSummary {
  @count('Mailboxes with an answer of at least one blacklist.')
  totalChecked!: number;

  @count('Tested mailboxes without a listing that counts.')
  clean!: number;

  @count('Tested mailboxes with at least one listing.')
  blacklisted!: number;
}

export class TestProgressResponse {
  @count('Completed look-ups.')
  done!: number;

  @count('All look-ups; 0 until the test is planned.')
  total!: number;
}

export class TestProblemResponse implements TestProblem {
  @ApiProperty({ type: 'string', example: 'BLACKLISTS_SILENT' })
  code!: string;

  @ApiProperty({ type: 'string' })
  message!: string;
}

export class TestMailboxResponse {
  @ApiProperty({ type: 'string' })
  mailboxId!: string;

  @ApiProperty({ type: 'string', description: 'Address at the start of the test.' })
  email!: string;
}

export class ListedBlacklistTestResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string' })
  testName!: string;

  @ApiProperty({ type: 'string', enum: TEST_STATUSES })
  status!: TestStatus;

  @ApiProperty({
    type: TestSummaryResponse,
    nullable: true,
    description: 'null while it is pending; zeros until it has ended.',
  })
  overallSummary!: TestSummaryResponse | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'null while it is pending.' })
  startedAt!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'When it ended, with any status.' })
  completedAt!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;
}

export class BlacklistTestResponse extends ListedBlacklistTestResponse {
  @ApiProperty({ type: 'string', description: 'Who started it; the owner for an API key of the workspace.' })
  userId!: string;

  @ApiProperty({ type: 'string' })
  workspaceId!: string;

  @ApiProperty({ type: 'string', pattern: '^BL-\\d+-[0-9a-f]{8}$' })
  testCode!: string;

  @ApiProperty({ type: 'string', isArray: true })
  mailboxIds!: string[];

  @ApiProperty({ type: TestMailboxResponse, isArray: true })
  mailboxes!: TestMailboxResponse[];

  @ApiProperty({ type: TestProgressResponse })
  progress!: TestProgressResponse;

  @ApiProperty({ type: TestProblemResponse, nullable: true, description: 'Why it failed.' })
  error!: TestProblemResponse | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'Its schedule, if it has one.' })
  scheduleId!: string | null;

  @ApiProperty({
    type: MailboxResultResponse,
    isArray: true,
    description: 'Results of each mailbox so far; empty while it is pending.',
  })
  results!: MailboxResultResponse[];

  @ApiProperty({ type: 'string', format: 'date-time' })
  updatedAt!: string;
}

export function toListedBlacklistTest(
  record: BlacklistTestRecord,
): Pick<ListedBlacklistTestResponse, keyof ListedBlacklistTestResponse> {
  const { _id, testName, status, overallSummary, startedAt, completedAt, createdAt } = record;
  return {
    _id: _id.toHexString(),
    testName,
    status,
    overallSummary: overallSummary && toSummary(overallSummary),
    startedAt: startedAt?.toISOString() ?? null,
    completedAt: completedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}

/** @param outcomes of its mailboxes so far */
export function toBlacklistTest(
  record: BlacklistTestRecord,
  outcomes: readonly MailboxOutcome[],
): BlacklistTestResponse {
  const { userId, workspaceId, testCode, mailboxes, progress, error, scheduleId, updatedAt } = record;
  return {
    ...toListedBlacklistTest(record),
    userId: userId.toHexString(),
    workspaceId: workspaceId.toHexString(),
    testCode,
    mailboxIds: mailboxes.map(({ mailboxId }) => mailboxId.toHexString()),
    mailboxes: mailboxes.map(({ mailboxId, email }) => ({ mailboxId: mailboxId.toHexString(), email })),
    progress: { done: progress.done, total: progress.total },
    error: error && { code: error.code, message: error.message },
    scheduleId: scheduleId?.toHexString() ?? null,
    results: outcomes.map(toMailboxResult),
    updatedAt: updatedAt.toISOString(),
  };
}

function toSummary({ totalChecked, clean, blacklisted }: TestSummary): TestSummaryResponse {
  return { totalChecked, clean, blacklisted };
}
