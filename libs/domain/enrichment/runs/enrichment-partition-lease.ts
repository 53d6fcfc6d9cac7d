/** The right to do the jobs of a workspace at one of its places, held until its lease runs out. */
export interface WorkPartitionLease {
  readonly partitionId: string;
  readonly workspaceId: string;
  readonly holder: string;
  readonly fence: number;
}
