import { type CrmType } from '@adapters/crm';

/** The right to work with the CRM of a workspace, held until its lease runs out. */
export interface CrmPartitionLease {
  readonly partitionId: string;
  readonly workspaceId: string;
  readonly crmType: CrmType;
  readonly holder: string;
  readonly fence: number;
}

/** Somebody else has the lane: whoever learns this stops, and has written nothing. */
export class CrmLeaseLostError extends Error {
  constructor() {
    super('The lease to the CRM is in other hands');
  }
}
