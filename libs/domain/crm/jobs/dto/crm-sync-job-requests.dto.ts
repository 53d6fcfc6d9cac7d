import { CRM_TYPES, type CrmType } from '@adapters/crm';
import { LeadFiltersRequest } from '@domain/leads';
import {
  CheckedField,
  FlagField,
  IdField,
  InstantField,
  ObjectField,
  OneOfField,
  PageQuery,
  TextField,
} from '@platform/validation';
import { isObject } from 'class-validator';
import {
  SYNC_RESULTS,
  SYNC_STATUSES,
  SYNC_TYPES,
  type SyncResult,
  type SyncStatus,
  type SyncType,
} from '../schemas/crm-sync-job.record';

const ENTITIES = ['people'] as const;

const MAX_FIELDS = 5;
const MAX_VALUES = 50;
const MAX_NAME = 200;

function FieldValuesField(about: string) {
  const message = `$property must be an object of at most ${MAX_FIELDS} fields, each with 1 to ${MAX_VALUES} texts`;
  const values = { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: MAX_VALUES };
  const schema = { type: 'object', additionalProperties: values as never, maxProperties: MAX_FIELDS } as const;
  return CheckedField({ name: 'fieldValues', validate: isFieldValues, message, schema }, { optional: true, about });
}

function isFieldValues(value: unknown): boolean {
  if (!isObject(value)) return false;
  const entries = Object.entries(value);
  return entries.length <= MAX_FIELDS && entries.every(([name, values]) => isName(name) && isValues(values));
}

function isName(name: string): boolean {
  return name.length >= 1 && isText(name);
}

function isValues(values: unknown): boolean {
  return Array.isArray(values) && values.length >= 1 && values.length <= MAX_VALUES && values.every(isText);
}

/** Well-formed text without NUL, which databases reject. */
function isText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_NAME && value.isWellFormed() && !value.includes('\0');
}

/** Conditions on CRM people, combined by AND. */
export class CrmPeopleFilterRequest {
  @InstantField({ optional: true, about: 'Only people that changed at this time or later.' })
  updatedSince?: string;

  @TextField({ max: MAX_NAME, optional: true, about: 'Only people of this owner, by the id that the CRM gives it.' })
  ownerId?: string;

  @TextField({
    max: MAX_NAME,
    optional: true,
    about: 'Only members of this list or view of the CRM, where it has such.',
  })
  listId?: string;

  @FieldValuesField('Only people whose fields, by the API names of the CRM, have one of these values.')
  fields?: Record<string, string[]>;
}

export class CreateCrmSyncRequest {
  @OneOfField(SYNC_TYPES, { about: '`pull`: from the CRM to leads; `push`: from leads to the CRM.' })
  jobType!: SyncType;

  @OneOfField(ENTITIES, { optional: true })
  entityType?: (typeof ENTITIES)[number];

  @IdField({ optional: true, about: 'Pull: the campaign of new people. Push: only its leads.' })
  campaignId?: string;

  @ObjectField(() => CrmPeopleFilterRequest, { optional: true, about: 'Of a pull: which people of the CRM.' })
  filter?: CrmPeopleFilterRequest;

  @ObjectField(() => LeadFiltersRequest, {
    optional: true,
    about: 'Of a push, with campaignId: only leads that the list would show.',
  })
  leadFilter?: LeadFiltersRequest;

  @FlagField({ optional: true, about: 'true: only reports what would change; neither side is changed.' })
  dryRun?: boolean;

  @FlagField({ optional: true, about: 'true: all people, also those without a change since the last sync.' })
  full?: boolean;
}

export class CrmSyncJobQuery extends PageQuery {
  @OneOfField(CRM_TYPES, { optional: true })
  crmType?: CrmType;

  @OneOfField(SYNC_TYPES, { optional: true })
  jobType?: SyncType;

  @OneOfField(SYNC_STATUSES, { optional: true })
  status?: SyncStatus;
}

export class CrmSyncResultQuery extends PageQuery {
  @OneOfField(SYNC_RESULTS, { optional: true, about: 'Only people with this result.' })
  result?: SyncResult;
}

/** Example bodies for the API documentation. */
export const CRM_SYNC_EXAMPLES: { create: CreateCrmSyncRequest } = {
  create: { jobType: 'pull', campaignId: '6740a1b2c3d4e5f607182930', filter: { ownerId: '8171' }, dryRun: true },
};
