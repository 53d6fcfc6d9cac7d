import { Injectable } from '@nestjs/common';
import { type WorkspaceScope } from '@domain/access';
import { limitExceeded } from '@platform/errors';
import { type Model, type Types } from 'mongoose';
import { type LimitName, type WorkspaceLimits, type WorkspaceRecord } from './schemas/workspace.record';
import { WorkspaceRepository } from './workspace.repository';

const COUNTED: Record<LimitName, string> = {
  maxMembers: 'members (pending invitations included)',
  maxCampaigns: 'campaigns',
  maxLeads: 'leads',
  maxMailboxes: 'mailboxes',
};

/** The caps of a workspace, for whoever adds what is capped. */
@Injectable()
export class WorkspaceLimitsService {
  constructor(private readonly claims: WorkspaceRepository) {}

  /**
   * Refuses to go past a cap. Call it in the transaction in which `countNow` was read and the new records are written:
   * it claims the workspace, so that of two that race for the last place one is run again and sees the other.
   * @throws LIMIT_EXCEEDED naming the cap and its value, NOT_FOUND for a workspace that is gone
   */
  async ensureRoom(workspace: WorkspaceScope, limit: LimitName, countNow: number, adding = 1): Promise<void> {
    const { limits } = await this.claims.claim(workspace.workspaceId);
    requireRoom(limits, limit, countNow, adding);
  }

  /**
   * Refuses what `ensureRoom` would refuse now, as far as a look tells: for saying so before something long is begun.
   * @throws LIMIT_EXCEEDED naming the cap and its value, NOT_FOUND for a workspace that is gone
   */
  async checkLimit(workspace: WorkspaceScope, limit: LimitName, countNow: number, adding = 1): Promise<void> {
    const { limits } = await this.claims.read(workspace.workspaceId);
    requireRoom(limits, limit, countNow, adding);
  }

  /**
   * Claims the workspace for the running transaction, for caps that are the same in every workspace: what is counted
   * after it is still true when the new record is written.
   * @returns who owns the workspace
   * @throws NOT_FOUND for a workspace that is gone
   */
  async claim(workspaceId: string): Promise<{ ownerId: Types.ObjectId }> {
    const { ownerId } = await this.claims.claim(workspaceId);
    return { ownerId };
  }
}

/** @throws LIMIT_EXCEEDED naming the cap and its value */
export function requireRoom(limits: WorkspaceLimits, limit: LimitName, countNow: number, adding = 1): void {
  const cap = limits[limit];
  if (countNow + adding <= cap) return;
  const more = adding > 1 ? `, and ${adding} more were to be added` : '';
  throw limitExceeded(`This workspace may have ${cap} ${COUNTED[limit]} (${limit}); it has ${countNow}${more}`);
}

/**
 * Refuses somebody who owns as many workspaces as one user may. Claim the user first: of two workspaces that come to
 * them at once, one is then run again.
 * @throws LIMIT_EXCEEDED
 */
export async function requireRoomToOwn(
  workspaces: Model<WorkspaceRecord>,
  ownerId: Types.ObjectId,
  cap: number,
): Promise<void> {
  const owned = await workspaces.countDocuments({ ownerId, deletedAt: null });
  if (owned >= cap) throw limitExceeded(`A user may own ${cap} workspaces; this user owns ${owned}`);
}
