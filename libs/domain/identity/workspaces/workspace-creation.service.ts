import { type Actor, checkedInput, type Principal, type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { CreditsService } from '@domain/credits';
import { type User } from '../users/dto/user.dto';
import { UsersService } from '../users/users.service';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { parseId, TransactionService } from '@platform/database';
import { forbidden } from '@platform/errors';
import { type Model, Types } from 'mongoose';
import { CreateWorkspaceRequest, toWorkspace, type WorkspaceResponse } from './dto/workspace.dto';
import { type WorkspaceLimits, WorkspaceRecord } from './schemas/workspace.record';
import { requireRoomToOwn } from './workspace-limits.service';

/** How a workspace comes to be. */
@Injectable()
export class WorkspaceCreationService {
  constructor(
    @InjectModel(WorkspaceRecord.name) private readonly workspaces: Model<WorkspaceRecord>,
    private readonly users: UsersService,
    private readonly audit: AuditService,
    private readonly credits: CreditsService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
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
   * @throws VALIDATION_ERROR for a name that is none, NOT_FOUND for an unknown user, LIMIT_EXCEEDED
   */
  async createFor(userId: string, input: { name: string }, actor: Actor): Promise<WorkspaceResponse> {
    const { name } = checkedInput(CreateWorkspaceRequest, input);
    return this.transactions.run(async () => {
      // Claiming the user lets two creations at the cap come one after the other.
      const user = await this.users.claim(userId);
      const ownerId = new Types.ObjectId(user.id);
      await requireRoomToOwn(this.workspaces, ownerId, this.config.maxWorkspacesPerUser);
      const created = await this.workspaces.create({
        name,
        ownerId,
        members: [{ userId: ownerId, role: 'owner', joinedAt: this.clock.now() }],
        settings: { allowMemberInvites: false, defaultRole: 'member' },
        limits: this.#newLimits(),
      });
      const response = toWorkspace(created);
      await this.#equip({ workspaceId: response.id, role: 'owner', scopes: ['read', 'write', 'admin'], actor });
      if (!(await this.#hasDefault(user)))
        await this.users.replaceDefaultWorkspace([user.id], user.defaultWorkspaceId, response.id);
      return response;
    });
  }

  /** Whether the user has a default workspace, and one that still is. */
  async #hasDefault({ defaultWorkspaceId }: User): Promise<boolean> {
    if (defaultWorkspaceId === null) return false;
    return (await this.workspaces.exists({ _id: parseId(defaultWorkspaceId), deletedAt: null })) !== null;
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
