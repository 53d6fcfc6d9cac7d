import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { type Types } from 'mongoose';

/** Key for leads that have received no email yet, in counts of leads by step. */
export const UNWRITTEN = 'unwritten';

/** The hooks of a higher domain that stores data of campaigns. */
export interface CampaignUse {
  /** Counts leads with a remaining step (active and paused), by the id of the next step or `UNWRITTEN`. */
  leadsByStep?(
    workspace: Pick<WorkspaceScope, 'workspaceId'>,
    campaignId: string,
  ): Promise<ReadonlyMap<string, number>>;
  /** Returns the given mailboxes whose leads still expect another email. Joins the running transaction. */
  writersOf?(
    workspace: Pick<WorkspaceScope, 'workspaceId'>,
    campaignId: Types.ObjectId,
    mailboxIds: readonly Types.ObjectId[],
  ): Promise<readonly Types.ObjectId[]>;
  /**
   * The campaign was deleted: erase in batches what is of no use without it, outside of transactions. Called by the worker,
   * and repeated until it returns; the next call continues an interrupted one.
   */
  erase?(workspace: Pick<WorkspaceScope, 'workspaceId'>, campaignId: string, signal: AbortSignal): Promise<void>;
}

/** Higher domains register their campaign hooks here, since this library must not import them. */
@Injectable()
export class CampaignHookRegistry {
  readonly #hooks = new Set<CampaignUse>();

  /** Call it once, when the module starts. */
  register(use: CampaignUse): void {
    this.#hooks.add(use);
  }

  async leadsByStep(
    workspace: Pick<WorkspaceScope, 'workspaceId'>,
    campaignId: string,
  ): Promise<ReadonlyMap<string, number>> {
    const sums = new Map<string, number>();
    for (const use of this.#hooks) {
      const counts = (await use.leadsByStep?.(workspace, campaignId)) ?? [];
      for (const [stepId, count] of counts) sums.set(stepId, (sums.get(stepId) ?? 0) + count);
    }
    return sums;
  }

  /** Returns the mailboxes that any hook needs; none without hooks. */
  async findWriters(
    workspace: Pick<WorkspaceScope, 'workspaceId'>,
    campaignId: Types.ObjectId,
    mailboxIds: readonly Types.ObjectId[],
  ): Promise<Types.ObjectId[]> {
    const needed = new Set<string>();
    for (const use of this.#hooks) {
      for (const id of (await use.writersOf?.(workspace, campaignId, mailboxIds)) ?? []) needed.add(id.toHexString());
    }
    return mailboxIds.filter((id) => needed.has(id.toHexString()));
  }

  async erase(workspace: Pick<WorkspaceScope, 'workspaceId'>, campaignId: string, signal: AbortSignal): Promise<void> {
    for (const use of this.#hooks) await use.erase?.(workspace, campaignId, signal);
  }
}
