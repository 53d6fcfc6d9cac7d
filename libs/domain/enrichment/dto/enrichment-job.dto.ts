import { ApiProperty } from '@nestjs/swagger';
import { type EnrichmentJobRecord, JOB_STATUSES, type JobStatus } from '../schemas/enrichment-job.record';
import { ENRICHMENT_TYPES, type EnrichmentType } from '../item-handlers/enrichment-type';

const count = (description: string) => ApiProperty({ type: 'integer', minimum: 0, description });

class EnrichmentFiguresResponse {
  @count('Number of addresses, without repetitions.')
  totalItems!: number;

  @count('Processed addresses: the sum of successCount and failedCount.')
  processedItems!: number;

  @count('Addresses with a result, including `unknown`.')
  successCount!: number;

  @count('Addresses that could not be processed.')
  failedCount!: number;

  @count('Credits for decisive answers so far; other reserved credits are released at the end.')
  creditsUsed!: number;
}

class EnrichmentJobFields {
  @ApiProperty({ type: 'string', pattern: '^[a-z]+_\\d+_[0-9a-f]{12}$', example: 'ev_1763712000000_9f86d081884c' })
  id!: string;

  @ApiProperty({ type: 'string', enum: ENRICHMENT_TYPES })
  type!: EnrichmentType;

  @ApiProperty({ type: 'string', enum: JOB_STATUSES, description: 'The last three are final.' })
  status!: JobStatus;

  @ApiProperty({ type: EnrichmentFiguresResponse })
  metadata!: EnrichmentFiguresResponse;

  @count('Number of leads or given addresses.')
  totalLeads!: number;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'The job is deleted seven days later.' })
  createdAt!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  updatedAt!: string;
}

export class ListedEnrichmentJobResponse extends EnrichmentJobFields {
  @count('Number of results so far.')
  resultCount!: number;

  @count('Number of addresses so far that could not be processed.')
  errorCount!: number;
}

export class EnrichmentJobResponse extends EnrichmentJobFields {
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'null while the job is pending.' })
  startedAt!: string | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'When the job ended, with any status.',
  })
  completedAt!: string | null;
}

export class EnrichmentProblemResponse {
  @ApiProperty({ type: 'string', example: 'TOOL_NOT_CONFIGURED' })
  code!: string;

  @ApiProperty({ type: 'string' })
  message!: string;
}

export class EnrichmentJobDetailsResponse extends EnrichmentJobResponse {
  @ApiProperty({ type: 'string', nullable: true, description: 'The campaign of the leads; null for given addresses.' })
  campaignId!: string | null;

  @ApiProperty({ type: EnrichmentProblemResponse, nullable: true, description: 'Why the job failed.' })
  error!: EnrichmentProblemResponse | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'Number of results of each kind so far.',
    example: { valid: 41, invalid: 7, unknown: 2 },
  })
  results!: Record<string, number>;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'When the job is deleted.' })
  expiresAt!: string;
}

export class CreatedEnrichmentJobResponse extends EnrichmentJobResponse {
  @count('Number of repetitions among the given addresses; each address is checked once.')
  duplicateItems!: number;
}

/** The fields of a class: only a plain object can be spread. */
type FieldsOf<T> = Pick<T, keyof T>;

function toFields(job: EnrichmentJobRecord): FieldsOf<EnrichmentJobFields> {
  const { code, type, status, totalItems, processedItems, successCount, failedCount, creditsUsed } = job;
  return {
    id: code,
    type,
    status,
    metadata: { totalItems, processedItems, successCount, failedCount, creditsUsed },
    totalLeads: totalItems,
    createdAt: job.createdAt.toISOString(),
    updatedAt: job.updatedAt.toISOString(),
  };
}

export function toListedEnrichmentJob(job: EnrichmentJobRecord): ListedEnrichmentJobResponse {
  return { ...toFields(job), resultCount: job.successCount, errorCount: job.failedCount };
}

export function toEnrichmentJob(job: EnrichmentJobRecord): FieldsOf<EnrichmentJobResponse> {
  const { startedAt, completedAt } = job;
  return {
    ...toFields(job),
    startedAt: startedAt?.toISOString() ?? null,
    completedAt: completedAt?.toISOString() ?? null,
  };
}

/** @param results number of results of each kind */
export function toEnrichmentJobDetails(
  job: EnrichmentJobRecord,
  results: Record<string, number>,
): EnrichmentJobDetailsResponse {
  const { campaignId, error, expiresAt } = job;
  return {
    ...toEnrichmentJob(job),
    campaignId: campaignId?.toHexString() ?? null,
    error: error && { code: error.code, message: error.message },
    results,
    expiresAt: expiresAt.toISOString(),
  };
}
