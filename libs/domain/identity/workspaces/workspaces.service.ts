import { type Principal, type WorkspaceScope } from '@domain/access';
import { AuditService, getChanges } from '@domain/audit';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Page, type PageRequest, PageService, parseId, TransactionService } from '@platform/database';
import { invalidField } from '@platform/errors';
import { type Model } from 'mongoose';
import { toWorkspace, type UpdateWorkspaceRequest, type WorkspaceResponse } from './dto/workspace.dto';
import { requireAdminNow } from './member-rules';
import { LIMIT_NAMES, type WorkspaceLimits, WorkspaceRecord } from './schemas/workspace.record';
import { WorkspaceRepository } from './workspace.repository';

/** Workspaces as such: reading and changing. How they begin and end, and who is in them, is elsewhere. */
@Injectable()
export class WorkspacesService {
  constructor(
    @InjectModel(WorkspaceRecord.name) private readonly workspaces: Model<WorkspaceRecord>,
    private readonly claims: WorkspaceRepository,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly pages: PageService,
  ) {}

  /** The workspaces that the key may act in, newest first: all of a user's, or a workspace key's own. */
  async list(principal: Principal, page: PageRequest): Promise<Page<WorkspaceResponse>> {
    const { userId, homeWorkspaceId } = principal;
    const own = userId === null ? { _id: parseId(homeWorkspaceId ?? '') } : { 'members.userId': parseId(userId) };
    const scope = userId ?? homeWorkspaceId ?? '';
    return this.pages.read(this.workspaces, { scope, filter: { ...own, deletedAt: null }, page }, toWorkspace);
  }

  /** Ids of all workspaces of the installation, oldest first, deleted ones apart: for the operator. */
  async ids(): Promise<string[]> {
    return this.#ids({ deletedAt: null });
  }

  /** As `ids`, with those that were deleted: they may be restored. */
  async idsWithDeleted(): Promise<string[]> {
    return this.#ids({});
  }

  /** @throws NOT_FOUND */
  async get(workspace: WorkspaceScope): Promise<WorkspaceResponse> {
    return toWorkspace(await this.claims.read(workspace.workspaceId));
  }

  /** Changes what is given and leaves the rest. @throws NOT_FOUND */
  async update(workspace: WorkspaceScope, input: UpdateWorkspaceRequest): Promise<WorkspaceResponse> {
    return this.transactions.run(async () => {
      const before = await this.claims.claim(workspace.workspaceId);
      requireAdminNow(workspace, before.members);
      const after = {
        name: input.name ?? before.name,
        settings: { ...before.settings, ...given(input.settings ?? {}) },
      };
      const changes = getChanges(before, after, ['name', 'settings']);
      if (!changes) return toWorkspace(before);
      await this.workspaces.updateOne({ _id: before._id }, { $set: after });
      await this.audit.record(workspace, { action: 'workspace.updated', target: targetOf(before), changes });
      return toWorkspace(Object.assign(before, after));
    });
  }

  /**
   * The operator sets caps. What exists beyond a lowered cap stays; only adding is refused.
   * @throws NOT_FOUND, VALIDATION_ERROR for a cap that is no whole number from 0 (members: 1)
   */
  async setLimits(workspace: WorkspaceScope, limits: Partial<WorkspaceLimits>): Promise<WorkspaceResponse> {
    const wanted = given(limits);
    for (const name of LIMIT_NAMES) ensureCap(name, wanted[name]);
    return this.transactions.run(async () => {
      const before = await this.claims.claim(workspace.workspaceId);
      const after = { limits: { ...before.limits, ...wanted } };
      const changes = getChanges(before.limits, after.limits, LIMIT_NAMES);
      if (!changes) return toWorkspace(before);
      await this.workspaces.updateOne({ _id: before._id }, { $set: after });
      await this.audit.record(workspace, { action: 'workspace.limits_changed', target: targetOf(before), changes });
      return toWorkspace(Object.assign(before, after));
    });
  }

  async #ids(filter: { deletedAt?: null }): Promise<string[]> {
    const found = await this.workspaces.find(filter, { _id: 1 }).sort({ _id: 1 }).lean();
    return found.map(({ _id }) => _id.toHexString());
  }
}

function targetOf({ _id }: WorkspaceRecord) {
  return { type: 'workspace', id: _id.toHexString() } as const;
}

/** Without the fields that were not given. */
function given<T extends object>(input: T): Partial<T> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function ensureCap(name: (typeof LIMIT_NAMES)[number], value: number | undefined): void {
  const least = name === 'maxMembers' ? 1 : 0;
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) return;
  throw invalidField(name, `${name} must be a whole number from ${least}`);
}
