import { Injectable } from '@nestjs/common';
import { type WorkspaceScope } from '@domain/access';
import { limitExceeded } from '@platform/errors';
import { type Model, type Types } from 'mongoose';
import { type LimitName, type WorkspaceLimits, type WorkspaceRecord } from './schemas/workspace.record';
import { WorkspaceRepository } from './workspace.repository';

const COUNTED: Record<LimitName, string> = {
  maxMembers: 'members (including pending invitations)',
  maxCampaigns: 'campaigns',
  maxLeads: 'leads',
  maxMailboxes: 'mailboxes',
};

/** Limits of a workspace, checked by the domains that add limited records. */
@Injectable()
export class WorkspaceLimitsService {
  constructor(private readonly claims: WorkspaceRepository) {}

  /**
   * Refuses to exceed a limit. Call it in the transaction in which `countNow` was read and the new records are written:
   * it claims the workspace, so that of two concurrent additions one is rerun and counts the other.
   * @throws LIMIT_EXCEEDED naming the limit and its value, NOT_FOUND for a deleted workspace
   */
  async ensureRoom(workspace: WorkspaceScope, limit: LimitName, countNow: number, adding = 1): Promise<void> {
    const { limits } = await this.claims.claim(workspace.workspaceId);
    requireRoom(limits, limit, countNow, adding);
  }

  /**
   * Refuses what `ensureRoom` would refuse now, without claiming the workspace: for an early answer before long work
   * begins.
   * @throws LIMIT_EXCEEDED naming the limit and its value, NOT_FOUND for a deleted workspace
   */
  async checkLimit(workspace: WorkspaceScope, limit: LimitName, countNow: number, adding = 1): Promise<void> {
    const { limits } = await this.claims.read(workspace.workspaceId);
    requireRoom(limits, limit, countNow, adding);
  }

  /**
   * Claims the workspace for the running transaction, for limits that are equal in all workspaces: a count read
   * afterwards is still true when the new record is written.
   * @returns the user id of the owner
   * @throws NOT_FOUND for a deleted workspace
   */
  async claim(workspaceId: string): Promise<{ ownerId: Types.ObjectId }> {
    const { ownerId } = await this.claims.claim(workspaceId);
    return { ownerId };
  }
}

/** @throws LIMIT_EXCEEDED naming the limit and its value */
export function requireRoom(limits: WorkspaceLimits, limit: LimitName, countNow: number, adding = 1): void {
  const cap = limits[limit];
  if (countNow + adding <= cap) return;
  const more = adding > 1 ? `; ${adding} more were to be added` : '';
  throw limitExceeded(`This workspace may have ${cap} ${COUNTED[limit]} (${limit}); it has ${countNow}${more}`);
}

/**
 * Refuses a user who owns as many workspaces as a user may. Claim the user first: of two concurrent creations one is
 * then rerun.
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
