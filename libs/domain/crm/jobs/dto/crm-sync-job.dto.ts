import { CRM_TYPES, type CrmType } from '@adapters/crm';
import { ActorResponse, toActor } from '@domain/audit';
import { ApiProperty } from '@nestjs/swagger';
import {
  type CrmSyncJobRecord,
  SYNC_RESULTS,
  SYNC_STATUSES,
  SYNC_TRIGGERS,
  SYNC_TYPES,
  type SyncCounts,
  type SyncResult,
  type SyncStatus,
  type SyncTrigger,
  type SyncType,
} from '../schemas/crm-sync-job.record';
import { type CrmSyncResultRecord } from '../schemas/crm-sync-result.record';

/** Maximum errors in a job response. */
export const MAX_ERRORS = 100;

const count = (description: string) => ApiProperty({ type: 'integer', minimum: 0, description });

export class CrmSyncErrorResponse {
  @ApiProperty({ type: 'string', description: 'Address of the person; empty when it is about the whole job.' })
  email!: string;

  @ApiProperty({ type: 'string', description: 'Id of the person in the CRM; empty when it has none.' })
  externalId!: string;

  @ApiProperty({ type: 'string', example: 'invalid' })
  code!: string;

  @ApiProperty({ type: 'string' })
  message!: string;
}

export class CrmSyncJobResponse {
  @ApiProperty({ type: 'string' })
  id!: string;

  @ApiProperty({ type: 'string', enum: CRM_TYPES })
  crmType!: CrmType;

  @ApiProperty({ type: 'string', enum: SYNC_TYPES })
  jobType!: SyncType;

  @ApiProperty({ type: 'string', enum: SYNC_STATUSES, description: 'The last three are final.' })
  status!: SyncStatus;

  @ApiProperty({ type: 'string', enum: ['people'] })
  entityType!: 'people';

  @ApiProperty({ type: 'string', description: 'Names the run in logs: CRM, direction and id.' })
  externalJobId!: string;

  @count('People in all, as far as that is known; exact at the end.')
  totalRecords!: number;

  @count('People whose processing has ended, with any result.')
  processedRecords!: number;

  @count('Those of them that could not be synced.')
  failedRecords!: number;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100, description: 'Percentage; 100 when it is completed.' })
  progress!: number;

  @count('Leads that were added or changed by it.')
  importedCount!: number;

  @count('People of the CRM that were added or changed by it.')
  pushedCount!: number;

  @ApiProperty({ type: CrmSyncErrorResponse, isArray: true, description: 'At most 100; the records have all of them.' })
  errors!: CrmSyncErrorResponse[];

  @count('All of them.')
  errorsCount!: number;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'When it ended, with any status.' })
  completedAt!: string | null;
}

export class CrmSyncProblemResponse {
  @ApiProperty({ type: 'string', example: 'CRM_UNAVAILABLE' })
  code!: string;

  @ApiProperty({ type: 'string' })
  message!: string;
}

export class CrmSyncCountsResponse implements SyncCounts {
  @count('New on the other side, or of a dry run: would be.')
  created!: number;

  @count('Changed on the other side.')
  updated!: number;

  @count('As they should be already.')
  unchanged!: number;

  @count('Not (wholly) synced, as both sides changed, or two people claim one address.')
  conflict!: number;

  @count('Left out, for a reason that the record says.')
  skipped!: number;

  @count('Refused by the CRM or by the rules for leads.')
  failed!: number;
}

export class CrmSyncJobDetailsResponse extends CrmSyncJobResponse {
  @ApiProperty({ type: 'string', enum: SYNC_TRIGGERS, description: 'Who began it: a person, the clock, an event.' })
  trigger!: SyncTrigger;

  @ApiProperty({ type: ActorResponse })
  createdBy!: ActorResponse;

  @ApiProperty({ type: 'boolean' })
  dryRun!: boolean;

  @ApiProperty({ type: 'boolean' })
  full!: boolean;

  @ApiProperty({ type: 'string', nullable: true })
  campaignId!: string | null;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'What was asked for.' })
  filter!: Record<string, unknown>;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'Only people that changed in the CRM since then; null: all.',
  })
  since!: string | null;

  @ApiProperty({ type: CrmSyncCountsResponse })
  counts!: CrmSyncCountsResponse;

  @count('Requests to the CRM.')
  apiCalls!: number;

  @ApiProperty({
    type: 'string',
    isArray: true,
    description: 'Fields that the CRM no longer has; the sync continued without them.',
  })
  droppedFields!: string[];

  @ApiProperty({ type: CrmSyncProblemResponse, nullable: true, description: 'Why it failed, or what it waits for.' })
  lastError!: CrmSyncProblemResponse | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  startedAt!: string | null;
}

export class CrmSyncResultResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string', description: 'Empty without one, or when it must not be stored.' })
  email!: string;

  @ApiProperty({ type: 'string', description: 'Id in the CRM; empty when it has none.' })
  externalId!: string;

  @ApiProperty({ type: 'string', nullable: true })
  leadId!: string | null;

  @ApiProperty({ type: 'string', enum: SYNC_RESULTS })
  result!: SyncResult;

  @ApiProperty({ type: 'string', example: 'both_changed', description: 'The reason; empty when the result says it.' })
  reason!: string;

  @ApiProperty({ type: 'string', description: 'The same for people.' })
  message!: string;

  @ApiProperty({ type: 'string', description: 'The field that it is about; empty when it is about none.' })
  field!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'Of a dry run: what would be set; null otherwise.',
  })
  changes!: Record<string, unknown> | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;
}

/** Plain copy: a class instance cannot be spread. */
type FieldsOf<T> = Pick<T, keyof T>;

/** People changed on the other side; none in a dry run. */
function countChanged({ dryRun, counts }: Pick<CrmSyncJobRecord, 'dryRun' | 'counts'>): number {
  return dryRun ? 0 : counts.created + counts.updated;
}

export function toSyncJob(job: CrmSyncJobRecord): FieldsOf<CrmSyncJobResponse> {
  const { crmType, jobType, status, totalRecords, processedRecords, counts, faults, problem } = job;
  const id = job._id.toHexString();
  const ofJob = problem ? [{ email: '', externalId: '', code: problem.code, message: problem.message }] : [];
  const changed = countChanged(job);
  return {
    id,
    crmType,
    jobType,
    status,
    entityType: 'people',
    externalJobId: `${crmType}-${jobType}-${id}`,
    totalRecords,
    processedRecords,
    failedRecords: counts.failed,
    progress: getProgress(job),
    importedCount: jobType === 'pull' ? changed : 0,
    pushedCount: jobType === 'push' ? changed : 0,
    errors: [
      ...ofJob,
      ...faults.map(({ email, externalId, code, message }) => ({ email, externalId, code, message })),
    ].slice(0, MAX_ERRORS),
    errorsCount: counts.failed + ofJob.length,
    createdAt: job.createdAt.toISOString(),
    completedAt: job.completedAt?.toISOString() ?? null,
  };
}

export function toSyncJobDetails(job: CrmSyncJobRecord): CrmSyncJobDetailsResponse {
  const { trigger, createdBy, dryRun, full, campaignId, filter, since, counts, apiCalls, droppedFields } = job;
  const { problem, delay, startedAt } = job;
  const lastError = problem ?? delay;
  return {
    ...toSyncJob(job),
    trigger,
    createdBy: toActor(createdBy),
    dryRun,
    full,
    campaignId: campaignId?.toHexString() ?? null,
    filter: JSON.parse(filter) as Record<string, unknown>,
    since: since?.toISOString() ?? null,
    counts: { ...counts },
    apiCalls,
    droppedFields: [...droppedFields],
    lastError: lastError && toProblem(lastError),
    startedAt: startedAt?.toISOString() ?? null,
  };
}

export function toSyncResult(record: CrmSyncResultRecord): CrmSyncResultResponse {
  const { _id, email, externalId, leadId, result, reason, message, field, changes, createdAt } = record;
  return {
    _id: _id.toHexString(),
    email,
    externalId,
    leadId: leadId?.toHexString() ?? null,
    result,
    reason,
    message,
    field,
    changes: changes === '' ? null : (JSON.parse(changes) as Record<string, unknown>),
    createdAt: createdAt.toISOString(),
  };
}

/** 100 only at the end. */
function getProgress({ status, totalRecords, processedRecords }: CrmSyncJobRecord): number {
  if (status === 'completed') return 100;
  return totalRecords === 0 ? 0 : Math.min(99, Math.floor((100 * processedRecords) / totalRecords));
}

function toProblem({ code, message }: CrmSyncProblemResponse): CrmSyncProblemResponse {
  return { code, message };
}
