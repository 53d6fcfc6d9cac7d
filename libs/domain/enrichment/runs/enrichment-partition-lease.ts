/** The lease of a work partition of a workspace. */
export interface WorkPartitionLease {
  readonly partitionId: string;
  readonly workspaceId: string;
  readonly holder: string;
  readonly fence: number;
}
