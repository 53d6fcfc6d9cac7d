import { type CrmType } from '@adapters/crm';
import { defineHook } from '@platform/hooks';

/** Why a connection can no longer be used. */
export type CrmDisconnection = 'refused' | 'switched_off' | 'removed';

/** Reacts to changes of a connection, in their transaction: no queue, no HTTP. */
export interface CrmConnectionHooks {
  /**
   * The connection was rejected, switched off or removed: its work stops until it is connected again. `removed`:
   * links to the account's people become useless, because a new connection has another id.
   */
  disconnected?(workspaceId: string, type: CrmType, why: CrmDisconnection): Promise<void>;
  /** It is connected (again): waiting work may continue. */
  connected?(workspaceId: string, type: CrmType): Promise<void>;
}

/** Called when a connection changes. */
export const CRM_CONNECTION_HOOKS = defineHook<CrmConnectionHooks>('crm-connections');
