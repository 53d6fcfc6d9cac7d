import { type SyncJob } from '../integrations/crm';

export interface SyncDetails extends SyncJob {
  readonly completedAt: string | null;
  readonly importedCount: number;
  readonly pushedCount: number;
  readonly dryRun: boolean;
  readonly counts: Readonly<Record<string, number>>;
  readonly lastError: { readonly code: string } | null;
}

export interface Activity {
  readonly event: string;
  readonly leadId: string;
  readonly state: string;
  readonly externalId: string | null;
}
