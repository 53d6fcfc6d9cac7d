import { type CrmType } from '@adapters/crm';
import { Injectable } from '@nestjs/common';

/** Reacts to changes of a connection, in their transaction: no queue, no HTTP. */
export interface CrmConnectionHook {
  /**
   * The connection was rejected, switched off or removed: its work stops until it is connected again. `removed`:
   * links to the account's people become useless, because a new connection has another id.
   */
  disconnected?(workspaceId: string, type: CrmType, why: 'refused' | 'switched_off' | 'removed'): Promise<void>;
  /** It is connected (again): waiting work may continue. */
  connected?(workspaceId: string, type: CrmType): Promise<void>;
}

/** Hooks of CRM connections, registered at the start of the process. */
@Injectable()
export class CrmConnectionHookRegistry {
  readonly #hooks = new Set<CrmConnectionHook>();

  /** Call it once, when the module starts. */
  register(use: CrmConnectionHook): void {
    this.#hooks.add(use);
  }

  async disconnected(workspaceId: string, type: CrmType, why: 'refused' | 'switched_off' | 'removed'): Promise<void> {
    // Sequentially: a transaction allows no concurrent calls.
    for (const use of this.#hooks) await use.disconnected?.(workspaceId, type, why);
  }

  async connected(workspaceId: string, type: CrmType): Promise<void> {
    for (const use of this.#hooks) await use.connected?.(workspaceId, type);
  }
}
