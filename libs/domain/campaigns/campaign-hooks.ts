import { type WorkspaceScope } from '@domain/access';
import { defineHook } from '@platform/hooks';
import { type Types } from 'mongoose';

/** Key for leads that have received no email yet, in counts of leads by step. */
export const UNWRITTEN = 'unwritten';

/** The hooks of a higher domain that stores data of campaigns. */
export interface CampaignHooks {
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
  eraseCampaign?(
    workspace: Pick<WorkspaceScope, 'workspaceId'>,
    campaignId: string,
    signal: AbortSignal,
  ): Promise<void>;
}

/** Called by campaigns for what their leads and figures are stored in. */
export const CAMPAIGN_HOOKS = defineHook<CampaignHooks>('campaigns');
