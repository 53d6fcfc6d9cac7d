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

  @ApiProperty({ type: 'string', enum: SUBJECT_SOURCES, description: 'Where it comes from.' })
  source!: SubjectSource;
}

export class NotCheckedResponse {
  @ApiProperty({ type: 'string', enum: ['addresses', 'mailbox'] })
  what!: NotChecked['what'];

  @ApiProperty({ type: 'string', enum: NOT_CHECKED_REASONS })
  reason!: NotCheckedReason;
}

export class CheckCountsResponse implements Record<CheckResult, number> {
  @count('Listed in so many zones.')
  listed!: number;

  @count('Not listed in so many.')
  clear!: number;

  @count('So many did not say: they refused, or did not answer.')
  unknown!: number;

  @count('What so many say is worth nothing, by their self-test.')
  zone_broken!: number;
}

export class ZoneCheckResponse {
  @text('What was looked up.')
  subject!: string;

  @text('The blacklist.')
  zone!: string;

  @ApiProperty({ type: 'string', enum: CHECK_RESULTS })
  result!: CheckResult;

  @ApiProperty({
    type: 'string',
    enum: LISTING_KINDS,
    nullable: true,
    description: 'Of a listing: for what was sent (`abuse`), or by a rule (`policy`), such as home addresses.',
  })
  listing!: ListingKind | null;

  @ApiProperty({ type: 'string', isArray: true, description: 'Its answer (addresses in 127.0.0.0/8).' })
  codes!: string[];

  @orNull('What the answer means, or why nothing is known.')
  meaning!: string | null;

  @orNull('What the blacklist itself says about the listing.')
  reason!: string | null;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 100,
    description: 'How much a listing hurts; 0 does not count.',
  })
  weight!: number;

  @orNull('Of a listing: where to ask for its removal.')
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
    description: '`unknown`: no blacklist said anything, yet.',
  })
  verdict!: MailboxVerdict;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100, description: 'Weights of its listings together.' })
  impact!: number;

  @ApiProperty({ type: SubjectResponse, isArray: true, description: 'What is looked up for it.' })
  subjects!: SubjectResponse[];

  @ApiProperty({ type: NotCheckedResponse, isArray: true, description: 'What is not, and why.' })
  notChecked!: NotCheckedResponse[];

  @ApiProperty({ type: CheckCountsResponse })
  counts!: CheckCountsResponse;

  @ApiProperty({ type: ZoneCheckResponse, isArray: true, description: 'Where it is listed, the worst first.' })
  listings!: ZoneCheckResponse[];
}

export class MailboxChecksResponse extends MailboxResultResponse {
  @ApiProperty({ type: ZoneCheckResponse, isArray: true, description: 'What each blacklist said.' })
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
