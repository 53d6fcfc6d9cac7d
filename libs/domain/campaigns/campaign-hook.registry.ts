import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { type Types } from 'mongoose';

/** In counts of leads by step: those that nobody has written to yet, whatever the first step is. */
export const UNWRITTEN = 'unwritten';

/** What a higher domain keeps of a campaign. */
export interface CampaignUse {
  /** Leads that are still to be sent a step (active and paused), by the id of the step that is next, or `UNWRITTEN`. */
  leadsByStep?(
    workspace: Pick<WorkspaceScope, 'workspaceId'>,
    campaignId: string,
  ): Promise<ReadonlyMap<string, number>>;
  /** Those of these mailboxes that wrote to leads which are to be written to again. Joins the running transaction. */
  writersOf?(
    workspace: Pick<WorkspaceScope, 'workspaceId'>,
    campaignId: Types.ObjectId,
    mailboxIds: readonly Types.ObjectId[],
  ): Promise<readonly Types.ObjectId[]>;
  /**
   * The campaign was deleted: erase in batches what is of no use without it, outside of transactions. Called by the worker,
   * and again until it returns; interrupted anywhere, the next call goes on.
   */
  erase?(workspace: Pick<WorkspaceScope, 'workspaceId'>, campaignId: string, signal: AbortSignal): Promise<void>;
}

/** Where higher domains tell at the start of the process what they keep of campaigns: they are not known down here. */
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

  /** Each of them is told of by whoever needs it; without anybody who keeps leads none is. */
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
