import { type Actor, type Principal, type WorkspaceScope, checkedInput } from '@domain/access';
import { AuditService, getChanges } from '@domain/audit';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Page, type PageRequest, PageService, TransactionService, parseId } from '@platform/database';
import { forbidden, invalidField } from '@platform/errors';
import { type Model, Types } from 'mongoose';
import {
  CreateWorkspaceRequest,
  type UpdateWorkspaceRequest,
  type WorkspaceResponse,
  toWorkspace,
} from './dto/workspace.dto';
import { requireAdminNow } from './member-rules';
import { LIMIT_NAMES, type WorkspaceLimits, WorkspaceRecord } from './schemas/workspace.record';
import { WorkspaceRepository } from './workspace.repository';
import { CreditsService } from '@domain/credits';
import { type User } from '../users/dto/user.dto';
import { UsersService } from '../users/users.service';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { requireRoomToOwn } from './workspace-limits.service';

/** Creates, reads and changes workspaces. */
@Injectable()
export class WorkspacesService {
  constructor(
    @InjectModel(WorkspaceRecord.name) private readonly workspaces: Model<WorkspaceRecord>,
    private readonly claims: WorkspaceRepository,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly pages: PageService,
    private readonly users: UsersService,
    private readonly credits: CreditsService,
    private readonly clock: ClockPort,
    private readonly config: Config,
  ) {}

  /** Lists the workspaces in which the key may act, newest first: all of a user's, or the one of a workspace key. */
  async list(principal: Principal, page: PageRequest): Promise<Page<WorkspaceResponse>> {
    const { userId, homeWorkspaceId } = principal;
    const own = userId === null ? { _id: parseId(homeWorkspaceId ?? '') } : { 'members.userId': parseId(userId) };
    const scope = userId ?? homeWorkspaceId ?? '';
    return this.pages.read(this.workspaces, { scope, filter: { ...own, deletedAt: null }, page }, toWorkspace);
  }

  /** Ids of all workspaces of the installation except deleted ones, oldest first: for the operator. */
  async ids(): Promise<string[]> {
    return this.#ids({ deletedAt: null });
  }

  /** As `ids`, including deleted workspaces, which may be restored. */
  async idsWithDeleted(): Promise<string[]> {
    return this.#ids({});
  }

  /** @throws NOT_FOUND */
  async get(workspace: WorkspaceScope): Promise<WorkspaceResponse> {
    return toWorkspace(await this.claims.read(workspace.workspaceId));
  }

  /** Changes the given fields only. @throws NOT_FOUND */
  async update(workspace: WorkspaceScope, input: UpdateWorkspaceRequest): Promise<WorkspaceResponse> {
    return this.transactions.run(async () => {
      const before = await this.claims.claim(workspace.workspaceId);
      requireAdminNow(workspace, before.members);
      const after = {
        name: input.name ?? before.name,
        settings: { ...before.settings, ...pickDefined(input.settings ?? {}) },
      };
      const changes = getChanges(before, after, ['name', 'settings']);
      if (!changes) return toWorkspace(before);
      await this.workspaces.updateOne({ _id: before._id }, { $set: after });
      await this.audit.record(workspace, { action: 'workspace.updated', target: toTarget(before), changes });
      return toWorkspace(Object.assign(before, after));
    });
  }

  /**
   * Sets limits, for the operator. Existing records beyond a lowered limit remain; only additions are refused.
   * @throws NOT_FOUND, VALIDATION_ERROR for a limit that is not a whole number from 0 (members: 1)
   */
  async setLimits(workspace: WorkspaceScope, limits: Partial<WorkspaceLimits>): Promise<WorkspaceResponse> {
    const newLimits = pickDefined(limits);
    for (const name of LIMIT_NAMES) ensureCap(name, newLimits[name]);
    return this.transactions.run(async () => {
      const before = await this.claims.claim(workspace.workspaceId);
      const after = { limits: { ...before.limits, ...newLimits } };
      const changes = getChanges(before.limits, after.limits, LIMIT_NAMES);
      if (!changes) return toWorkspace(before);
      await this.workspaces.updateOne({ _id: before._id }, { $set: after });
      await this.audit.record(workspace, { action: 'workspace.limits_changed', target: toTarget(before), changes });
      return toWorkspace(Object.assign(before, after));
    });
  }

  /**
   * Creates a workspace owned by the caller.
   * @throws FORBIDDEN for a workspace key, LIMIT_EXCEEDED when the user owns as many workspaces as a user may
   */
  async create(principal: Principal, input: { name: string }): Promise<WorkspaceResponse> {
    if (principal.userId === null)
      throw forbidden('A workspace key has no permission to create workspaces; use a platform key');
    return this.createFor(principal.userId, input, { kind: 'user', userId: principal.userId, keyId: principal.keyId });
  }

  /**
   * Creates a workspace owned by this user, for the operator.
   * @throws VALIDATION_ERROR for an invalid name, NOT_FOUND for an unknown user, LIMIT_EXCEEDED
   */
  async createFor(userId: string, input: { name: string }, actor: Actor): Promise<WorkspaceResponse> {
    const { name } = checkedInput(CreateWorkspaceRequest, input);
    return this.transactions.run(async () => {
      // Claiming the user serialises two concurrent creations at the limit.
      const user = await this.users.claim(userId);
      const ownerId = new Types.ObjectId(user.id);
      await requireRoomToOwn(this.workspaces, ownerId, this.config.maxWorkspacesPerUser);
      const created = await this.workspaces.create({
        name,
        ownerId,
        members: [{ userId: ownerId, role: 'owner', joinedAt: this.clock.now() }],
        settings: { allowMemberInvites: false, defaultRole: 'member' },
        limits: this.#createLimits(),
      });
      const response = toWorkspace(created);
      await this.#insertWorkspace({
        workspaceId: response.id,
        role: 'owner',
        scopes: ['read', 'write', 'admin'],
        actor,
      });
      if (!(await this.#hasDefault(user)))
        await this.users.replaceDefaultWorkspace([user.id], user.defaultWorkspaceId, response.id);
      return response;
    });
  }

  async #ids(filter: { deletedAt?: null }): Promise<string[]> {
    const found = await this.workspaces.find(filter, { _id: 1 }).sort({ _id: 1 }).lean();
    return found.map(({ _id }) => _id.toHexString());
  }

  /** Whether the user has a default workspace that is not deleted. */
  async #hasDefault({ defaultWorkspaceId }: User): Promise<boolean> {
    if (defaultWorkspaceId === null) return false;
    return (await this.workspaces.exists({ _id: parseId(defaultWorkspaceId), deletedAt: null })) !== null;
  }

  async #insertWorkspace(workspace: WorkspaceScope): Promise<void> {
    const { workspaceId } = workspace;
    await this.audit.record(workspace, { action: 'workspace.created', target: { type: 'workspace', id: workspaceId } });
    const amount = this.config.newWorkspaceCredits;
    if (amount === 0) return;
    await this.credits.grant(workspace, { amount, reason: 'New workspace', operation: `new-workspace:${workspaceId}` });
  }

  #createLimits(): WorkspaceLimits {
    const { defaultMaxMembers, defaultMaxCampaigns, defaultMaxLeads, defaultMaxMailboxes } = this.config;
    return {
      maxMembers: defaultMaxMembers,
      maxCampaigns: defaultMaxCampaigns,
      maxLeads: defaultMaxLeads,
      maxMailboxes: defaultMaxMailboxes,
    };
  }
}

function toTarget({ _id }: WorkspaceRecord) {
  return { type: 'workspace', id: _id.toHexString() } as const;
}

/** Drops undefined fields. */
function pickDefined<T extends object>(input: T): Partial<T> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function ensureCap(name: (typeof LIMIT_NAMES)[number], value: number | undefined): void {
  const least = name === 'maxMembers' ? 1 : 0;
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) return;
  throw invalidField(name, `${name} must be a whole number from ${least}`);
}
