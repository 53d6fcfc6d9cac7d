import { KEY_SCOPES, type Role, type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { conflict, notFound } from '@platform/errors';
import { type Model, Types } from 'mongoose';
import { invitationTokenHash } from '../invitation-token';
import { InvitationRecord } from '../schemas/invitation.record';
import { WorkspaceRecord } from '../schemas/workspace.record';
import { WorkspaceRepository } from '../workspace.repository';
import { DefaultWorkspacesRepository } from '../default-workspaces.repository';
import { requireRoom } from '../workspace-limits.service';

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

/** Coming in with an invitation. */
@Injectable()
export class JoiningService {
  constructor(
    @InjectModel(InvitationRecord.name) private readonly invitations: Model<InvitationRecord>,
    @InjectModel(WorkspaceRecord.name) private readonly workspaces: Model<WorkspaceRecord>,
    private readonly claims: WorkspaceRepository,
    private readonly defaults: DefaultWorkspacesRepository,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

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
      await this.defaults.setWhereNone(workspaceId, [joiner.userId]);
      await this.#record(workspaceId, invitation, joiner);
      return { workspaceId, userId: joiner.userId, role: member.role, joinedAt: member.joinedAt };
    });
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
