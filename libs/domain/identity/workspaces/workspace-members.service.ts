import { type Role, type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { UsersService } from '../users/users.service';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Config } from '@platform/config';
import { TransactionService } from '@platform/database';
import { AppError, notFound } from '@platform/errors';
import { type Model } from 'mongoose';
import { type MemberResponse, toMember } from './dto/member.dto';
import { type MessageResponse } from './dto/workspace.dto';
import { getCurrentRole, getRemovalRefusal, decideRoleChange } from './member-rules';
import { type Member, WorkspaceRecord } from './schemas/workspace.record';
import { WorkspaceRepository } from './workspace.repository';
import { requireRoomToOwn } from './workspace-limits.service';

/** The members of a workspace and their roles. */
@Injectable()
export class WorkspaceMembersService {
  constructor(
    @InjectModel(WorkspaceRecord.name) private readonly workspaces: Model<WorkspaceRecord>,
    private readonly claims: WorkspaceRepository,
    private readonly users: UsersService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly config: Config,
  ) {}

  /** Lists all members in the order in which they joined. @throws NOT_FOUND */
  async list(workspace: WorkspaceScope): Promise<MemberResponse[]> {
    const { members } = await this.claims.read(workspace.workspaceId);
    return this.#named(members);
  }

  /**
   * Changes the role of a member; `owner` transfers the ownership, and the previous owner becomes an admin.
   * @throws NOT_FOUND, FORBIDDEN, CONFLICT for any other change of the owner's role, LIMIT_EXCEEDED when the new owner
   * owns as many workspaces as a user may
   */
  async changeRole(workspace: WorkspaceScope, userId: string, role: Role): Promise<MemberResponse> {
    const changed = await this.transactions.run(async () => {
      const record = await this.claims.claim(workspace.workspaceId);
      const member = findMember(record, userId);
      const decision = decideRoleChange(getCurrentRole(workspace, record.members), member.role, role);
      if (decision instanceof AppError) throw decision;
      if (decision === 'change') await this.#setRole(workspace, record, member, role);
      if (decision === 'transfer') await this.#transfer(workspace, record, member);
      return { ...member, role };
    });
    const [response] = await this.#named([changed]);
    if (!response) throw notFound('Member');
    return response;
  }

  /**
   * Removes a member; members leave by removing themselves. Their platform keys stop working here at once. Workspace
   * keys that they created belong to the workspace and remain.
   * @throws NOT_FOUND, FORBIDDEN, CONFLICT for the owner
   */
  async remove(workspace: WorkspaceScope, userId: string): Promise<MessageResponse> {
    return this.transactions.run(async () => {
      const record = await this.claims.claim(workspace.workspaceId);
      const member = findMember(record, userId);
      const id = member.userId.toHexString();
      const isSelf = workspace.actor.kind === 'user' && workspace.actor.userId === id;
      const refusal = getRemovalRefusal(getCurrentRole(workspace, record.members), { role: member.role, isSelf });
      if (refusal) throw refusal;
      await this.workspaces.updateOne({ _id: record._id }, { $pull: { members: { userId: member.userId } } });
      await this.claims.replaceDefault(workspace.workspaceId, [id]);
      const changes = { role: { from: member.role, to: null } };
      await this.audit.record(workspace, { action: 'member.removed', target: { type: 'member', id }, changes });
      return { message: isSelf ? 'You left the workspace' : 'Member removed' };
    });
  }

  async #setRole(workspace: WorkspaceScope, record: WorkspaceRecord, member: Member, role: Role): Promise<void> {
    await this.workspaces.updateOne({ _id: record._id }, { $set: { members: withRole(record.members, member, role) } });
    await this.audit.record(workspace, {
      action: 'member.role_changed',
      target: { type: 'member', id: member.userId.toHexString() },
      changes: { role: { from: member.role, to: role } },
    });
  }

  async #transfer(workspace: WorkspaceScope, record: WorkspaceRecord, heir: Member): Promise<void> {
    await this.users.claim(heir.userId.toHexString());
    await requireRoomToOwn(this.workspaces, heir.userId, this.config.maxWorkspacesPerUser);
    const members = withRole(demoteOwner(record.members), heir, 'owner');
    await this.workspaces.updateOne({ _id: record._id }, { $set: { members, ownerId: heir.userId } });
    await this.audit.record(workspace, {
      action: 'workspace.ownership_transferred',
      target: { type: 'workspace', id: record._id.toHexString() },
      changes: { ownerId: { from: record.ownerId.toHexString(), to: heir.userId.toHexString() } },
    });
  }

  async #named(members: readonly Member[]): Promise<MemberResponse[]> {
    const names = await this.users.namesOf(members.map(({ userId }) => userId.toHexString()));
    return members.map((member) => toMember(member, names.get(member.userId.toHexString()) ?? { name: '', email: '' }));
  }
}

function findMember(record: WorkspaceRecord, userId: string): Member {
  const id = userId.toLowerCase();
  const found = record.members.find((member) => member.userId.toHexString() === id);
  if (!found) throw notFound('Member');
  return found;
}

function withRole(members: readonly Member[], { userId }: Member, role: Role): Member[] {
  return members.map((member) => (member.userId.equals(userId) ? { ...member, role } : member));
}

function demoteOwner(members: readonly Member[]): Member[] {
  return members.map((member) => (member.role === 'owner' ? { ...member, role: 'admin' } : member));
}
