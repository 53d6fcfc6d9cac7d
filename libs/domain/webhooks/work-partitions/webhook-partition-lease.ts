/** The right to deliver to a webhook, held until its lease runs out. */
export interface WorkPartitionLease {
  readonly webhookId: string;
  readonly workspaceId: string;
  readonly holder: string;
  readonly fence: number;
}
