import { type CrmType } from '@adapters/crm';
import { defineHook } from '@platform/hooks';
import { type OpenCrm } from '../connections/crm-connection.repository';

/** The context of a partition run. */
export interface CrmWorkContext {
  readonly workspaceId: string;
  readonly type: CrmType;
  readonly crm: OpenCrm;
  /** Aborts the work: the worker shuts down or has lost the lease. */
  readonly signal: AbortSignal;
  /** Renews the lease before each write to the CRM; false when it was lost: nothing more may be written. */
  renewLease(): Promise<boolean>;
  /** Renews the lease in the running transaction, which then commits only under the lease. @throws CrmLeaseLostError */
  requireLease(): Promise<void>;
}

/** A kind of work of partitions. */
export interface CrmWorkHandler {
  readonly name: string;
  /** When work is due; null without any. */
  dueAt(workspaceId: string, type: CrmType): Promise<Date | null>;
  /** Runs one batch. A `CrmError` starts a cooldown of the partition or disconnects the CRM. */
  step(lease: CrmWorkContext): Promise<void>;
  /** The CRM is disconnected or switched off: work that waits too long may be given up. */
  onDisconnected?(workspaceId: string, type: CrmType): Promise<void>;
}

/** The kinds of partition work; they alternate by batch. */
export const CRM_WORK_HANDLERS = defineHook<CrmWorkHandler>('crm-work', { key: 'name' });
