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
import { getCurrentRole, decideInvitedRole, requireAdminNow } from './member-rules';
import { InvitationRecord } from './schemas/invitation.record';
import { WorkspaceRepository } from './workspace.repository';
import { UsersService } from '../users/users.service';
import { Config } from '@platform/config';
import { hashInvitationToken, createInvitationToken } from './invitation-token';
import { type InvitedRole, WorkspaceRecord } from './schemas/workspace.record';
import { requireRoom } from './workspace-limits.service';

const DAY_MS = 86_400_000;

/** The user who presents the token of an invitation, and the key that they used if any. */
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
   * Lists invitations that are neither accepted nor revoked, newest first. Expired ones are included, marked `expired`:
   * expiry happens over time, and a list must not lose records between two of its pages.
   */
  async list(workspace: WorkspaceScope, page: PageRequest): Promise<Page<InvitationResponse>> {
    const { workspaceId } = workspace;
    const filter = { workspaceId: parseId(workspaceId), status: 'pending' };
    const now = this.clock.now();
    return this.pages.read(this.invitations, { scope: workspaceId, filter, page }, (record) =>
      toInvitation(record, now),
    );
  }

  /** Revokes an invitation: its token becomes invalid and its seat is free. @throws NOT_FOUND unless it is open */
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
   * Creates an invitation and its token, which is shown only once. It takes a seat until it expires.
   * @throws NOT_FOUND, FORBIDDEN, CONFLICT for a member or an address that is already invited, LIMIT_EXCEEDED
   */
  async invite(workspace: WorkspaceScope, input: InviteMemberRequest): Promise<NewInvitationResponse> {
    return this.transactions.run(async () => {
      const record = await this.claims.claim(workspace.workspaceId);
      const role = decideInvitedRole(getCurrentRole(workspace, record.members), record.settings, input.role);
      if (role instanceof AppError) throw role;
      await this.#ensureNoMember(record, input.email);
      await this.#ensureSeat(record, input.email);
      return this.#write(workspace, record, input.email, role);
    });
  }

  /**
   * Uses up a token. `whoJoins` returns the user for the invited address, creating one if necessary, or throws; it runs
   * in the transaction, after the token is verified.
   * @throws NOT_FOUND for a token that is unknown, used, revoked or expired, or of a deleted workspace; CONFLICT for a
   * member; LIMIT_EXCEEDED when the limit was lowered in the meantime
   */
  async accept(token: string, whoJoins: (email: string) => Promise<Joiner>): Promise<Joined> {
    return this.transactions.run(async () => {
      const { invitation, workspace } = await this.#claimOpen(token);
      const joiner = await whoJoins(invitation.email);
      const member = { userId: new Types.ObjectId(joiner.userId), role: invitation.role, joinedAt: this.clock.now() };
      if (workspace.members.some(({ userId }) => userId.equals(member.userId))) {
        throw conflict('You are already a member of this workspace');
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
      throw conflict('This person is already a member of the workspace');
  }

  /** Expired invitations take no seat; the one of this address is replaced by the new one. */
  async #ensureSeat({ _id: workspaceId, members, limits }: WorkspaceRecord, email: string): Promise<void> {
    const now = this.clock.now();
    await this.invitations.deleteMany({ workspaceId, email, status: 'pending', expiresAt: { $lte: now } });
    const pending = await this.invitations
      .find({ workspaceId, status: 'pending', expiresAt: { $gt: now } }, { email: 1 })
      .lean();
    if (pending.some((invitation) => invitation.email === email)) {
      throw conflict('This address is already invited; revoke that invitation first');
    }
    requireRoom(limits, 'maxMembers', members.length + pending.length);
  }

  async #write(
    workspace: WorkspaceScope,
    record: WorkspaceRecord,
    email: string,
    role: InvitedRole,
  ): Promise<NewInvitationResponse> {
    const { token, tokenHash } = createInvitationToken();
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

  /** Of two concurrent calls that accept or revoke one token, one is rerun and finds it used. */
  async #claimOpen(token: string): Promise<{ invitation: InvitationRecord; workspace: WorkspaceRecord }> {
    const invitation = await this.invitations
      .findOne({ tokenHash: hashInvitationToken(token), status: 'pending' })
      .setOptions({ allWorkspaces: 'the token identifies the workspace' })
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
