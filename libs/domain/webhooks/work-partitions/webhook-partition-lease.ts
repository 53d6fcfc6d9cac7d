/** The exclusive right to deliver to a webhook until the lease expires. */
export interface WorkPartitionLease {
  readonly webhookId: string;
  readonly workspaceId: string;
  readonly holder: string;
  readonly fence: number;
}
