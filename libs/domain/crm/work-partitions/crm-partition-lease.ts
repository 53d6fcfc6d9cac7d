import { type CrmType } from '@adapters/crm';

/** The exclusive right to work with the CRM of a workspace until the lease expires. */
export interface CrmPartitionLease {
  readonly partitionId: string;
  readonly workspaceId: string;
  readonly crmType: CrmType;
  readonly holder: string;
  readonly fence: number;
}

/** Another worker holds the lease: the caller stops and has written nothing. */
export class CrmLeaseLostError extends Error {
  constructor() {
    super('Another worker holds the lease of the CRM partition');
  }
}
