import { type Actor, type Principal, type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { CreditsService } from '@domain/credits';
import { UsersService } from '@domain/users';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Clock } from '@platform/clock';
import { Config } from '@platform/config';
import { Transactions } from '@platform/database';
import { forbidden, limitExceeded } from '@platform/errors';
import { type Model, Types } from 'mongoose';
import { toWorkspace, type WorkspaceResponse } from './dto/workspace.dto';
import { type WorkspaceLimits, WorkspaceRecord } from './schemas/workspace.record';

/** How a workspace comes to be. */
@Injectable()
export class WorkspaceFoundationService {
  constructor(
    @InjectModel(WorkspaceRecord.name) private readonly workspaces: Model<WorkspaceRecord>,
    private readonly users: UsersService,
    private readonly audit: AuditService,
    private readonly credits: CreditsService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * A workspace owned by the caller.
   * @throws FORBIDDEN for a workspace key, LIMIT_EXCEEDED when the user owns as many as one user may
   */
  async create(principal: Principal, input: { name: string }): Promise<WorkspaceResponse> {
    if (principal.userId === null)
      throw forbidden('A workspace key has no permission to create workspaces; use a platform key');
    return this.createFor(principal.userId, input, { kind: 'user', userId: principal.userId, keyId: principal.keyId });
  }

  /**
   * A workspace owned by this user, made by somebody else: the operator.
   * @throws NOT_FOUND for an unknown user, LIMIT_EXCEEDED
   */
  async createFor(userId: string, input: { name: string }, actor: Actor): Promise<WorkspaceResponse> {
    return this.transactions.run(async () => {
      // Claiming the user lets two creations at the cap come one after the other.
      const user = await this.users.claim(userId);
      const ownerId = new Types.ObjectId(user.id);
      await this.#ensureMayOwnAnother(ownerId);
      const created = await this.workspaces.create({
        name: input.name,
        ownerId,
        members: [{ userId: ownerId, role: 'owner', joinedAt: this.clock.now() }],
        settings: { allowMemberInvites: false, defaultRole: 'member' },
        limits: this.#newLimits(),
      });
      const response = toWorkspace(created);
      await this.#equip({ workspaceId: response.id, role: 'owner', scopes: ['read', 'write', 'admin'], actor });
      if (user.defaultWorkspaceId === null) await this.users.setDefaultWorkspace(user.id, response.id);
      return response;
    });
  }

  async #ensureMayOwnAnother(ownerId: Types.ObjectId): Promise<void> {
    const cap = this.config.maxWorkspacesPerUser;
    const owned = await this.workspaces.countDocuments({ ownerId, deletedAt: null });
    if (owned >= cap) throw limitExceeded(`A user may own ${cap} workspaces; this user owns ${owned}`);
  }

  async #equip(workspace: WorkspaceScope): Promise<void> {
    const { workspaceId } = workspace;
    await this.audit.record(workspace, { action: 'workspace.created', target: { type: 'workspace', id: workspaceId } });
    const amount = this.config.newWorkspaceCredits;
    if (amount === 0) return;
    await this.credits.grant(workspace, { amount, reason: 'New workspace', operation: `new-workspace:${workspaceId}` });
  }

  #newLimits(): WorkspaceLimits {
    const { defaultMaxMembers, defaultMaxCampaigns, defaultMaxLeads, defaultMaxMailboxes } = this.config;
    return {
      maxMembers: defaultMaxMembers,
      maxCampaigns: defaultMaxCampaigns,
      maxLeads: defaultMaxLeads,
      maxMailboxes: defaultMaxMailboxes,
    };
  }
}
