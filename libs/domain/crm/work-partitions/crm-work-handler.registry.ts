import { type CrmType } from '@adapters/crm';
import { Injectable } from '@nestjs/common';
import { type OpenCrm } from '../connections/crm-connection.repository';

/** A lane while a worker has it. */
export interface CrmWorkContext {
  readonly workspaceId: string;
  readonly type: CrmType;
  readonly crm: OpenCrm;
  /** Ends what is under way: the worker is going, or has lost the lane. */
  readonly signal: AbortSignal;
  /** Renews the lease; false: it is lost, and then nothing more is begun or written. Right before each call that changes something at the CRM. */
  renewLease(): Promise<boolean>;
  /** The same in the running transaction: what is written in it is written only if the lane is held when it commits. @throws CrmLaneLost */
  requireLease(): Promise<void>;
}

/** A kind of thing that is done in lanes. */
export interface CrmWorkHandler {
  readonly name: string;
  /** When there is something to do in this lane: now or earlier is due; null: nothing. */
  dueAt(workspaceId: string, type: CrmType): Promise<Date | null>;
  /** Does one batch of it. A `CrmError` that it throws is the lane's: it rests, or somebody has to connect the CRM anew. */
  step(lease: CrmWorkContext): Promise<void>;
  /** Nobody may work with the CRM: it is not connected, or switched off. What waits too long may be given up. */
  onDisconnected?(workspaceId: string, type: CrmType): Promise<void>;
}

/** Where those register at the start of the process who do something in lanes. They have their turns batch by batch. */
@Injectable()
export class CrmWorkHandlerRegistry {
  readonly #handlers = new Map<string, CrmWorkHandler>();

  /** Call it once, when the module starts. */
  register(work: CrmWorkHandler): void {
    this.#handlers.set(work.name, work);
  }

  get all(): readonly CrmWorkHandler[] {
    return [...this.#handlers.values()];
  }
}
