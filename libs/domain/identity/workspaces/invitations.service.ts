import { KEY_SCOPES, type Role, type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Page, type PageRequest, PageService, TransactionService, parseId } from '@platform/database';
import { AppError, conflict, notFound } from '@platform/errors';
import { type Model, Types } from 'mongoose';
import {
  type InvitationResponse,
  type InviteMemberRequest,
  type NewInvitationResponse,
  toInvitation,
  toNewInvitation,
} from './dto/invitation.dto';
import { type MessageResponse } from './dto/workspace.dto';
import { currentRole, invitedRole, requireAdminNow } from './member-rules';
import { InvitationRecord } from './schemas/invitation.record';
import { WorkspaceRepository } from './workspace.repository';
import { UsersService } from '../users/users.service';
import { Config } from '@platform/config';
import { invitationTokenHash, newInvitationToken } from './invitation-token';
import { type InvitedRole, WorkspaceRecord } from './schemas/workspace.record';
import { requireRoom } from './workspace-limits.service';

const DAY_MS = 86_400_000;

/** Who shows an invitation's token: the user, and the key that they used if any. */
export interface Joiner {
  userId: string;
  keyId: string | null;
}

export interface Joined {
  workspaceId: string;
  userId: string;
  role: Role;
  joinedAt: Date;
}

/** The open invitations of a workspace. */
@Injectable()
export class InvitationsService {
  constructor(
    @InjectModel(InvitationRecord.name) private readonly invitations: Model<InvitationRecord>,
    private readonly claims: WorkspaceRepository,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly pages: PageService,
    private readonly clock: ClockPort,
    private readonly users: UsersService,
    private readonly config: Config,
    @InjectModel(WorkspaceRecord.name) private readonly workspaces: Model<WorkspaceRecord>,
  ) {}

  /**
   * Neither accepted nor revoked, newest first. Those that ran out are among them, marked `expired`: whether they are
   * changes by itself, and a list must not lose records between two of its pages.
   */
  async list(workspace: WorkspaceScope, page: PageRequest): Promise<Page<InvitationResponse>> {
    const { workspaceId } = workspace;
    const filter = { workspaceId: parseId(workspaceId), status: 'pending' };
    const now = this.clock.now();
    return this.pages.read(this.invitations, { scope: workspaceId, filter, page }, (record) =>
      toInvitation(record, now),
    );
  }

  /** The token is worth nothing from then on, and the seat is free. @throws NOT_FOUND for one that is not open */
  async revoke(workspace: WorkspaceScope, invitationId: string): Promise<MessageResponse> {
    const _id = parseId(invitationId);
    if (!_id) throw notFound('Invitation');
    return this.transactions.run(async () => {
      requireAdminNow(workspace, (await this.claims.claim(workspace.workspaceId)).members);
      const { modifiedCount } = await this.invitations.updateOne(
        { _id, workspaceId: workspace.workspaceId, status: 'pending' },
        { $set: { status: 'revoked' } },
      );
      if (modifiedCount === 0) throw notFound('Invitation');
      const target = { type: 'invitation', id: _id.toHexString() } as const;
      await this.audit.record(workspace, { action: 'invitation.revoked', target });
      return { message: 'Invitation revoked' };
    });
  }

  /**
   * An invitation with its token, which is shown this once. It holds a seat until it runs out.
   * @throws NOT_FOUND, FORBIDDEN, CONFLICT for a member or an address that is invited already, LIMIT_EXCEEDED
   */
  async invite(workspace: WorkspaceScope, input: InviteMemberRequest): Promise<NewInvitationResponse> {
    return this.transactions.run(async () => {
      const record = await this.claims.claim(workspace.workspaceId);
      const role = invitedRole(currentRole(workspace, record.members), record.settings, input.role);
      if (role instanceof AppError) throw role;
      await this.#ensureNoMember(record, input.email);
      await this.#ensureSeat(record, input.email);
      return this.#write(workspace, record, input.email, role);
    });
  }

  /**
   * Uses a token up. `whoJoins` names the user for the invited address, creating one if need be, or throws; it runs in
   * the transaction, after the token is known to be good.
   * @throws NOT_FOUND for a token that is unknown, used, revoked or run out, or of a workspace that is gone; CONFLICT for
   * a member; LIMIT_EXCEEDED when the cap was lowered in the meantime
   */
  async accept(token: string, whoJoins: (email: string) => Promise<Joiner>): Promise<Joined> {
    return this.transactions.run(async () => {
      const { invitation, workspace } = await this.#take(token);
      const joiner = await whoJoins(invitation.email);
      const member = { userId: new Types.ObjectId(joiner.userId), role: invitation.role, joinedAt: this.clock.now() };
      if (workspace.members.some(({ userId }) => userId.equals(member.userId))) {
        throw conflict('You are a member of this workspace already');
      }
      requireRoom(workspace.limits, 'maxMembers', workspace.members.length);
      await this.workspaces.updateOne({ _id: workspace._id }, { $push: { members: member } });
      const workspaceId = workspace._id.toHexString();
      await this.claims.setWhereNone(workspaceId, [joiner.userId]);
      await this.#record(workspaceId, invitation, joiner);
      return { workspaceId, userId: joiner.userId, role: member.role, joinedAt: member.joinedAt };
    });
  }

  async #ensureNoMember({ members }: WorkspaceRecord, email: string): Promise<void> {
    const people = await this.users.namesOf(members.map(({ userId }) => userId.toHexString()));
    if ([...people.values()].some((person) => person.email === email))
      throw conflict('This person is a member of the workspace already');
  }

  /** Invitations that ran out hold no seat; the one of this address gives way to the new one. */
  async #ensureSeat({ _id: workspaceId, members, limits }: WorkspaceRecord, email: string): Promise<void> {
    const now = this.clock.now();
    await this.invitations.deleteMany({ workspaceId, email, status: 'pending', expiresAt: { $lte: now } });
    const pending = await this.invitations
      .find({ workspaceId, status: 'pending', expiresAt: { $gt: now } }, { email: 1 })
      .lean();
    if (pending.some((invitation) => invitation.email === email)) {
      throw conflict('This address is invited already; revoke that invitation first');
    }
    requireRoom(limits, 'maxMembers', members.length + pending.length);
  }

  async #write(
    workspace: WorkspaceScope,
    record: WorkspaceRecord,
    email: string,
    role: InvitedRole,
  ): Promise<NewInvitationResponse> {
    const { token, tokenHash } = newInvitationToken();
    const invitation = await this.invitations.create({
      workspaceId: record._id,
      email,
      role,
      tokenHash,
      invitedBy: workspace.actor,
      status: 'pending',
      expiresAt: this.clock.in(this.config.invitationDays * DAY_MS),
    });
    const target = { type: 'invitation', id: invitation._id.toHexString() } as const;
    const changes = { email: { from: null, to: email }, role: { from: null, to: role } };
    await this.audit.record(workspace, { action: 'member.invited', target, changes });
    return toNewInvitation(invitation, this.clock.now(), token);
  }

  /** Of two that show one token, or one who shows and one who revokes it, one is run again and finds it used. */
  async #take(token: string): Promise<{ invitation: InvitationRecord; workspace: WorkspaceRecord }> {
    const invitation = await this.invitations
      .findOne({ tokenHash: invitationTokenHash(token), status: 'pending' })
      .setOptions({ allWorkspaces: 'the token says which workspace' })
      .lean();
    if (!invitation || invitation.expiresAt <= this.clock.now()) throw notFound('Invitation');
    const workspace = await this.claims.tryClaim(invitation.workspaceId.toHexString());
    if (!workspace) throw notFound('Invitation');
    const { _id, workspaceId } = invitation;
    await this.invitations.updateOne({ _id, workspaceId }, { $set: { status: 'accepted' } });
    return { invitation, workspace };
  }

  async #record(workspaceId: string, invitation: InvitationRecord, { userId, keyId }: Joiner): Promise<void> {
    const scope: WorkspaceScope = {
      workspaceId,
      role: invitation.role,
      scopes: KEY_SCOPES,
      actor: { kind: 'user', userId, keyId },
    };
    const target = { type: 'invitation', id: invitation._id.toHexString() } as const;
    const changes = { userId: { from: null, to: userId }, role: { from: null, to: invitation.role } };
    await this.audit.record(scope, { action: 'invitation.accepted', target, changes });
  }
}
