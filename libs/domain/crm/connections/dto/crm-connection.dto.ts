import { CRM_TYPES, type CrmType } from '@adapters/crm';
import { ApiProperty } from '@nestjs/swagger';
import {
  CRM_STATUSES,
  CRM_WAYS,
  type CrmConnectionRecord,
  type CrmStatus,
  type CrmWay,
  OWNER_POLICIES,
  type OwnerPolicy,
} from '../schemas/crm-connection.record';

/** The last error. */
export class CrmConnectionError {
  @ApiProperty({ type: 'string', example: 'CRM_NOT_AUTHORISED' })
  code!: string;

  @ApiProperty({ type: 'string' })
  message!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  at!: string;
}

/** The workspace's account at a CRM; its keys and tokens are never shown. */
export class CrmConnectionResponse {
  @ApiProperty({ type: 'string', enum: CRM_TYPES })
  crmType!: CrmType;

  @ApiProperty({ type: 'boolean', description: 'Whether it may be used.' })
  enabled!: boolean;

  @ApiProperty({
    type: 'string',
    enum: CRM_STATUSES,
    description: 'Whether the vendor accepted the credentials at the last request.',
  })
  status!: CrmStatus;

  @ApiProperty({ type: 'string', enum: CRM_WAYS })
  authMethod!: CrmWay;

  @ApiProperty({ type: 'string', description: 'Id of the account at the vendor.' })
  accountId!: string;

  @ApiProperty({ type: 'string' })
  accountName!: string;

  @ApiProperty({ type: 'string', description: 'Where its API is.' })
  accountUrl!: string;

  @ApiProperty({ type: 'string', isArray: true, description: 'What consent was given for; empty for a key.' })
  scopes!: string[];

  @ApiProperty({ type: 'string', enum: OWNER_POLICIES })
  ownerPolicy!: OwnerPolicy;

  @ApiProperty({ type: 'string', nullable: true })
  ownerId!: string | null;

  @ApiProperty({ type: CrmConnectionError, nullable: true })
  lastError!: CrmConnectionError | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  connectedAt!: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  disconnectedAt!: string | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    description: 'When the vendor last accepted or rejected the credentials.',
  })
  checkedAt!: string;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'End of the last sync that was completed.',
  })
  lastSyncAt!: string | null;

  @ApiProperty({ type: 'integer', description: 'Leads that were made or changed by what was pulled.' })
  totalPulled!: number;

  @ApiProperty({ type: 'integer', description: 'People that were made or changed at the CRM by what was pushed.' })
  totalPushed!: number;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  updatedAt!: string;
}

/** The result of a connection test. */
export class CrmTestResponse {
  @ApiProperty({ type: 'boolean' })
  ok!: boolean;

  @ApiProperty({ type: CrmConnectionError, nullable: true })
  error!: CrmConnectionError | null;

  @ApiProperty({ type: CrmConnectionResponse })
  connection!: CrmConnectionResponse;
}

export function toCrmConnection(record: CrmConnectionRecord): CrmConnectionResponse {
  const { lastError } = record;
  return {
    crmType: record.type,
    enabled: record.enabled,
    status: record.status,
    authMethod: record.authMethod,
    accountId: record.accountId,
    accountName: record.accountName,
    accountUrl: record.baseUrl,
    scopes: [...record.scopes],
    ownerPolicy: record.ownerPolicy,
    ownerId: record.ownerId,
    lastError: lastError && { code: lastError.code, message: lastError.message, at: lastError.at.toISOString() },
    connectedAt: record.connectedAt.toISOString(),
    disconnectedAt: record.disconnectedAt?.toISOString() ?? null,
    checkedAt: record.checkedAt.toISOString(),
    lastSyncAt: record.lastSyncAt?.toISOString() ?? null,
    totalPulled: record.totalPulled,
    totalPushed: record.totalPushed,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}
