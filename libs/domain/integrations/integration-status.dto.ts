import { CRM_TYPES, type CrmType } from '@adapters/crm';
import { CRM_STATUSES, type CrmConnectionRecord, type CrmStatus } from '@domain/crm';
import { ApiProperty } from '@nestjs/swagger';

export class ChatStatusResponse {
  @ApiProperty({ type: 'boolean' })
  connected!: boolean;

  @ApiProperty({ type: 'string', description: 'Empty while it is not connected.' })
  teamName!: string;
}

export class ToolStatusResponse {
  @ApiProperty({ type: 'boolean' })
  enabled!: boolean;
}

export class CrmStatusResponse {
  @ApiProperty({ type: 'boolean' })
  enabled!: boolean;

  @ApiProperty({ type: 'string', enum: CRM_STATUSES })
  status!: CrmStatus;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  lastSyncAt!: string | null;

  @ApiProperty({ type: 'integer' })
  totalPulled!: number;

  @ApiProperty({ type: 'integer' })
  totalPushed!: number;
}

/** One of each, whether it is connected or not. */
export class CrmStatusesResponse implements Record<CrmType, CrmStatusResponse> {
  @ApiProperty({ type: CrmStatusResponse })
  hubspot!: CrmStatusResponse;

  @ApiProperty({ type: CrmStatusResponse })
  salesforce!: CrmStatusResponse;

  @ApiProperty({ type: CrmStatusResponse })
  pipedrive!: CrmStatusResponse;

  @ApiProperty({ type: CrmStatusResponse })
  zoho!: CrmStatusResponse;

  @ApiProperty({ type: CrmStatusResponse })
  close!: CrmStatusResponse;

  @ApiProperty({ type: CrmStatusResponse })
  attio!: CrmStatusResponse;
}

export class IntegrationStatusesResponse {
  @ApiProperty({ type: ChatStatusResponse })
  slack!: ChatStatusResponse;

  @ApiProperty({ type: ToolStatusResponse })
  clay!: ToolStatusResponse;

  @ApiProperty({ type: CrmStatusesResponse })
  crm!: CrmStatusesResponse;
}

export type ConnectionSummary = Pick<
  CrmConnectionRecord,
  'type' | 'enabled' | 'status' | 'lastSyncAt' | 'totalPulled' | 'totalPushed'
>;

/** Every CRM; one without a connection is listed as switched off and not connected. */
export function toCrmStatuses(connections: readonly ConnectionSummary[]): CrmStatusesResponse {
  const byType = new Map(connections.map((connection) => [connection.type, connection]));
  const each = CRM_TYPES.map((type) => [type, toCrmStatus(byType.get(type))] as const);
  return Object.fromEntries(each) as Record<CrmType, CrmStatusResponse>;
}

function toCrmStatus(connection: ConnectionSummary | undefined): CrmStatusResponse {
  return {
    enabled: connection?.enabled ?? false,
    status: connection?.status ?? 'disconnected',
    lastSyncAt: connection?.lastSyncAt?.toISOString() ?? null,
    totalPulled: connection?.totalPulled ?? 0,
    totalPushed: connection?.totalPushed ?? 0,
  };
}
