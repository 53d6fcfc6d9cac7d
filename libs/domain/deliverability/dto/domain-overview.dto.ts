import { type DomainMailboxes } from '@domain/mailboxes';
import { ApiProperty } from '@nestjs/swagger';
import { CHECK_STATUSES, type CheckStatus } from '../check';
import { type DomainHealthRecord } from '../schemas/domain-health.record';

class DomainListingResponse {
  @ApiProperty({ type: 'string', description: 'The blacklist.', example: 'dbl.spamhaus.org' })
  zone!: string;

  @ApiProperty({ type: 'string', description: 'The listed domain, or the listed sending address.' })
  subject!: string;
}

class DomainBlacklistsResponse {
  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'End of the latest blacklist test of its mailboxes; null without one.',
  })
  testedAt!: string | null;

  @ApiProperty({
    type: DomainListingResponse,
    isArray: true,
    description: 'Findings of the latest test of each mailbox, each listing once.',
  })
  listings!: DomainListingResponse[];
}

class DomainDnsResponse {
  @ApiProperty({ type: 'string', enum: CHECK_STATUSES })
  mx!: CheckStatus;

  @ApiProperty({ type: 'string', enum: CHECK_STATUSES })
  spf!: CheckStatus;

  @ApiProperty({ type: 'string', enum: CHECK_STATUSES })
  dkim!: CheckStatus;

  @ApiProperty({ type: 'string', enum: CHECK_STATUSES })
  dmarc!: CheckStatus;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'null: not checked yet.' })
  checkedAt!: string | null;
}

class DomainSendingResponse {
  @ApiProperty({
    type: 'integer',
    description: 'Campaign emails of the last 28 days. Always 0 for a free mail domain, which is not counted.',
  })
  sent!: number;

  @ApiProperty({ type: 'integer', description: 'Sent emails with a hard bounce.' })
  bounced!: number;

  @ApiProperty({ type: 'integer', description: 'Complaints of the last 28 days.' })
  complained!: number;

  @ApiProperty({ type: 'number', nullable: true, description: '0 to 1; null when nothing was sent.' })
  bounceRate!: number | null;

  @ApiProperty({ type: 'number', nullable: true, description: '0 to 1; null when nothing was sent.' })
  complaintRate!: number | null;
}

class DomainWarmupResponse {
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'Number of its mailboxes by warmup status.',
    example: { in_progress: 3, not_started: 1 },
  })
  statuses!: Record<string, number>;

  @ApiProperty({ type: 'integer', description: 'Warmup threads a day of the mailboxes in progress or completed.' })
  volume!: number;
}

export class DomainOverviewResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string', example: 'example.org' })
  domain!: string;

  @ApiProperty({ type: 'integer', nullable: true, description: '0 to 100; null before the first result.' })
  healthScore!: number | null;

  @ApiProperty({ type: DomainDnsResponse })
  dns!: DomainDnsResponse;

  @ApiProperty({ type: DomainBlacklistsResponse })
  blacklists!: DomainBlacklistsResponse;

  @ApiProperty({ type: 'integer' })
  mailboxes!: number;

  @ApiProperty({ type: DomainSendingResponse })
  sending!: DomainSendingResponse;

  @ApiProperty({ type: DomainWarmupResponse })
  warmup!: DomainWarmupResponse;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'When its first mailbox was enrolled.' })
  createdAt!: string;
}

/** A blacklist that lists a domain, or an address of it. */
interface DomainListing {
  readonly zone: string;
  /** The listed domain, or the listed address that its mailboxes send from. */
  readonly subject: string;
}

/** Findings of the latest blacklist tests about a domain. */
export interface DomainListings {
  /** End of the latest test. */
  testedAt: Date;
  readonly listings: DomainListing[];
}

/** Facts about a domain besides its health. */
export interface DomainContext {
  readonly mailboxes: DomainMailboxes | undefined;
  readonly listings: DomainListings | undefined;
  readonly sends: number;
  readonly bounces: number;
  readonly complaints: number;
}

export function toDomainOverview(health: DomainHealthRecord, beside: DomainContext): DomainOverviewResponse {
  const { mx, spf, dkim, dmarc } = health.statuses;
  const { mailboxes, listings, sends, bounces, complaints } = beside;
  return {
    _id: health._id.toHexString(),
    domain: health.domain,
    healthScore: health.healthScore,
    dns: { mx, spf, dkim, dmarc, checkedAt: health.checkedAt?.toISOString() ?? null },
    blacklists: {
      testedAt: listings?.testedAt.toISOString() ?? null,
      listings: (listings?.listings ?? []).map(({ zone, subject }) => ({ zone, subject })),
    },
    mailboxes: mailboxes?.mailboxes ?? 0,
    sending: {
      sent: sends,
      bounced: bounces,
      complained: complaints,
      bounceRate: getRate(bounces, sends),
      complaintRate: getRate(complaints, sends),
    },
    warmup: { statuses: { ...mailboxes?.warmupStatuses }, volume: mailboxes?.warmupVolume ?? 0 },
    createdAt: health.createdAt.toISOString(),
  };
}

/** Limited to 1: a bounce may be recorded before its email counts as sent, and a complaint may be about an older email. */
function getRate(count: number, sends: number): number | null {
  return sends === 0 ? null : Math.min(1, count / sends);
}
