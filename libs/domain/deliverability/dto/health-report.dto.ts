import { type MailboxResponse } from '@domain/mailboxes';
import { ApiProperty } from '@nestjs/swagger';
import { CHECK_STATUSES, type CheckStatus, type Problem } from '../check';
import { type HealthReport, type TransportFinding, UNCHECKED } from '../health/health-report';
import { type DomainHealthRecord } from '../schemas/domain-health.record';
import { MxRecordResponse } from './mailbox-health.dto';

class HealthProblemResponse {
  @ApiProperty({ type: 'string', description: 'Stable code for programs.', example: 'key_not_found' })
  code!: string;

  @ApiProperty({ type: 'string', enum: ['fail', 'warn', 'info'], description: 'info: without disadvantage.' })
  severity!: string;

  @ApiProperty({ type: 'string', description: 'Description and remedy.' })
  message!: string;
}

class FindingResponse {
  @ApiProperty({
    type: 'string',
    enum: CHECK_STATUSES,
    description: 'unknown: not checked yet, or without an answer; it says nothing about the domain.',
  })
  status!: CheckStatus;

  @ApiProperty({ type: HealthProblemResponse, isArray: true })
  problems!: HealthProblemResponse[];
}

class MxFindingResponse extends FindingResponse {
  @ApiProperty({ type: MxRecordResponse, isArray: true })
  records!: MxRecordResponse[];
}

const record = {
  type: 'string',
  nullable: true,
  description: 'null: absent or unreadable.',
} as const;

class SpfTermResponse {
  @ApiProperty({ type: 'string', example: 'include:_spf.example.com' })
  term!: string;

  @ApiProperty({ type: 'string', description: 'Domain of the record with this term.' })
  domain!: string;

  @ApiProperty({ type: 'integer', description: '0 in the domain’s own record, 1 in an included one.' })
  depth!: number;

  @ApiProperty({ type: 'integer', description: 'Cost of the term itself, without the included record.' })
  lookups!: number;
}

class SpfLookupsResponse {
  @ApiProperty({ type: 'integer' })
  used!: number;

  @ApiProperty({ type: 'integer', description: 'Highest allowed number (RFC 7208, section 4.6.4).' })
  limit!: number;

  @ApiProperty({
    type: SpfTermResponse,
    isArray: true,
    description: 'Terms that cost look-ups, in the order of evaluation.',
  })
  terms!: SpfTermResponse[];
}

class SpfVoidsResponse {
  @ApiProperty({ type: 'integer', description: 'Look-ups without a result.' })
  used!: number;

  @ApiProperty({ type: 'integer' })
  limit!: number;
}

class SpfFindingResponse extends FindingResponse {
  @ApiProperty(record)
  record!: string | null;

  @ApiProperty({ type: SpfLookupsResponse })
  lookups!: SpfLookupsResponse;

  @ApiProperty({ type: SpfVoidsResponse })
  voids!: SpfVoidsResponse;
}

class DkimKeyResponse {
  @ApiProperty({ type: 'string', enum: ['rsa', 'ed25519'] })
  type!: string;

  @ApiProperty({ type: 'integer', example: 2048 })
  bits!: number;
}

class DkimFindingResponse extends FindingResponse {
  @ApiProperty({ type: 'string', nullable: true, description: 'null: unknown.', example: 'google' })
  selector!: string | null;

  @ApiProperty({
    type: 'string',
    enum: ['configured', 'learned', 'known'],
    nullable: true,
    description: 'given by a person, learned from signed mail, or known for a common provider.',
  })
  source!: string | null;

  @ApiProperty(record)
  record!: string | null;

  @ApiProperty({ type: DkimKeyResponse, nullable: true, description: 'null: absent, or refused by verifiers.' })
  key!: DkimKeyResponse | null;
}

class DmarcPolicyResponse {
  @ApiProperty({ type: 'string', enum: ['none', 'quarantine', 'reject'] })
  requested!: string;

  @ApiProperty({
    type: 'string',
    enum: ['none', 'quarantine', 'reject'],
    description: 'One step less than requested in test mode (t=y).',
  })
  effective!: string;

  @ApiProperty({ type: 'boolean' })
  testing!: boolean;
}

class DmarcFindingResponse extends FindingResponse {
  @ApiProperty(record)
  record!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'Domain of the record; may be a parent domain.' })
  foundAt!: string | null;

  @ApiProperty({ type: DmarcPolicyResponse, nullable: true, description: 'null: receivers apply none.' })
  policy!: DmarcPolicyResponse | null;
}

class TransportFindingResponse {
  @ApiProperty({ type: 'string', enum: ['pass', 'warn', 'absent', 'unknown'], description: 'absent costs nothing.' })
  status!: string;

  @ApiProperty(record)
  record!: string | null;

  @ApiProperty({ type: HealthProblemResponse, isArray: true })
  problems!: HealthProblemResponse[];
}

export class HealthReportResponse {
  @ApiProperty({ type: 'string' })
  mailboxId!: string;

  @ApiProperty({ type: 'string' })
  email!: string;

  @ApiProperty({ type: 'string', description: 'Domain of the records, which all its mailboxes share.' })
  domain!: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'null: not checked yet.' })
  checkedAt!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'When it is checked next.' })
  nextCheckAt!: string | null;

  @ApiProperty({ type: 'integer', nullable: true, description: '0 to 100; null before the first result.' })
  healthScore!: number | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The configured selector of the domain.' })
  dkimSelector!: string | null;

  @ApiProperty({ type: MxFindingResponse })
  mx!: MxFindingResponse;

  @ApiProperty({ type: SpfFindingResponse })
  spf!: SpfFindingResponse;

  @ApiProperty({ type: DkimFindingResponse })
  dkim!: DkimFindingResponse;

  @ApiProperty({ type: DmarcFindingResponse })
  dmarc!: DmarcFindingResponse;

  @ApiProperty({ type: TransportFindingResponse, description: 'MTA-STS (RFC 8461); not part of the score.' })
  mtaSts!: TransportFindingResponse;

  @ApiProperty({
    type: TransportFindingResponse,
    description: 'TLS reporting (RFC 8460); not part of the score.',
  })
  tlsRpt!: TransportFindingResponse;
}

/** @param health null before the domain is enrolled */
export function toHealthReport(
  { _id, email }: Pick<MailboxResponse, '_id' | 'email'>,
  domain: string,
  health: DomainHealthRecord | null,
): HealthReportResponse {
  const { mx, spf, dkim, dmarc, mtaSts, tlsRpt } = health?.report ?? UNCHECKED;
  const nextCheckAt = health?.pendingEvents?.nextCheckAt ?? health?.nextCheckAt;
  return {
    mailboxId: _id,
    email,
    domain,
    checkedAt: health?.checkedAt?.toISOString() ?? null,
    nextCheckAt: nextCheckAt?.toISOString() ?? null,
    healthScore: health?.healthScore ?? null,
    dkimSelector: health?.dkimSelector ?? null,
    mx: { ...toFinding(mx), records: mx.records.map(({ exchange, priority }) => ({ exchange, priority })) },
    spf: { ...toFinding(spf), record: spf.record, lookups: toLookups(spf.lookups), voids: toVoids(spf.voids) },
    dkim: {
      ...toFinding(dkim),
      selector: dkim.selector,
      source: dkim.source,
      record: dkim.record,
      key: dkim.key && { type: dkim.key.type, bits: dkim.key.bits },
    },
    dmarc: { ...toFinding(dmarc), record: dmarc.record, foundAt: dmarc.foundAt, policy: toPolicy(dmarc.policy) },
    mtaSts: toTransport(mtaSts),
    tlsRpt: toTransport(tlsRpt),
  };
}

function toFinding({ status, problems }: { status: CheckStatus; problems: Problem[] }) {
  return { status, problems: problems.map(toProblem) };
}

function toProblem({ code, severity, message }: Problem): HealthProblemResponse {
  return { code, severity, message };
}

function toLookups({ used, limit, terms }: HealthReport['spf']['lookups']): SpfLookupsResponse {
  return { used, limit, terms: terms.map(({ term, domain, depth, lookups }) => ({ term, domain, depth, lookups })) };
}

function toVoids({ used, limit }: HealthReport['spf']['voids']): SpfVoidsResponse {
  return { used, limit };
}

function toPolicy(policy: HealthReport['dmarc']['policy']): DmarcPolicyResponse | null {
  return policy && { requested: policy.requested, effective: policy.effective, testing: policy.testing };
}

function toTransport({ status, record: text, problems }: TransportFinding): TransportFindingResponse {
  return { status, record: text, problems: problems.map(toProblem) };
}
