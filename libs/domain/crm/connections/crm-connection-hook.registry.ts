import { type CrmType } from '@adapters/crm';
import { Injectable } from '@nestjs/common';

/** What others in this room want to be told about a connection. Called in the transaction of the change: no queue, no HTTP. */
export interface CrmConnectionHook {
  /**
   * It does not let us in any more, was switched off, or was removed: no work goes on until it is connected again. `removed`: what
   * is known of the account's people is of no use any more, as another connection has another id.
   */
  disconnected?(workspaceId: string, type: CrmType, why: 'refused' | 'switched_off' | 'removed'): Promise<void>;
  /** It lets us in (again): what waited may go on. */
  connected?(workspaceId: string, type: CrmType): Promise<void>;
}

/** Where those register at the start of the process who work with connections of CRMs. */
@Injectable()
export class CrmConnectionHookRegistry {
  readonly #hooks = new Set<CrmConnectionHook>();

  /** Call it once, when the module starts. */
  register(use: CrmConnectionHook): void {
    this.#hooks.add(use);
  }

  async disconnected(workspaceId: string, type: CrmType, why: 'refused' | 'switched_off' | 'removed'): Promise<void> {
    // One after the other: a transaction takes no calls side by side.
    for (const use of this.#hooks) await use.disconnected?.(workspaceId, type, why);
  }

  async connected(workspaceId: string, type: CrmType): Promise<void> {
    for (const use of this.#hooks) await use.connected?.(workspaceId, type);
  }
}
