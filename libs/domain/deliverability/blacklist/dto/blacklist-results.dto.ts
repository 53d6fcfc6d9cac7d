import { ApiProperty } from '@nestjs/swagger';
import { CHECK_RESULTS, type CheckResult, LISTING_KINDS, type ListingKind } from '../lookups/zone-check';
import { type BlacklistFindingRecord } from '../schemas/blacklist-finding.record';
import {
  NOT_CHECKED_REASONS,
  type NotChecked,
  type NotCheckedReason,
  type PlannedSubject,
  SUBJECT_SOURCES,
  type SubjectSource,
} from '../schemas/blacklist-test.record';
import { MAILBOX_VERDICTS, type MailboxOutcome, type MailboxVerdict, type SubjectListing } from '../runs/test-outcome';
import { ZONE_KINDS, type ZoneKind } from '../zones/zone';

const text = (description: string) => ApiProperty({ type: 'string', description });
const orNull = (description: string) => ApiProperty({ type: 'string', nullable: true, description });
const count = (description: string) => ApiProperty({ type: 'integer', minimum: 0, description });

export class SubjectResponse {
  @text('Address or domain.')
  subject!: string;

  @ApiProperty({ type: 'string', enum: ZONE_KINDS })
  kind!: ZoneKind;

  @ApiProperty({ type: 'string', enum: SUBJECT_SOURCES, description: 'Source of the subject.' })
  source!: SubjectSource;
}

export class NotCheckedResponse {
  @ApiProperty({ type: 'string', enum: ['addresses', 'mailbox'] })
  what!: NotChecked['what'];

  @ApiProperty({ type: 'string', enum: NOT_CHECKED_REASONS })
  reason!: NotCheckedReason;
}

export class CheckCountsResponse implements Record<CheckResult, number> {
  @count('Number of zones that list it.')
  listed!: number;

  @count('Number of zones that do not list it.')
  clear!: number;

  @count('Number of zones that refused or did not answer.')
  unknown!: number;

  @count('Number of zones that failed their self-test.')
  zone_broken!: number;
}

export class ZoneCheckResponse {
  @text('The queried subject.')
  subject!: string;

  @text('The blacklist.')
  zone!: string;

  @ApiProperty({ type: 'string', enum: CHECK_RESULTS })
  result!: CheckResult;

  @ApiProperty({
    type: 'string',
    enum: LISTING_KINDS,
    nullable: true,
    description: 'Kind of a listing: sent abuse (`abuse`), or a rule (`policy`), such as home addresses.',
  })
  listing!: ListingKind | null;

  @ApiProperty({ type: 'string', isArray: true, description: 'Its answer (addresses in 127.0.0.0/8).' })
  codes!: string[];

  @orNull('Meaning of the answer, or why the result is unknown.')
  meaning!: string | null;

  @orNull('The blacklist’s own text about the listing.')
  reason!: string | null;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 100,
    description: 'Severity of a listing; 0 does not count.',
  })
  weight!: number;

  @orNull('Where to request the removal of a listing.')
  removalUrl!: string | null;
}

export class MailboxResultResponse {
  @ApiProperty({ type: 'string' })
  mailboxId!: string;

  @ApiProperty({ type: 'string' })
  email!: string;

  @ApiProperty({
    type: 'string',
    enum: MAILBOX_VERDICTS,
    description: '`unknown`: no blacklist has given an answer yet.',
  })
  verdict!: MailboxVerdict;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100, description: 'Sum of the weights of its listings.' })
  impact!: number;

  @ApiProperty({ type: SubjectResponse, isArray: true, description: 'Queried subjects.' })
  subjects!: SubjectResponse[];

  @ApiProperty({
    type: NotCheckedResponse,
    isArray: true,
    description: 'Subjects that are not queried, with the reason.',
  })
  notChecked!: NotCheckedResponse[];

  @ApiProperty({ type: CheckCountsResponse })
  counts!: CheckCountsResponse;

  @ApiProperty({ type: ZoneCheckResponse, isArray: true, description: 'Its listings, the most severe first.' })
  listings!: ZoneCheckResponse[];
}

export class MailboxChecksResponse extends MailboxResultResponse {
  @ApiProperty({ type: ZoneCheckResponse, isArray: true, description: 'Result of each blacklist.' })
  checks!: ZoneCheckResponse[];
}

export function toMailboxResult({
  mailbox,
  verdict,
  impact,
  counts,
  listings,
}: MailboxOutcome): Pick<MailboxResultResponse, keyof MailboxResultResponse> {
  return {
    mailboxId: mailbox.mailboxId.toHexString(),
    email: mailbox.email,
    verdict,
    impact,
    subjects: mailbox.subjects.map(toSubject),
    notChecked: mailbox.notChecked.map(({ what, reason }) => ({ what, reason })),
    counts: { ...counts },
    listings: listings.map(toCheck),
  };
}

/** @param findings of its subjects */
export function toMailboxChecks(
  outcome: MailboxOutcome,
  findings: readonly Pick<BlacklistFindingRecord, 'subject' | 'listings' | 'others'>[],
): MailboxChecksResponse {
  const checks = findings.flatMap(({ subject, listings, others }) =>
    [...listings, ...others].map((check) => toCheck({ ...check, subject })),
  );
  return { ...toMailboxResult(outcome), checks };
}

function toSubject({ subject, kind, source }: PlannedSubject): SubjectResponse {
  return { subject, kind, source };
}

function toCheck(check: SubjectListing): ZoneCheckResponse {
  const { subject, zone, result, listing, codes, meaning, reason, weight, removalUrl } = check;
  return { subject, zone, result, listing, codes: [...codes], meaning, reason, weight, removalUrl };
}
